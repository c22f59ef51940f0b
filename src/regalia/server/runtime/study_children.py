"""Study processes that several server processes share: started by their parent, met at sockets in a folder of its own."""

from __future__ import annotations

import logging
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from regalia.server.runtime.study import COMMAND

PAUSE_S = 2.0  # before one that died is started again

log = logging.getLogger("regalia.study")


class StudyChildren:
    def __init__(self, count: int) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="regalia-")) if count else None
        self.addresses = (
            tuple(str(self._folder / str(number)) for number in range(count)) if self._folder else ()
        )
        self._children: dict[str, subprocess.Popen[bytes]] = {}
        self._next_start = 0.0

    def look(self) -> None:
        """Start those that are missing."""
        for address in self.addresses:
            child = self._children.get(address)
            if child is not None and child.poll() is None:
                continue
            if child is not None:
                log.error("the study died", extra={"facts": {"code": child.returncode}})
                end(child)
                del self._children[address]
                self._next_start = time.monotonic() + PAUSE_S
            if time.monotonic() >= self._next_start:
                self._children[address] = subprocess.Popen(
                    [*COMMAND, address],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.DEVNULL,
                    start_new_session=True,
                )

    def stop(self) -> None:
        for child in self._children.values():
            end(child)
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)


def end(child: subprocess.Popen[bytes]) -> None:
    """It ends when its standard input does; and if it does not, it is killed."""
    assert child.stdin is not None
    child.stdin.close()
    try:
        child.wait(2)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()
