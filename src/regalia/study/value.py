"""What a position is worth to each side: the share of the victory that it can expect.

    regalia.value(match)                       what everybody sees of it
    regalia.value(match, seat=1)               as seat 1 knows it

Shares are plain shares of the victory, add up to 1 over sides (partners are one side), and have an error unless they
are exact. It may be asked at any position, whoever is due, chance included.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from regalia.bots.choice import check_budget
from regalia.bots.tree import OPEN
from regalia.core.arrays import Reals, States, Steps
from regalia.core.errors import SetupError
from regalia.core.game import CHANCE, Game
from regalia.core.match import Match
from regalia.core.viewers import EVERYTHING
from regalia.study.estimates import TREES, Comparison, Estimate, Trees, paths_of
from regalia.study.rollouts import Rollouts

Shares = tuple[float, ...]  # by side
DEFAULT = 8000
RUNS_PER_SIMULATION = 32  # a run to the end, for the points, to so many simulations
FEWEST_RUNS, MOST_RUNS = 8, 256
MOST_EXACT = 32  # actions that are worked out exactly, each on its own


@dataclass(frozen=True)
class Line:
    """An action that the seat in turn may take."""

    action: str
    share: Shares
    error: Shares
    visits: int
    replies: tuple[str, ...] = ()  # the likeliest answer, where no chance comes first


@dataclass(frozen=True)
class Value:
    share: Shares
    error: Shares  # the standard error of each
    points: Shares  # the final points that each can expect
    exact: bool
    simulations: int
    lines: tuple[Line, ...] = ()  # best first; where one seat decides and its choices are known to who looks


@dataclass(frozen=True)
class Sides:
    """Whose seats win together."""

    seats: tuple[tuple[int, ...], ...]

    def of(self, by_seat: Sequence[float] | Reals) -> Shares:
        return tuple(float(by_seat[side[0]]) for side in self.seats)

    def number(self, seat: int) -> int:
        return next(number for number, side in enumerate(self.seats) if seat in side)

    @property
    def mates(self) -> int:
        return len(self.seats[0])


def sides_of(match: Match) -> Sides:
    return Sides(match.game.sides(match.seats, match.options))


def value(
    match: Match,
    seat: int | None = None,
    simulations: int = DEFAULT,
    seed: int | None = None,
    stop: Steps | None = None,
    *,
    everything: bool = False,
) -> Value:
    """What each side can expect here.

    seat: from its knowledge; None: from what everybody sees. `everything` opens all cards, of a finished match alone.
    Raising the flag (stop[0] = 1) ends it at once with what is known so far.
    """
    check_budget(None, simulations)
    if everything and not match.is_over:
        raise SetupError("study.error.running")
    viewer = EVERYTHING if everything else seat
    seen = match.seen(viewer)
    looker = OPEN if everything or not match.game.engine.layout.hidden else -1 if seat is None else seat
    values = Valuation(match.game, sides_of(match), simulations, stop)
    return values.at(seen, looker, secrets.randbits(32) if seed is None else seed)


class Valuation:
    """Values of positions of one table, with so many simulations each."""

    def __init__(self, game: Game, sides: Sides, simulations: int, stop: Steps | None = None) -> None:
        self.game = game
        self.sides = sides
        self.simulations = simulations
        self.trees = Trees(game, simulations, stop)
        self.rollouts = Rollouts(game, sides.mates)
        self.exact: Any = game.part("study.exact")

    def at(self, seen: States, looker: int, seed: int) -> Value:
        """Of a position in which what the looker may not know is blanked."""
        known = self.known(seen)
        if known is not None:
            return self.certain(seen, known, looker, seed)
        decider = self.decider(seen, looker)
        if decider is None:
            estimate = self.estimate(seen, looker, seed)
            return self.worded(seen, looker, seed, estimate, ())
        comparison = self.compare(seen, decider, None, seed)
        lines = self.lines(seen, comparison)
        return self.worded(seen, looker, seed, comparison.estimates[comparison.best], lines)

    def worded(
        self, seen: States, looker: int, seed: int, estimate: Estimate, lines: tuple[Line, ...]
    ) -> Value:
        share, error = self.sides.of(estimate.share), self.sides.of(estimate.error)
        return Value(share, error, self.points(seen, looker, seed), False, self.simulations, lines)

    def certain(self, seen: States, share: Shares, looker: int, seed: int) -> Value:
        return Value(share, (0.0,) * len(share), self.points(seen, looker, seed), True, 0)

    # --- What is certain ---

    def known(self, seen: States) -> Shares | None:
        """The shares where they are certain: after the end, or where the game can work them out."""
        if not self.game.engine.actors(seen):
            return self.result(seen)
        shares = None if self.exact is None else self.exact.shares(self.game.engine.layout.copy(seen))
        return None if shares is None else self.sides.of(shares)

    def result(self, states: States) -> Shares:
        """One victory, in equal parts if several sides share it."""
        ranks, _ = self.game.engine.score(states)
        winners = [ranks[side[0]] == 1 for side in self.sides.seats]
        return tuple(float(wins) / sum(winners) for wins in winners)

    # --- What is estimated ---

    def decider(self, seen: States, looker: int) -> int | None:
        """The seat that decides, if it is one and the looker knows its choices."""
        engine = self.game.engine
        due = engine.actors(seen)
        if len(due) != 1 or due == (CHANCE,) or (engine.layout.hidden and due[0] != looker):
            return None
        return due[0] if len(paths_of(self.game, seen, due[0])) > 1 else None

    def compare(self, seen: States, seat: int, played: tuple[int, ...] | None, seed: int) -> Comparison:
        """The actions of a seat, from its own knowledge; exactly, where the game can work out what follows each."""
        exact = None if self.known(seen) is None else self.compare_exactly(seen, seat)
        if exact is not None:
            return exact
        self.trees.begin(seen, seat, 1 << seat, seed)
        return self.trees.compare(seen, seat, played, self.simulations)

    def compare_exactly(self, seen: States, seat: int) -> Comparison | None:
        """If what follows each action can be worked out."""
        engine = self.game.engine
        paths = paths_of(self.game, seen, seat)
        if len(paths) > MOST_EXACT:
            return None
        estimates = {}
        for path in paths:
            after = engine.layout.copy(seen)
            for step in path:
                engine.apply(after, seat, step)
            shares = self.known(after)
            if shares is None:
                return None
            by_seat = [shares[self.sides.number(one)] for one in range(sum(map(len, self.sides.seats)))]
            estimates[path] = Estimate(np.array([by_seat] * TREES))
        best = max(paths, key=lambda path: estimates[path].by_tree[0, seat])
        return Comparison(seat, estimates, dict.fromkeys(paths, 0), best)

    def estimate(self, seen: States, looker: int, seed: int) -> Estimate:
        first = sum(1 << actor for actor in self.game.engine.actors(seen))
        self.trees.begin(seen, looker, first, seed)
        return self.trees.expect(self.simulations)

    def points(self, seen: States, looker: int, seed: int) -> Shares:
        if not self.game.engine.actors(seen):
            return self.sides.of(self.game.engine.score(seen)[1])
        runs = max(FEWEST_RUNS, min(MOST_RUNS, self.simulations // RUNS_PER_SIMULATION))
        return self.sides.of(self.rollouts.points(seen, looker, runs, seed))

    # --- Lines ---

    def lines(self, seen: States, comparison: Comparison) -> tuple[Line, ...]:
        seat = comparison.seat
        found = [
            Line(
                self.game.engine.notation.write(list(path), seen[0], seat),
                self.sides.of(estimate.share),
                self.sides.of(estimate.error),
                comparison.samples[path],
                self.replies(seen, seat, path),
            )
            for path, estimate in comparison.estimates.items()
        ]
        side = self.sides.number(seat)
        return tuple(sorted(found, key=lambda line: (-line.visits, -line.share[side])))

    def replies(self, seen: States, seat: int, path: tuple[int, ...]) -> tuple[str, ...]:
        """What the first tree expects next; nothing where secrets or chance come between."""
        engine = self.game.engine
        if engine.layout.hidden:
            return ()
        after = engine.layout.copy(seen)
        for step in path:
            engine.apply(after, seat, step)
        due = engine.actors(after)
        if len(due) != 1 or due[0] == CHANCE:
            return ()
        search = self.trees.searches[0]
        reply: list[int] = []
        before = engine.layout.copy(after)
        while not reply or engine.is_inner(after):
            search.look(after, due[0])
            candidates = search.candidates()
            if not candidates:
                return ()
            reply.append(candidates[0].step)
            engine.apply(after, due[0], reply[-1])
        return (engine.notation.write(reply, before[0], due[0]),)


def rounded(numbers: Sequence[float]) -> list[float]:
    """For people and files."""
    return [round(float(number), 6) for number in np.asarray(numbers)]
