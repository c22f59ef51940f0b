"""Thinking time. Counted on the steady clock; a jump of the time of day changes nothing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from regalia.server.model.values import Tempo, TimeControl


@dataclass(frozen=True)
class Now:
    """The time of a decision, and who is not there for it."""

    steady_ms: int  # never jumps, of no particular beginning
    wall_ms: int = 0  # the time of day, which may jump
    away: frozenset[str] = frozenset()  # players gone for long while a decision of theirs is awaited


class Outages:
    """When nobody could play, since nothing served: no clock counts then."""

    def __init__(self, *gaps: tuple[int, int]) -> None:
        self._gaps: list[tuple[int, int]] = []  # from and to, wall time, in order of their ends
        self.add(gaps)

    @property
    def last_ms(self) -> int:
        """The end of the last one."""
        return self._gaps[-1][1] if self._gaps else 0

    @property
    def cut_ms(self) -> int:
        """When a copy was last put back: an outage without length, written then. 0: never."""
        return max((end for begin, end in self._gaps if begin == end), default=0)

    def add(self, gaps: Iterable[tuple[int, int]]) -> bool:
        """Is one of them new?"""
        before = len(self._gaps)
        self._gaps += [gap for gap in gaps if gap not in self._gaps]
        self._gaps.sort(key=lambda gap: gap[1])
        return len(self._gaps) > before

    def time_between(self, from_ms: int, to_ms: int) -> int:
        """How long somebody could think between two times of day."""
        away = 0
        done_ms = from_ms
        for gap in sorted(self._gaps):
            begin, end = max(gap[0], done_ms), min(gap[1], to_ms)
            if begin < end:
                away += end - begin
                done_ms = end
        return max(0, to_ms - from_ms - away)


NO_OUTAGES = Outages()


class Timer:
    """The clocks of one table. Several may run at once, where seats choose at once."""

    def __init__(self, control: TimeControl, seats: int) -> None:
        self.control = control
        self._left = [control.reserve_ms] * seats
        self._since = 0
        self.running: tuple[int, ...] = ()

    @property
    def is_on(self) -> bool:
        return self.control.tempo is not Tempo.NONE

    def run(self, running: tuple[int, ...], left: tuple[int, ...], steady_ms: int) -> None:
        """From now on these seats' clocks run, with so much left on each."""
        if left:
            self._left = list(left)
        self.running = running if self.is_on else ()
        self._since = steady_ms

    def left(self, steady_ms: int, acted: int | None = None) -> tuple[int, ...]:
        """What is left on each clock now; a seat that acted gets its increment. Empty without clocks."""
        if not self.is_on:
            return ()
        spent = max(0, steady_ms - self._since)
        left = [ms - spent if seat in self.running else ms for seat, ms in enumerate(self._left)]
        if acted is not None:
            left[acted] += self.control.increment_ms
        return tuple(max(0, ms) for ms in left)

    def taken_back(self, then: tuple[int, ...], seat: int, steady_ms: int) -> tuple[int, ...]:
        """What is left on each clock when a seat takes back the action after which they stood at `then`.

        Its increment goes, the time since is charged to the seat alone, and the others have what they had. May be
        below zero for the seat. Empty without clocks.
        """
        if not self.is_on:
            return ()
        since = max(0, steady_ms - self._since) + max(
            ms - now for ms, now in zip(then, self._left, strict=True)
        )
        left = list(then)
        left[seat] -= self.control.increment_ms + since
        return tuple(left)

    def out_of_time(self, steady_ms: int) -> int | None:
        """A seat whose time has run out."""
        left = self.left(steady_ms)
        return next((seat for seat in self.running if left[seat] == 0), None)

    def deadline(self) -> int | None:
        """The steady time at which the first running clock reaches zero."""
        if not self.running:
            return None
        return self._since + min(self._left[seat] for seat in self.running)
