"""The database's time of day, for all processes alike: a machine whose clock is wrong changes nothing."""

from __future__ import annotations

from collections import deque

from regalia.server.ports import EventStore, SystemTime, TimeSource

SAMPLES = 6  # that count; the one with the shortest way is the best
SURE_MS = 50  # an answer that took so long may be wrong by half of it
MOST_TRIES = 5


class DatabaseTime:
    """This machine's steady time, moved to where the database's is. It never jumps back far, and not at all a log's."""

    def __init__(self, machine: TimeSource | None = None) -> None:
        self._machine = machine or SystemTime()
        self._samples: deque[tuple[int, int]] = deque(
            maxlen=SAMPLES
        )  # the way there and back, the difference
        self._offset_ms = self._machine.wall_ms() - self.steady_ms()

    def wall_ms(self) -> int:
        return self.steady_ms() + self._offset_ms

    def steady_ms(self) -> int:
        return self._machine.steady_ms()

    async def sleep(self, seconds: float) -> None:
        await self._machine.sleep(seconds)

    @property
    def is_sure(self) -> bool:
        """Is the difference known well enough for thinking time?"""
        return bool(self._samples) and min(self._samples)[0] <= SURE_MS

    async def ask(self, store: EventStore) -> None:
        """Compare with the database; again at once, a few times, if its answer took long."""
        for _ in range(MOST_TRIES):
            await self._ask(store)
            if self.is_sure:
                return

    async def _ask(self, store: EventStore) -> None:
        asked = self.steady_ms()
        told = await store.clock_ms()
        answered = self.steady_ms()
        if told is not None:
            self._samples.append((answered - asked, told - (asked + answered) // 2))
            self._offset_ms = min(self._samples)[1]
