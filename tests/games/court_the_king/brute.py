"""The odds of a turn by brute force: every action of the oracle at every moment, for small turns only."""

from __future__ import annotations

import importlib.util
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

Moment = tuple[int, int, tuple[int, ...], tuple[int, ...], bool, tuple[str, ...]]


@cache
def oracle() -> ModuleType:
    spec = importlib.util.spec_from_file_location("court_oracle", Path(__file__).with_name("oracle.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Brute:
    """Best play for one target with some cards, each moment worked out once."""

    def __init__(self, target: str, own: str) -> None:
        self.cost = oracle().COST[target]
        self.own = own.split()
        self.known: dict[Moment, float] = {}

    def start(self, dice: int) -> float:
        return self.odds((dice, 0, (), (), False, ()))

    def odds(self, moment: Moment) -> float:
        """moment: dice in hand, rolling, active, aside, whether one must be set aside, cards used."""
        if moment not in self.known:
            self.known[moment] = self.work_out(moment)
        return self.known[moment]

    def work_out(self, moment: Moment) -> float:
        match = self.match_at(moment)
        (seat,) = match.actors()
        after = [self.after(moment, seat, text) for text in match.actions(seat)]
        return sum(after) / 6 if seat == oracle().CHANCE else max(after)

    def after(self, moment: Moment, seat: int, text: str) -> float:
        match = self.match_at(moment)
        match.play(seat, text)
        if match.phase == "take":
            return float(self.cost(match.aside))
        active, aside = tuple(match.active), tuple(match.aside)
        return self.odds(
            (match.hand, match.rolling, active, aside, match.must_keep, tuple(sorted(match.used)))
        )

    def match_at(self, moment: Moment) -> Any:
        match = oracle().Oracle(2, {})
        match.play(oracle().CHANCE, "seat 0")
        match.owned[0].update(self.own)
        match.hand, match.rolling, active, aside, match.must_keep, used = moment
        match.active, match.aside, match.used = list(active), list(aside), set(used)
        match.phase = "hand" if match.hand else "rolling" if match.rolling else "active"
        return match
