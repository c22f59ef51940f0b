"""A real terminal for a test: the program behind a pseudo-terminal, its screen as text."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from contextlib import suppress
from types import TracebackType

CONTROLS = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]|\x1b[()][A-Z0-9]|[\x01\x02\x07]")
# The first terminal that the leader of a session opens becomes its own: then Ctrl-C reaches the program.
PROGRAM = "import os; os.open(os.ttyname(0), os.O_RDWR); from regalia.cli import main; main()"
PATIENCE_S = 120.0  # the first use of the rules may have to compile them


class Terminal:
    def __init__(
        self, *arguments: str, rows: int = 24, columns: int = 80, language: str = "en_GB.UTF-8"
    ) -> None:
        self._main, child = pty.openpty()
        fcntl.ioctl(child, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        environment = {**os.environ, "LANG": language, "TERM": "xterm-256color"}
        for name in ("COLUMNS", "LINES", "LC_ALL"):
            environment.pop(name, None)
        self.process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, *arguments],
            stdin=child,
            stdout=child,
            stderr=child,
            env=environment,
            start_new_session=True,
        )
        os.close(child)
        self._unread = ""

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._main)

    def type(self, text: str) -> None:
        os.write(self._main, text.encode())

    def interrupt(self) -> None:
        """Ctrl-C until it ends: readline misses a signal between writing its prompt and waiting for a key."""
        for _ in range(20):
            self.type("\x03")
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(3)
                return

    def until(self, *wanted: str) -> str:
        """What is written up to the first of these texts; what comes behind it is for the next call."""
        limit = time.monotonic() + PATIENCE_S
        while True:
            seen = CONTROLS.sub("", self._unread)
            ends = [seen.index(text) + len(text) for text in wanted if text in seen]
            if ends:
                self._unread = seen[min(ends) :]
                return seen[: min(ends)]
            if not self._read(limit):
                raise AssertionError(f"ended before {wanted}: {seen[-1500:]}")

    def rest(self) -> str:
        """What is written until the program ends."""
        while self._read(time.monotonic() + PATIENCE_S):
            pass
        self.process.wait(PATIENCE_S)
        return CONTROLS.sub("", self._unread)

    def _read(self, limit: float) -> bool:
        ready, _, _ = select.select([self._main], [], [], max(limit - time.monotonic(), 0))
        if not ready:
            raise AssertionError(f"nothing more was written: {self._unread[-1500:]!r}")
        try:
            found = os.read(self._main, 1 << 16)
        except OSError:  # Linux says so when the other side is closed
            return False
        self._unread += found.decode("utf-8", "replace").replace("\r\n", "\n")
        return bool(found)
