"""A bot from outside: a process that is sent what its seat sees, a line of JSON for each decision, and answers a line.

    {"game": "rose_king", "seat": 0, "seats": 2, "match": 17, "ply": 1, "view": {…}, "actions": ["N1", …]}
    N1

It gets views and nothing else: no state, no seed, no other seat's cards. What goes wrong is its own fault, and the match
is lost by it: no answer in time, an illegal one, one that never ends, or the end of the process.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import shlex
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import IO, Self

from regalia.core.errors import RegaliaError, SetupError
from regalia.core.match import Match

LONGEST_ANSWER = 2000  # characters
HOST = Path(__file__).with_name("host.py")


class Fault(Exception):
    """Why a bot loses a match: `time`, `illegal`, `answer` or `crash`."""


def command_of(entry: str) -> tuple[str, ...]:
    """How a bot is started: a Python file by the host, else the words of a command."""
    path = Path(entry)
    if path.suffix == ".py":
        if not path.is_file():
            raise SetupError("suite.error.file", file=entry)
        return sys.executable, "-I", str(HOST), str(path.resolve())
    words = tuple(shlex.split(entry))
    if not words:
        raise SetupError("suite.error.entry", entry=entry)
    return words


class Entrant:
    """One process for one match, in an empty folder of its own."""

    def __init__(self, command: tuple[str, ...], limit_s: float) -> None:
        self.limit_s = limit_s
        self._folder = tempfile.TemporaryDirectory(prefix="regalia-bot-")
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd=self._folder.name,
                env={"PATH": os.environ.get("PATH", ""), "HOME": self._folder.name, "LANG": "C.UTF-8"},
                text=True,
                encoding="utf-8",
                errors="replace",
            )
        except OSError as error:
            self._folder.cleanup()
            raise SetupError("suite.error.start", command=shlex.join(command), why=error.strerror) from error
        assert self._process.stdout is not None
        self._answers: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        threading.Thread(target=listen, args=(self._process.stdout, self._answers), daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            assert stream is not None
            with contextlib.suppress(OSError):  # what was still to be written to a process that is gone
                stream.close()
        self._folder.cleanup()

    def choose(self, match: Match, seat: int, number: int) -> str:
        """The text of a legal action; raises Fault."""
        told = {
            "game": match.game.id,
            "seat": seat,
            "seats": match.seats,
            "match": number,
            "ply": match.ply,
            "view": match.view(seat),
            "actions": match.actions(seat),
        }
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(told) + "\n")
            self._process.stdin.flush()
            answer = self._answers.get(timeout=self.limit_s)
        except OSError:
            raise Fault("crash") from None
        except queue.Empty:
            raise Fault("time") from None
        if answer is None:
            raise Fault("crash")
        if not answer.endswith("\n"):
            raise Fault("answer")
        try:
            is_legal = match.is_legal(seat, answer)
        except RegaliaError:
            is_legal = False
        if not is_legal:
            raise Fault("illegal")
        return " ".join(answer.split())


def listen(stream: IO[str], answers: queue.SimpleQueue[str | None]) -> None:
    """Line by line, until the process ends; a line without end is not waited for."""
    with contextlib.suppress(OSError, ValueError):  # closed meanwhile
        while line := stream.readline(LONGEST_ANSWER):
            answers.put(line)
    answers.put(None)
