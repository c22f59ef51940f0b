"""The study: thoughts are put, slice by slice, to processes of low priority (study_process.py).

One slice is under way for each process, and none is asked for while a bot waits for its turn. The most urgent thought
goes first, and those of equal urgency take turns, as many at a time as there is room for. A process that dies is
started again, and its thoughts begin anew; a thought that killed it twice is given up.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
import pickle
import subprocess
import sys
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass, field
from typing import Any

from regalia.server.ports import StudyFailed, Thought, TimeSource
from regalia.server.runtime.study_process import LENGTH, pack

AT_ONCE = 2  # thoughts of one process that are under way; their trees are in its memory
AHEAD = 2  # slices with answers that nobody has taken yet
HELD_S = 0.05  # until it is asked again whether a bot waits
HANGING_S = 600.0  # a slice never takes so long: it compiles at first use on a new machine
AGAIN_S = 0.5  # before a process that died is started again
MOST_DEATHS = 2

COMMAND = (sys.executable, "-m", "regalia.server.runtime.study_process")

log = logging.getLogger("regalia.study")


@dataclass(eq=False)
class Session:
    """A thought under way."""

    number: int
    thought: Thought
    answers: asyncio.Queue[list[Any] | None] = field(default_factory=asyncio.Queue)  # by slice; None: the end
    is_under_way: bool = False  # in a slice
    channel: Channel | None = None  # whose process thinks about it
    turn: int = 0  # when it had its last slice
    deaths: int = 0
    is_ended: bool = False
    failure: str = ""

    @property
    def is_wanted(self) -> bool:
        """Who asked keeps up with the answers."""
        return not self.is_ended and self.answers.qsize() < AHEAD

    def end(self, failure: str = "") -> None:
        self.is_ended, self.failure = True, failure
        self.answers.put_nowait(None)


class Died(Exception):
    """The process is gone, or no longer answers."""


class Channel:
    """The way to one process: a child, or one that another process has started and that is met at an address."""

    def __init__(self, address: str | None) -> None:
        self.address = address
        self.process: asyncio.subprocess.Process | None = None
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def open(self) -> None:
        if self.streams is not None:
            return
        if self.address is not None:
            self.streams = await asyncio.open_unix_connection(self.address)
            return
        self.process = process = await asyncio.create_subprocess_exec(
            *COMMAND,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is for the server, which ends it
            creationflags=getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0),
        )
        assert process.stdout is not None
        assert process.stdin is not None
        self.streams = process.stdout, process.stdin

    async def ask(self, question: tuple[Any, ...]) -> tuple[list[Any], str]:
        """A slice."""
        assert self.streams is not None
        reader, writer = self.streams
        try:
            writer.write(pack(question))
            await writer.drain()
            async with asyncio.timeout(HANGING_S):
                (length,) = LENGTH.unpack(await reader.readexactly(LENGTH.size))
                body = await reader.readexactly(length)
        except (OSError, EOFError, TimeoutError) as error:
            await self.close()
            raise Died from error
        return unpack(body)

    def forget(self, number: int) -> None:
        if self.streams is not None and not self.streams[1].is_closing():
            self.streams[1].write(pack((number,)))

    async def close(self) -> None:
        """The process ends when nobody can speak to it any more."""
        if self.streams is not None:
            self.streams[1].close()
            self.streams = None
        process, self.process = self.process, None
        if process is not None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()


def unpack(body: bytes) -> tuple[list[Any], str]:
    answers, state = pickle.loads(body)  # noqa: S301 - from our own process
    return answers, state


class StudyProcesses:
    """`count` children of this process, started at the first thought; or those at these addresses."""

    is_on = True

    def __init__(
        self, count: int, addresses: tuple[str, ...], time: TimeSource, is_held: Callable[[], bool]
    ) -> None:
        self.time = time
        self.is_held = is_held  # does a bot wait?
        self.channels = [Channel(address) for address in addresses] or [Channel(None) for _ in range(count)]
        self._sessions: dict[int, Session] = {}
        self._numbers = itertools.count()
        self._turns = itertools.count(1)
        self._changed = [asyncio.Event() for _ in self.channels]
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def waiting(self) -> int:
        return sum(not session.is_under_way for session in self._sessions.values())

    def start(self) -> None:
        """Nothing is started before there is something to think about."""

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks = []
        for session in self._sessions.values():
            session.end("off")
        for channel in self.channels:
            await channel.close()

    async def think(self, thought: Thought) -> AsyncGenerator[Any, None]:
        if not self._tasks:
            self._tasks = [
                asyncio.ensure_future(self._run(channel, changed))
                for channel, changed in zip(self.channels, self._changed, strict=True)
            ]
        session = Session(next(self._numbers), thought)
        self._sessions[session.number] = session
        try:
            while True:
                self._wake()
                answers = await session.answers.get()
                if answers is None:
                    break
                for answer in answers:
                    yield answer
            if session.failure:
                raise StudyFailed(session.failure)
        finally:
            del self._sessions[session.number]
            if session.channel is not None:
                session.channel.forget(session.number)
            self._wake()

    # --- Slices ---

    def _wake(self) -> None:
        for changed in self._changed:
            changed.set()

    async def _run(self, channel: Channel, changed: asyncio.Event) -> None:
        while True:
            changed.clear()
            session = self._next(channel)
            if session is None:
                await changed.wait()
            elif self.is_held():
                await self.time.sleep(HELD_S)
            else:
                await self._slice(channel, session)

    def _next(self, channel: Channel) -> Session | None:
        """The most urgent thought of those this process thinks about, or could begin."""
        sessions = [
            session
            for session in self._sessions.values()
            if session.channel in (channel, None) and session.is_wanted and not session.is_under_way
        ]
        sessions.sort(key=lambda session: (session.thought.urgency, session.number))
        return min(
            sessions[:AT_ONCE], key=lambda session: (session.thought.urgency, session.turn), default=None
        )

    async def _slice(self, channel: Channel, session: Session) -> None:
        try:
            await channel.open()
        except OSError:
            log.warning("there is no study yet")
            await self.time.sleep(AGAIN_S)
            return
        urgency = int(session.thought.urgency)
        question: tuple[Any, ...] = (urgency, session.number)
        if session.channel is None:
            question = (*question, session.thought.work, session.thought.arguments)
        session.channel, session.turn, session.is_under_way = channel, next(self._turns), True
        try:
            answers, state = await channel.ask(question)
        except Died:
            await self._bury(channel, session)
            return
        finally:
            session.is_under_way = False
        if session.number not in self._sessions:  # nobody waits for it any more
            channel.forget(session.number)
            return
        if answers:
            session.answers.put_nowait(answers)
        if state == "unknown":  # the process is another one by now
            session.channel = None
        elif state != "going":
            session.channel = None
            session.end("" if state == "done" else state)

    async def _bury(self, channel: Channel, session: Session) -> None:
        """What it thought about begins anew, with the next one."""
        await channel.close()
        log.error("the study died", extra={"facts": {"work": session.thought.work.__qualname__}})
        session.deaths += 1
        for other in self._sessions.values():
            if other.channel is channel:
                other.channel = None
        if session.deaths >= MOST_DEATHS:
            session.end("died")
        await self.time.sleep(AGAIN_S)
