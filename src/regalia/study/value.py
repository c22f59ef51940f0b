"""What a position is worth to each side: the share of the victory that it can expect.

    regalia.value(match)                       what everybody sees of it
    regalia.value(match, 1)                    as seat 1 knows it
    regalia.value(match, regalia.EVERYTHING)   with every card open, once the match is over

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
from regalia.core.layout import NO_SEAT
from regalia.core.match import Match
from regalia.core.viewers import EVERYTHING, SPECTATOR, Viewer
from regalia.study.estimates import TREES, Comparison, Estimate, Trees, paths_of
from regalia.study.pieces import Pieces, finish
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
    viewer: Viewer = SPECTATOR,
    simulations: int = DEFAULT,
    seed: int | None = None,
    stop: Steps | None = None,
) -> Value:
    """What each side can expect here, from what the viewer knows; EVERYTHING of a finished match alone.

    Raising the flag (stop[0] = 1) ends it at once with what is known so far.
    """
    check_budget(None, simulations)
    if viewer is EVERYTHING and not match.is_over:
        raise SetupError("study.error.running")
    seen, looker = match.seen(viewer), looker_of(match.game, viewer)
    values = Valuation(match.game, sides_of(match), simulations, stop)
    return finish(values.at(seen, looker, secrets.randbits(32) if seed is None else seed))


def looker_of(game: Game, viewer: Viewer) -> int:
    """Who looks, as a search knows them: a seat, NO_SEAT, or OPEN where nothing is hidden from them."""
    if viewer is EVERYTHING or not game.engine.layout.hidden:
        return OPEN
    return viewer if isinstance(viewer, int) else NO_SEAT


class Valuation:
    """Values of positions of one table, with so many simulations each."""

    def __init__(self, game: Game, sides: Sides, simulations: int, stop: Steps | None = None) -> None:
        self.game = game
        self.sides = sides
        self.simulations = simulations
        self.trees = Trees(game, simulations, stop)
        self.rollouts = Rollouts(game, sides.mates)
        self.exact: Any = game.part("study.exact")

    def at(self, seen: States, looker: int, seed: int) -> Pieces[Value]:
        """Of a position in which what the looker may not know is blanked."""
        known = self.known(seen)
        if known is not None:
            return (yield from self.certain(seen, known, looker, seed))
        decider = self.decider(seen, looker)
        if decider is None:
            estimate = yield from self.estimate(seen, looker, seed)
            return (yield from self.worded(seen, looker, seed, estimate, ()))
        comparison = yield from self.compare(seen, decider, None, seed)
        lines = self.lines(seen, comparison)
        estimate = comparison.estimates[comparison.best]
        return (yield from self.worded(seen, looker, seed, estimate, lines))

    def worded(
        self, seen: States, looker: int, seed: int, estimate: Estimate, lines: tuple[Line, ...]
    ) -> Pieces[Value]:
        share, error = self.sides.of(estimate.share), self.sides.of(estimate.error)
        points = yield from self.points(seen, looker, seed)
        return Value(share, error, points, False, self.simulations, lines)

    def certain(self, seen: States, share: Shares, looker: int, seed: int) -> Pieces[Value]:
        points = yield from self.points(seen, looker, seed)
        return Value(share, (0.0,) * len(share), points, True, 0)

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

    def compare(
        self, seen: States, seat: int, played: tuple[int, ...] | None, seed: int
    ) -> Pieces[Comparison]:
        """The actions of a seat, from its own knowledge; exactly, where the game can work out what follows each."""
        exact = None if self.known(seen) is None else self.compare_exactly(seen, seat)
        if exact is not None:
            return exact
        self.trees.begin(seen, seat, 1 << seat, seed)
        return (yield from self.trees.compare(seen, seat, played, self.simulations))

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

    def estimate(self, seen: States, looker: int, seed: int) -> Pieces[Estimate]:
        first = sum(1 << actor for actor in self.game.engine.actors(seen))
        self.trees.begin(seen, looker, first, seed)
        return (yield from self.trees.expect(self.simulations))

    def points(self, seen: States, looker: int, seed: int) -> Pieces[Shares]:
        if not self.game.engine.actors(seen):
            return self.sides.of(self.game.engine.score(seen)[1])
        runs = max(FEWEST_RUNS, min(MOST_RUNS, self.simulations // RUNS_PER_SIMULATION))
        return self.sides.of((yield from self.rollouts.points(seen, looker, runs, seed)))

    # --- Lines ---

    def lines(self, seen: States, comparison: Comparison, most: int | None = None) -> tuple[Line, ...]:
        """The actions compared, the best and then those looked at longest first."""
        seat, estimates = comparison.seat, comparison.estimates
        order = sorted(
            estimates,
            key=lambda path: (
                path != comparison.best,
                -comparison.samples[path],
                -float(estimates[path].share[seat]),
            ),
        )
        return tuple(
            Line(
                self.game.engine.notation.write(list(path), seen[0], seat),
                self.sides.of(estimates[path].share),
                self.sides.of(estimates[path].error),
                comparison.samples[path],
                self.replies(seen, seat, path),
            )
            for path in order[:most]
        )

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
