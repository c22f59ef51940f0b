"""How much work goes into a review. Light to import."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Level:
    simulations: int  # for each position
    runs: int  # of the valuation, for each roll
    most_outcomes: int  # of a roll that are all looked at
    samples: int  # of outcomes that are too many


LEVELS = {
    "glance": Level(500, 256, 800, 128),
    "normal": Level(4000, 1024, 6200, 256),
    "deep": Level(40000, 4096, 6200, 1024),
}
