"""One row of the benchmark: a figure of ours, what it is measured against in the same run, and their ratio."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

ROUNDS = 5  # a figure alone is the best of so many: other work on the machine only ever makes a run slower
QUICK_ROUNDS = 20  # where one takes a moment only


@dataclass(frozen=True)
class Row:
    name: str
    ours: float
    peer: float | None
    ratio: float | None
    unit: str
    against: str

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def compare(name: str, ours: Callable[[], float], peer: Callable[[], float], unit: str, against: str) -> Row:
    """Both figures (higher is better) measured in turn; of these pairs the one with the middle ratio.

    The best of each would compare a quiet moment of the machine with another one's.
    """
    pairs = sorted(((ours(), peer()) for _ in range(ROUNDS)), key=lambda pair: pair[0] / pair[1])
    mine, other = pairs[len(pairs) // 2]
    return Row(name, mine, other, mine / other, unit, against)


def alone(
    name: str, ours: Callable[[], float], unit: str, against: str, *, most: bool = True, rounds: int = ROUNDS
) -> Row:
    """A figure without a peer: the best of several runs, the highest or the lowest."""
    figures = [ours() for _ in range(rounds)]
    return Row(name, max(figures) if most else min(figures), None, None, unit, against)


def per_second(work: Callable[[], int], clock: Callable[[], float] = time.process_time) -> float:
    """How much of something is done in a second: of our own time, so that neighbours on the machine count little."""
    start = clock()
    done = work()
    return done / (clock() - start)
