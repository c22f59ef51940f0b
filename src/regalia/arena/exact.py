"""Exact values of small open positions, by going through everything that can happen."""

from __future__ import annotations

from regalia.arena.figures import share_of
from regalia.arena.schedule import sides_of
from regalia.core.arrays import States
from regalia.core.errors import SetupError
from regalia.core.game import CHANCE, Game

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
