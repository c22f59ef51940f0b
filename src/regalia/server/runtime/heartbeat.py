"""Signs of life: which processes serve, which of them looks after a table, and when nobody could play.

Every process writes down that it lives. From that each knows the others, and all come to the same answer who should let
a table's bots think and its clocks run out. They may disagree for a moment: then two try, and one append wins. If no
process gave a sign for a while, the gap is an outage, in which no clock counts.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import socket
from typing import Any

from regalia import __version__
from regalia.server.model.clock import Outages
from regalia.server.ports import EventStore, StorageError, TimeSource, Write

BEAT_S = 1.0  # between two signs of life, where others wait for them or a live clock runs
QUIET_S = 30.0  # and else
LATE_MS = 4000  # a sign of life that is so late is missing
REMEMBERED_MS = 100 * 86_400_000  # so far back clocks may ask for outages
DEAD_FOR_MS = 3_600_000  # after so long a process is forgotten

log = logging.getLogger("regalia.heartbeat")


class Heartbeat:
    def __init__(self, store: EventStore, time: TimeSource, worker: str) -> None:
        self.worker = worker
        self.outages = Outages()
        self.is_leaving = False
        self._store = store
        self._time = time
        self._started_ms: int | None = None
        self.interval_s = QUIET_S
        self._beat_at: int | None = None  # the steady time of the last sign of life
        self._alive: tuple[str, ...] = (worker,)
        self._beating = asyncio.Lock()

    @property
    def is_late(self) -> bool:
        """Nobody may know that this process lives, and it does not know what happened meanwhile."""
        if self._beat_at is None:
            return True
        return self._time.steady_ms() - self._beat_at > self.interval_s * 1000 + LATE_MS

    def was_heard_within(self, ms: int) -> bool:
        """Did this process give a sign of life so lately?"""
        return self._beat_at is not None and self._time.steady_ms() - self._beat_at <= ms

    @property
    def alive(self) -> tuple[str, ...]:
        return self._alive

    def is_on_duty(self, table_id: str) -> bool:
        """Should this process look after the table?"""
        if not self._store.is_shared:
            return True
        return not self.is_late and on_duty(self._alive, table_id) == self.worker

    def is_alive(self, worker: str) -> bool:
        return worker in self._alive

    async def beat(self, is_busy: bool) -> bool:
        """Give a sign of life, and look for those of others. Says whether there is an outage that was not known yet.

        `is_busy`: somebody must notice soon if this was the last one.
        """
        async with self._beating:
            rows = await self._store.workers()
            began, now = self._time.steady_ms(), self._time.wall_ms()
            if self._started_ms is None:
                self._started_ms = now
            self.interval_s = BEAT_S if is_busy else QUIET_S
            others = [row for row in rows if row["id"] != self.worker]
            gaps: list[dict[str, Any]] = []
            if not rows:
                if await self._store.waiting():  # of a version without signs of life: nothing is charged
                    gaps = [{"from_ms": 0, "to_ms": now}]
            elif self._store.is_shared or self._beat_at is None:  # else this process was there
                gaps = outage(rows, now)
            forget_before_ms = now - DEAD_FOR_MS if len(others) > 1 else 0
            await self._store.write(
                Write(workers=[self._row(now)], outages=gaps, forget_before_ms=forget_before_ms)
            )
            self._count_alive(others, now)
            known = await self._store.outages(self.outages.last_ms or now - REMEMBERED_MS)
            self._beat_at = began  # only now: until the outages are known no clock may run out
            return self.outages.add(known)

    async def leave(self) -> None:
        """The last sign of life: others look after the tables from now on."""
        self.is_leaving = True
        try:
            await self.beat(is_busy=False)
        except StorageError:  # they will notice
            log.warning("left without a word")

    def _count_alive(self, others: list[dict[str, Any]], now: int) -> None:
        alive = {str(row["id"]) for row in others if not row["is_leaving"] and is_recent(row, now)}
        if not self.is_leaving:
            alive.add(self.worker)
        if self._store.is_shared and alive != set(self._alive):
            log.info("workers", extra={"facts": {"worker": self.worker, "alive": len(alive)}})
        self._alive = tuple(sorted(alive))

    def _row(self, now: int) -> dict[str, Any]:
        promised = 0 if self.is_leaving else round(self.interval_s * 1000)
        return {
            "id": self.worker,
            "host": socket.gethostname(),
            "version": __version__,
            "started_ms": self._started_ms,
            "beat_ms": now,
            "next_ms": now + promised,
            "is_leaving": self.is_leaving,
        }


def is_recent(row: dict[str, Any], now: int) -> bool:
    return bool(now - row["next_ms"] <= LATE_MS)


def outage(rows: list[dict[str, Any]], now: int) -> list[dict[str, Any]]:
    """The time without any sign of life that ends now, if there is one."""
    if any(is_recent(row, now) for row in rows):
        return []
    return [{"from_ms": max(row["beat_ms"] for row in rows), "to_ms": now}]


def on_duty(alive: tuple[str, ...], table_id: str) -> str | None:
    """Which of these processes looks after a table: the same for who knows the same ones, and evenly spread.

    When one comes or goes, only the tables that are its own change hands.
    """
    return max(
        alive, key=lambda worker: hashlib.blake2b(f"{worker} {table_id}".encode()).digest(), default=None
    )
