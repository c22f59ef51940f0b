"""What is due by itself: bots that must act, clocks that run out."""

from __future__ import annotations

import asyncio
import heapq


class Schedule:
    """Filled by `tables`, emptied by `background`. An entry too many is harmless: it looks again."""

    def __init__(self) -> None:
        self._bots: dict[str, None] = {}  # in order, each once
        self._deadlines: list[tuple[int, str]] = []  # a heap of (steady time, table)
        self._known: dict[str, int] = {}  # the deadline in the heap that counts, per table
        self.bots_changed = asyncio.Event()
        self.deadlines_changed = asyncio.Event()

    def bot(self, table_id: str) -> None:
        self._bots[table_id] = None
        self.bots_changed.set()

    def next_bots(self) -> list[str]:
        waiting = list(self._bots)
        self._bots.clear()
        self.bots_changed.clear()
        return waiting

    def deadline(self, steady_ms: int, table_id: str) -> None:
        if self._known.get(table_id) == steady_ms:
            return
        self._known[table_id] = steady_ms
        heapq.heappush(self._deadlines, (steady_ms, table_id))
        self.deadlines_changed.set()

    def next_deadline(self) -> int | None:
        """The earliest time that still counts."""
        while self._deadlines and self._known.get(self._deadlines[0][1]) != self._deadlines[0][0]:
            heapq.heappop(self._deadlines)
        return self._deadlines[0][0] if self._deadlines else None

    def due(self, steady_ms: int) -> list[str]:
        """The tables whose deadline has come, each told once."""
        due = []
        while (first := self.next_deadline()) is not None and first <= steady_ms:
            table_id = heapq.heappop(self._deadlines)[1]
            del self._known[table_id]
            due.append(table_id)
        return due
