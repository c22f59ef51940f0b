"""Who may have the study think about a position now: one analysis a person, and as many as there is room for.

Others wait in the order they came, and are told their place. Who asks anew ends what they asked before.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from typing import Any

from regalia.server.ports import Study, Thought, TimeSource

AT_ONCE = 2  # analyses for each process of the study


@dataclass(eq=False)
class Visit:
    """Somebody who asked, and has not gone."""

    changed: asyncio.Event = field(default_factory=asyncio.Event)  # its place, or whether it goes on
    ended: asyncio.Event = field(default_factory=asyncio.Event)


class Desk:
    def __init__(self, study: Study, time: TimeSource, processes: int) -> None:
        self.study = study
        self.time = time
        self.room = AT_ONCE * max(1, processes)
        self._visits: dict[str, Visit] = {}  # by who asked, in the order they came

    async def think(self, who: str, thought: Thought, seconds: float) -> AsyncGenerator[Any, None]:
        """Places in the queue (1: the next one), then answers; ends after so long, or when the same person asks anew."""
        self.stop(who)
        visit = self._visits[who] = Visit()
        try:
            while not visit.ended.is_set() and (place := self._place(visit)) > 0:
                visit.changed.clear()  # what changes from here on is noticed, also while the place is being told
                yield place
                await visit.changed.wait()
            if visit.ended.is_set():
                return
            end = self.time.steady_ms() + seconds * 1000
            answers = self.study.think(thought)
            try:
                async for answer in answers:
                    if visit.ended.is_set():
                        return
                    yield answer
                    if self.time.steady_ms() >= end:
                        return
            finally:
                await answers.aclose()
        finally:
            if self._visits.get(who) is visit:
                del self._visits[who]
            self._wake()

    def stop(self, who: str) -> None:
        visit = self._visits.pop(who, None)
        if visit is not None:
            visit.ended.set()
            visit.changed.set()

    def close(self) -> None:
        """The server stops: nobody is kept waiting."""
        for who in [*self._visits]:
            self.stop(who)

    def _place(self, visit: Visit) -> int:
        return [*self._visits.values()].index(visit) + 1 - self.room

    def _wake(self) -> None:
        for visit in self._visits.values():
            visit.changed.set()
