"""A process that thinks for people: `python -m regalia.server.runtime.study_process [SOCKET]`.

It is asked over its standard input, and over connections to a socket if one is named, for slices of thoughts: one
question, one answer, in frames of pickled tuples.

    (urgency, number, work, arguments)     begin a thought, and think for one slice; the caller chose the number
    (urgency, number)                      go on for one slice
    (number,)                              forget it; not answered
    answer: (answers, "going" | "done" | "crashed" | "unknown")

Whoever asks has one question under way, so the most urgent is answered first and none waits longer than a slice. It
runs at low priority, and ends when its standard input does: with the process that started it, however that ended.
"""

from __future__ import annotations

import contextlib
import logging
import os
import pickle
import queue
import socket
import struct
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from regalia.server import logs

NICE = 10
SLICE_S = 0.12  # a piece more may be begun: together they stay below 0.2 s
LENGTH = struct.Struct(">I")

log = logging.getLogger("regalia.study")


def pack(message: tuple[Any, ...]) -> bytes:
    body = pickle.dumps(message)
    return LENGTH.pack(len(body)) + body


def read_frame(stream: IO[bytes]) -> tuple[Any, ...] | None:
    """None at the end of the stream."""
    head = stream.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    (length,) = LENGTH.unpack(head)
    body = stream.read(length)
    if len(body) < length:
        return None
    message: tuple[Any, ...] = pickle.loads(body)  # noqa: S301 - from the process that started this one
    return message


class Asker:
    """Somebody who asks: its stream, and its thoughts under way."""

    def __init__(self, answers: IO[bytes]) -> None:
        self.answers = answers
        self.thoughts: dict[int, Iterator[Any]] = {}

    def answer(self, question: tuple[Any, ...]) -> None:
        _, number, *begin = question
        answers: list[Any] = []
        state = "going"
        try:
            if begin:
                work, arguments = begin
                self.thoughts[number] = iter(work(*arguments))
            thought = self.thoughts.get(number)
            state = "unknown" if thought is None else "going" if think(thought, answers) else "done"
        except Exception:  # a process edge: it is told to who asked, and thinking goes on for the others
            log.exception("a thought failed")
            state = "crashed"
        if state != "going":
            self.thoughts.pop(number, None)
        with contextlib.suppress(OSError, ValueError):  # who asked is gone
            self.answers.write(pack((answers, state)))
            self.answers.flush()


def think(thought: Iterator[Any], answers: list[Any]) -> bool:
    """For one slice, or until there is an answer; False when the thought has come to its end."""
    end = time.perf_counter() + SLICE_S
    for answer in thought:
        if answer is not None:
            answers.append(answer)
        if time.perf_counter() >= end:
            return True
    return False


class StudyProcess:
    def __init__(self) -> None:
        self.questions: queue.PriorityQueue[tuple[int, int, Asker, tuple[Any, ...]]] = queue.PriorityQueue()
        self.count = 0
        self.lock = threading.Lock()

    def listen(self, stream: IO[bytes], asker: Asker) -> None:
        """Take what somebody asks, until they are gone; what they left is dropped by its own number."""
        try:
            while (question := read_frame(stream)) is not None:
                urgency = question[0] if len(question) > 1 else -1
                with self.lock:
                    self.count += 1
                    self.questions.put((urgency, self.count, asker, question))
        except OSError:
            pass
        asker.thoughts = {}

    def listen_to_parent(self, stream: IO[bytes], asker: Asker) -> None:
        try:
            self.listen(stream, asker)
        finally:
            os._exit(0)  # also in mid-thought

    def accept(self, path: str) -> None:
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(path)
            listener.listen()
            while True:
                connection, _ = listener.accept()
                asker = Asker(connection.makefile("wb"))
                begin_thread(self.listen, connection.makefile("rb"), asker)

    def run(self) -> None:
        while True:
            _, _, asker, question = self.questions.get()
            if len(question) == 1:
                asker.thoughts.pop(question[0], None)
            else:
                asker.answer(question)


def begin_thread(work: Any, *arguments: Any) -> None:
    threading.Thread(target=work, args=arguments, daemon=True).start()


def main() -> None:
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what is printed by mistake is no answer
    logs.set_up("warning")
    if hasattr(os, "nice"):
        os.nice(NICE)
    process = StudyProcess()
    begin_thread(process.listen_to_parent, sys.stdin.buffer, Asker(answers))
    if len(sys.argv) > 1:
        Path(sys.argv[1]).unlink(missing_ok=True)  # of one that died
        begin_thread(process.accept, sys.argv[1])
    process.run()


if __name__ == "__main__":
    main()
