"""What the server asks of the world. A simulator, another database or several workers take these places.

TimeSource   the time of day for people, and a time that only ever runs forward for clocks
Randomness   bytes nobody can predict
EventStore   the logs and rows: durable when `write` returns
Bus          "table X changed": only a hint, so losing or doubling one is harmless
Study        long thinking for people, which may wait: analyses, then reviews; never before a bot's move
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import defaultdict
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, Protocol

from regalia.server.model.clock import Now
from regalia.server.model.events import StoredEvent


class TimeSource(Protocol):
    def wall_ms(self) -> int:
        """The time of day, which may jump."""
        ...

    def steady_ms(self) -> int:
        """A time that never jumps, of no particular beginning."""
        ...

    async def sleep(self, seconds: float) -> None: ...


def read_time(time: TimeSource) -> Now:
    return Now(time.steady_ms(), time.wall_ms())


class Randomness(Protocol):
    def bytes(self, count: int) -> bytes: ...


class StorageError(Exception):
    """The store could not read; or what was to be written is perhaps on disk, and perhaps not.

    Who wrote forgets what it believes, and reads the log: a command's id says whether it was carried out.
    """


class Conflict(StorageError):
    """Surely not written: the log has grown, or the command stands in it. Read on, and decide again."""


@dataclass(frozen=True)
class Append:
    """Events at the end of a table's log. They are written only if the log ends where they begin."""

    row: dict[str, Any]  # of the table, as it is after them; but `final_views`, once there, stay
    events: list[StoredEvent]
    seats: list[dict[str, Any]] = field(default_factory=list)  # rows, replacing those of the same seat

    @property
    def table_id(self) -> str:
        return self.events[0].table_id

    @property
    def expected(self) -> int:
        """The number of the log's last event until now; -1: there is no such table yet."""
        return self.events[0].seq - 1


@dataclass(frozen=True)
class Change:
    """Of rows beside the logs: those that are meant get these values, or go."""

    table: str  # its name in the schema
    where: dict[str, Any]  # what the rows that are meant have
    values: dict[str, Any] | None = None  # None: they are deleted
    until: tuple[str, int] | None = None  # a column, and what it is less than
    must: bool = False  # refuse the whole write (Conflict) unless it is exactly one row


@dataclass(frozen=True)
class Write:
    """What one commit changes, all or nothing."""

    appends: list[Append] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)  # one after the other, before the new rows
    new: list[tuple[str, dict[str, Any]]] = field(
        default_factory=list
    )  # rows by table: Conflict if one is there
    workers: list[dict[str, Any]] = field(default_factory=list)  # rows, replacing those of the same id
    outages: list[dict[str, Any]] = field(
        default_factory=list
    )  # rows; one that begins like another is left out
    presence: list[dict[str, Any]] = field(default_factory=list)  # rows, by worker, table and player
    forget_before_ms: int = 0  # workers and presence without a sign of life since then


class EventStore(Protocol):
    shown: str  # where it is, without secrets
    is_shared: bool  # do other processes write to it as well?

    async def write(self, change: Write) -> None:
        """Returns when it is on disk. Raises Conflict (surely not written) or StorageError (perhaps written)."""
        ...

    async def read(self, table_id: str) -> tuple[dict[str, Any], list[StoredEvent]] | None:
        """The row of a table and its log, as they stood at one moment."""
        ...

    async def log(self, table_id: str, after: int = -1) -> list[StoredEvent]: ...

    async def heads(self, table_ids: Iterable[str]) -> dict[str, int]:
        """The number of the last event of each of these tables, where there is one."""
        ...

    async def tables(
        self,
        status: tuple[str, ...],
        players: tuple[str, ...] | None = None,  # who sit there; None: public tables
        game: str | None = None,
        before: tuple[int, str] | None = None,
        limit: int = 50,
        since_ms: int = 0,
    ) -> list[dict[str, Any]]: ...

    async def waiting(self, before_ms: int | None = None) -> list[dict[str, Any]]:
        """The running tables where a bot is due, or a clock runs out before then (None: ever)."""
        ...

    async def workers(self) -> list[dict[str, Any]]: ...

    async def outages(self, after_ms: int) -> list[tuple[int, int]]:
        """From when to when nobody could play, of what ended after that time."""
        ...

    async def presence(self, table_ids: Iterable[str]) -> list[dict[str, Any]]:
        """Who is at these tables, as each process has written it."""
        ...

    async def clock_ms(self) -> int | None:
        """The time of day, if the database has one of its own."""
        ...

    async def rows(
        self, table: str, where: dict[str, Any], since: tuple[str, int] | None = None
    ) -> list[dict[str, Any]]:
        """Of a table of the schema: those that have these values (one of them, where it is a list), by their key.

        `since`: a column, and what it is at least.
        """
        ...

    async def close(self) -> None: ...


