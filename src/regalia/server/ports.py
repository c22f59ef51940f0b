"""What the server asks of the world. A simulator, another database or several workers take these places.

TimeSource   the time of day for people, and a time that only ever runs forward for clocks
Randomness   bytes nobody can predict
EventStore   the logs and rows: durable when `write` returns
Bus          "table X changed": only a hint, so losing or doubling one is harmless
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
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
    """The store could not write or read; nothing was changed."""


class Conflict(StorageError):
    """Another event or command has that number: the caller's picture of the log is old."""


@dataclass(frozen=True)
class Write:
    """What one commit changes, all or nothing."""

    events: list[StoredEvent] = field(default_factory=list)
    # Rows, replacing older ones of the same id; but `final_views`, once there, stay where a row has none.
    tables: list[dict[str, Any]] = field(default_factory=list)
    seats: list[dict[str, Any]] = field(default_factory=list)  # likewise by (table, seat)
    players: list[dict[str, Any]] = field(default_factory=list)  # likewise by id
    tokens: list[dict[str, Any]] = field(default_factory=list)
    dropped_tokens: list[str] = field(default_factory=list)


class EventStore(Protocol):
    async def write(self, change: Write) -> None:
        """Returns when it is on disk. Raises StorageError (Conflict), and then nothing was changed."""
        ...

    async def log(self, table_id: str, after: int = -1) -> list[StoredEvent]: ...

    async def table(self, table_id: str) -> dict[str, Any] | None: ...

    async def tables(
        self,
        status: tuple[str, ...],
        player: str | None = None,
        game: str | None = None,
        before: tuple[int, str] | None = None,
        limit: int = 50,
        since_ms: int = 0,
    ) -> list[dict[str, Any]]: ...

    async def waiting(self) -> list[dict[str, Any]]:
        """The running tables where a bot or a clock is due: those the server must take up at its start."""
        ...

    async def player(self, player: str) -> dict[str, Any] | None: ...

    async def token(self, token: str) -> dict[str, Any] | None: ...

    async def tokens(self, player: str) -> list[dict[str, Any]]: ...

    async def close(self) -> None: ...


class Bus(Protocol):
    def publish(self, topic: str) -> None: ...

    def subscribe(self, topic: str, wake: Callable[[], None]) -> Callable[[], None]:
        """Calls `wake` soon after each publication; returns what ends it."""
        ...


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
        self._listeners: defaultdict[str, set[Callable[[], None]]] = defaultdict(set)

    def publish(self, topic: str) -> None:
        for wake in tuple(self._listeners.get(topic, ())):
            wake()

    def subscribe(self, topic: str, wake: Callable[[], None]) -> Callable[[], None]:
        self._listeners[topic].add(wake)

        def end() -> None:
            listeners = self._listeners.get(topic)
            if listeners is not None:
                listeners.discard(wake)
                if not listeners:
                    del self._listeners[topic]

        return end
