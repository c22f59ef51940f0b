"""Luck: what a roll, draw or deal brought each side, against the mean of all that could have come.

    luck = valuation after what fell - the sum over all outcomes of odds x valuation after them

Both sides of that use one valuation (study/rollouts.py) with seeds that do not depend on what fell. So luck has mean 0
whatever the valuation is worth: one that judges badly makes the figures less telling, never unfair.

Outcomes are taken as people see them, a whole roll or a whole deal, and all are looked at with their exact odds, or a
sample of them where there are too many.
"""

from __future__ import annotations

import numpy as np

from regalia.core.arrays import Reals, Rng, States
from regalia.core.engine import Engine
from regalia.core.game import CHANCE, Game
from regalia.core.rng import below, seeded_rng
from regalia.study.estimates import seed_of
from regalia.study.history import Event
from regalia.study.levels import Level
from regalia.study.pieces import Pieces
from regalia.study.rollouts import Rollouts
from regalia.study.value import Shares, Sides

AT_ONCE = 64  # positions looked at before a pause


class Luck:
    def __init__(self, game: Game, sides: Sides, rollouts: Rollouts, work: Level) -> None:
        self.game = game
        self.sides = sides
        self.rollouts = rollouts
        self.work = work  # so many runs of the valuation after what fell, and over all that could have

    def of(self, event: Event, looker: int) -> Pieces[Shares]:
        """By side; it adds up to 0."""
        seed = seed_of(self.game, event.before, looker, "luck")
        ends, odds = yield from self.outcomes(event, looker, seed)
        runs = max(1, self.work.runs // len(odds))
        mean = odds @ (yield from self.rollouts.value(ends, looker, runs, seed + 1))
        fell = yield from self.rollouts.value(event.after, looker, self.work.runs, seed + 2)
        return self.sides.of(fell[0] - mean)

    def outcomes(self, event: Event, looker: int, seed: int) -> Pieces[tuple[States, Reals]]:
        """The positions an event could have led to, with their odds."""
        engine = self.game.engine
        found = None
        if not event.is_hidden:
            found = yield from all_outcomes(engine, event.before, self.work.most_outcomes)
        if found is None:
            found = yield from some_outcomes(engine, event.before, looker, seed, self.work.samples)
        ends, odds = found
        if looker >= 0:
            ends = engine.layout.load(b"".join(engine.layout.hide(end.tobytes(), looker) for end in ends))
        return ends, odds


def fall(engine: Engine, states: States, rng: Rng) -> int:
    """Let an event happen; returns how many draws it took."""
    phase, draws = int(states["phase"][0]), 0
    while int(states["phase"][0]) == phase and engine.actors(states) == (CHANCE,):
        draw = below(rng, int(engine.odds(states).sum()))
        engine.apply(states, CHANCE, engine.outcome(states, draw))
        draws += 1
    return draws


def all_outcomes(engine: Engine, before: States, most: int) -> Pieces[tuple[States, Reals] | None]:
    """Draw by draw, positions that are alike taken together; None if there are too many."""
    phase = int(before["phase"][0])
    open_ones: dict[bytes, float] = {before.tobytes(): 1.0}
    ended: dict[bytes, float] = {}
    while open_ones:
        following: dict[bytes, float] = {}
        for number, (state, share) in enumerate(open_ones.items()):
            if number % AT_ONCE == AT_ONCE - 1:
                yield
            states = engine.layout.load(state)
            odds = engine.odds(states)
            total = int(odds.sum())
            for step in np.flatnonzero(odds).tolist():
                after = engine.layout.load(state)
                engine.apply(after, CHANCE, step)
                is_open = int(after["phase"][0]) == phase and engine.actors(after) == (CHANCE,)
                kept = following if is_open else ended
                key = after.tobytes()
                kept[key] = kept.get(key, 0.0) + share * int(odds[step]) / total
        if len(following) + len(ended) > most:
            return None
        open_ones = following
    return engine.layout.load(b"".join(ended)), np.array(list(ended.values()))


def some_outcomes(
    engine: Engine, before: States, looker: int, seed: int, samples: int
) -> Pieces[tuple[States, Reals]]:
    """A sample of them, each from a world that the looker could believe."""
    rng = seeded_rng(seed)
    ends = engine.layout.empty(samples)
    for number in range(samples):
        states = engine.layout.copy(before) if looker < 0 else engine.redeal(before, looker, rng)
        fall(engine, states, rng)
        ends[number] = states[0]
        if number % AT_ONCE == AT_ONCE - 1:
            yield
    return ends, np.full(samples, 1 / samples)