class Bus(Protocol):
    def publish(self, topic: str, seq: int = -1) -> None:
        """Tell all processes; of a table also the number of its last event."""
        ...

    def wake(self, topic: str) -> None:
        """Tell the listeners of this process."""
        ...

    def subscribe(self, topic: str, wake: Callable[[], None]) -> Callable[[], None]:
        """Calls `wake` soon after each publication; returns what ends it."""
        ...

    def follow(self, heard: Callable[[str, int], None], missed: Callable[[], None]) -> None:
        """`heard` is told, before any listener, what other processes publish; `missed`, that some may be lost."""
        ...

    async def start(self) -> None: ...

    async def stop(self) -> None: ...


class Urgency(IntEnum):
    """In which order the study takes what waits."""

    ANALYSIS = 0  # somebody looks at it
    CURVE = 1  # the first few values of a review
    REVIEW = 2


class StudyFailed(Exception):
    """There is no answer. The reason is a word for the log: off, crashed, died."""


@dataclass(frozen=True)
class Thought:
    """Something to think about, in pieces of some milliseconds each."""

    urgency: Urgency
    work: Callable[..., Iterator[Any]]  # of a module; what it yields is an answer, None a piece without one
    arguments: tuple[Any, ...]


class Study(Protocol):
    is_on: bool

    def think(self, thought: Thought) -> AsyncGenerator[Any, None]:
        """The answers as they come; closing it ends the thinking. Raises StudyFailed.

        For who does not take the answers thinking pauses, so that a slow reader wastes nothing.
        """
        ...

    @property
    def waiting(self) -> int:
        """How many thoughts nobody thinks about at the moment."""
        ...

    def start(self) -> None: ...

    async def stop(self) -> None: ...


class FindingStore(Protocol):
    """What was found out for reviews; losing it costs only time, so nothing here is ever refused."""

    async def known(self, digests: Sequence[str], version: int) -> dict[str, bytes]: ...

    async def keep(self, digest: str, version: int, body: bytes, now_ms: int) -> None: ...

    async def review(self, table_id: str, view: str) -> dict[str, Any] | None: ...

    async def keep_review(self, row: dict[str, Any]) -> None:
        """With its `table_id`, `view`, `level`, `version`, `made_ms` and `body`, in place of the last one."""
        ...

    async def close(self) -> None: ...


class SystemTime:
    def wall_ms(self) -> int:
        return time.time_ns() // 1_000_000

    def steady_ms(self) -> int:
        return time.monotonic_ns() // 1_000_000

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


class SystemRandomness:
    def bytes(self, count: int) -> bytes:
        return secrets.token_bytes(count)


class LocalBus:
    """One process: listeners are called at once. A listener only notes that it must look."""

    def __init__(self) -> None:
        # By topic, in the order of subscription: the same story always goes the same way.
        self._listeners: defaultdict[str, dict[Callable[[], None], None]] = defaultdict(dict)

    def publish(self, topic: str, seq: int = -1) -> None:
        self.wake(topic)

    def wake(self, topic: str) -> None:
        for wake in tuple(self._listeners.get(topic, ())):
            wake()

    def follow(self, heard: Callable[[str, int], None], missed: Callable[[], None]) -> None:
        """There are no others."""

    async def start(self) -> None:
        pass

    async def stop(self) -> None:
        pass

    def subscribe(self, topic: str, wake: Callable[[], None]) -> Callable[[], None]:
        self._listeners[topic][wake] = None

        def end() -> None:
            listeners = self._listeners.get(topic)
            if listeners is not None:
                listeners.pop(wake, None)
                if not listeners:
                    del self._listeners[topic]

        return end


class DirectStudy:
    """Thinks where it is asked, piece by piece: for tests and simulated worlds."""

    is_on = True
    waiting = 0

    async def think(self, thought: Thought) -> AsyncGenerator[Any, None]:
        try:
            for answer in thought.work(*thought.arguments):
                if answer is not None:
                    yield answer
                await asyncio.sleep(0)
        except Exception as error:  # as it would be told by another process
            raise StudyFailed("crashed") from error

    def start(self) -> None:
        pass

    async def stop(self) -> None:
        pass


class NoStudy(DirectStudy):
    """Where the operator wants none."""

    is_on = False

    def think(self, thought: Thought) -> AsyncGenerator[Any, None]:
        raise StudyFailed("off")


class MemoryFindings:
    """Kept as long as the process lives: for tests and simulated worlds."""

    def __init__(self) -> None:
        self.bodies: dict[tuple[str, int], bytes] = {}
        self.reviews: dict[tuple[str, str], dict[str, Any]] = {}

    async def known(self, digests: Sequence[str], version: int) -> dict[str, bytes]:
        return {
            digest: self.bodies[digest, version] for digest in digests if (digest, version) in self.bodies
        }

    async def keep(self, digest: str, version: int, body: bytes, now_ms: int) -> None:
        self.bodies[digest, version] = body

    async def review(self, table_id: str, view: str) -> dict[str, Any] | None:
        return self.reviews.get((table_id, view))

    async def keep_review(self, row: dict[str, Any]) -> None:
        self.reviews[row["table_id"], row["view"]] = row

    async def close(self) -> None:
        pass
