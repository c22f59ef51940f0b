"""Exact values of small open positions, by going through everything that can happen."""

from __future__ import annotations

import random
from dataclasses import dataclass

from regalia.arena.figures import share_of
from regalia.arena.schedule import sides_of
from regalia.bots.decision import decide
from regalia.bots.opponents import Opponent
from regalia.bots.search import Budget
from regalia.core.arrays import States
from regalia.core.errors import SetupError
from regalia.core.game import CHANCE, Game
from regalia.core.toys import find_toy, start_of_toy, toys_of

NEAR = 1e-6  # a step whose value is this close to the best is as good


class Solver:
    """Shares of the victory when both sides do their best. What was worked out once is kept."""

    def __init__(self, game: Game, seats: int, options: dict[str, str] | None = None) -> None:
        self.game, self.engine = game, game.engine
        self.sides = sides_of(game, seats, game.checked_options(seats, options))
        if max(self.sides) != 1 or self.engine.layout.hidden:
            raise SetupError("bots.error.exact", game=game.id, seats=seats)
        self._known: dict[bytes, float] = {}

    @property
    def states(self) -> int:
        """How many were looked at."""
        return len(self._known)

    def value(self, states: States) -> float:
        """The share of the first seat's side."""
        key = states.tobytes()
        if key not in self._known:
            self._known[key] = self._work_out(states)
        return self._known[key]

    def steps(self, states: States) -> dict[int, float]:
        """What each legal step is worth to the seat that decides."""
        (seat,) = self.engine.actors(states)
        return {
            step: self.value(after) if self.sides[seat] == 0 else 1 - self.value(after)
            for step in self.engine.legal(states, seat)
            for after in [self._after(states, seat, step)]
        }

    def _work_out(self, states: States) -> float:
        engine = self.engine
        actors = engine.actors(states)
        if not actors:
            ranks, _ = engine.score(states)
            return share_of(ranks, self.sides, 0)
        if actors == (CHANCE,):
            odds = engine.odds(states)
            mean = sum(
                int(odds[outcome]) * self.value(self._after(states, CHANCE, outcome))
                for outcome in odds.nonzero()[0].tolist()
            )
            return float(mean / int(odds.sum()))
        best = max(self.steps(states).values())
        return best if self.sides[actors[0]] == 0 else 1 - best

    def _after(self, states: States, seat: int, step: int) -> States:
        after = self.engine.layout.copy(states)
        self.engine.apply(after, seat, step)
        return after


# --- How well a bot decides where the truth is known ---


@dataclass(frozen=True)
class Accuracy:
    """Of decisions in positions with a choice that matters."""

    optimal: float  # the part of them that lost nothing
    loss: float  # of the victory, on the average
    decisions: int


def accuracy(solver: Solver, name: str, who: Opponent, decisions: int = 60, seed: int = 1) -> Accuracy:
    """A bot's decisions along matches of a toy, all seats its own, with slips of others: steps at random in between."""
    engine, rng = solver.engine, random.Random(seed)
    losses: list[float] = []
    states = start_of_toy(solver.game, name)
    while len(losses) < decisions:
        actors = engine.actors(states)
        if not actors:
            states = start_of_toy(solver.game, name)
        elif actors == (CHANCE,):
            odds = engine.odds(states).tolist()
            engine.apply(states, CHANCE, rng.choices(range(len(odds)), odds)[0])
        else:
            losses += judged(solver, states, actors[0], who, rng)
            engine.apply(states, actors[0], rng.choice(engine.legal(states, actors[0])))
    return Accuracy(sum(loss < NEAR for loss in losses) / len(losses), sum(losses) / len(losses), len(losses))


def judged(solver: Solver, states: States, seat: int, who: Opponent, rng: random.Random) -> list[float]:
    """What a bot's decision here loses; nothing is asked where every step is as good, or inside an action."""
    values = solver.steps(states).values()
    if max(values) - min(values) < NEAR or solver.engine.is_inner(states):
        return []
    after = solver.engine.layout.copy(states)
    seen = solver.engine.seen(states, seat)
    for step in decide(
        solver.game, seen, seat, who, rng.randrange(1 << 31), Budget(who.simulations or None)
    ).path:
        solver.engine.apply(after, seat, step)
    value = solver.value(after)
    return [max(0.0, max(values) - (value if solver.sides[seat] == 0 else 1 - value))]


def open_toys(game: Game) -> list[str]:
    return [name for name in toys_of(game) if find_toy(game, name).is_open]
