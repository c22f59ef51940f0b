"""The database's time of day, for all processes alike: a machine whose clock is wrong changes nothing."""

from __future__ import annotations

from collections import deque

from regalia.server.ports import EventStore, SystemTime

SAMPLES = 6  # that count; the one with the shortest way is the best


class DatabaseTime(SystemTime):
    """This machine's steady time, moved to where the database's is. It never jumps back far, and not at all a log's."""

    def __init__(self) -> None:
        self._samples: deque[tuple[int, int]] = deque(
            maxlen=SAMPLES
        )  # the way there and back, the difference
        self._offset_ms = super().wall_ms() - self.steady_ms()

    def wall_ms(self) -> int:
        return self.steady_ms() + self._offset_ms

    async def ask(self, store: EventStore) -> None:
        """Compare with the database."""
        asked = self.steady_ms()
        told = await store.clock_ms()
        answered = self.steady_ms()
        if told is not None:
            self._samples.append((answered - asked, told - (asked + answered) // 2))
            self._offset_ms = min(self._samples)[1]
