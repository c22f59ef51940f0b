"""Hints over PostgreSQL: `NOTIFY` after the commit, coalesced, on a connection of its own.

A hint may be lost, doubled or late; whoever needs the truth reads the log. Its text is the worker that sends it, the
topic, and the number of a table's last event.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any

import psycopg

from regalia.server.ports import LocalBus
from regalia.server.store.postgres import OPTIONS

CHANNEL = "regalia"
MOST_AT_ONCE = 200
RETRY_S = 1.0

log = logging.getLogger("regalia.bus")


class PostgresBus(LocalBus):
    def __init__(self, url: str, worker: str) -> None:
        super().__init__()
        self._url = url
        self._worker = worker
        self._heard: Callable[[str, int], None] = lambda _topic, _seq: None
        self._missed: Callable[[], None] = lambda: None
        self._waiting: dict[str, int] = {}  # topics to tell the others, with the highest number
        self._has_waiting = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    def follow(self, heard: Callable[[str, int], None], missed: Callable[[], None]) -> None:
        self._heard, self._missed = heard, missed

    def publish(self, topic: str, seq: int = -1) -> None:
        self.wake(topic)
        self._waiting[topic] = max(seq, self._waiting.get(topic, -1))
        self._has_waiting.set()

    async def start(self) -> None:
        self._tasks = [asyncio.ensure_future(self._forever(work)) for work in (self._listen, self._tell)]

    async def stop(self) -> None:
        """What waits is a hint: it may be lost."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _forever(self, work: Callable[[psycopg.AsyncConnection[Any]], Any]) -> None:
        """On a connection of its own, and on another one when that ends."""
        while True:
            try:
                async with await psycopg.AsyncConnection.connect(
                    self._url, autocommit=True, **OPTIONS
                ) as connection:
                    await work(connection)
            except psycopg.Error as error:
                log.warning("no hints for a while", extra={"facts": {"error": type(error).__name__}})
            await asyncio.sleep(RETRY_S)

    async def _listen(self, connection: psycopg.AsyncConnection[Any]) -> None:
        await connection.execute(f"LISTEN {CHANNEL}")
        self._missed()
        async for notice in connection.notifies():
            worker, topic, seq = notice.payload.split(" ")
            if worker != self._worker:
                self._heard(topic, int(seq))
                self.wake(topic)

    async def _tell(self, connection: psycopg.AsyncConnection[Any]) -> None:
        await connection.execute("SET synchronous_commit = off")
        while True:
            await self._has_waiting.wait()
            topics = list(self._waiting)[:MOST_AT_ONCE]
            hints = [f"{self._worker} {topic} {self._waiting.pop(topic)}" for topic in topics]
            if not self._waiting:
                self._has_waiting.clear()
            await connection.execute(
                "SELECT pg_notify(%s, hint) FROM unnest(%s::text[]) AS hint", (CHANNEL, hints)
            )
