"""Short and long runs by the game's policy: a cheap, fixed valuation of any position, and the points expected.

The valuation is what the game's evaluation says after a few decisions by the policy, from seeds that do not depend on
what fell. Luck is measured against it (study/luck.py): it needs no more than to be the same for all outcomes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from regalia.bots.opponents import FULL_GAME
from regalia.bots.search import load_knowledge
from regalia.bots.tree import MOST_STEPS, OPEN, evaluate, play_on, share
from regalia.core.algorithms import actors, redeal, score
from regalia.core.arrays import Ints, Reals, Rng, States, Steps
from regalia.core.game import Game
from regalia.core.kernel import bind
from regalia.core.rng import seeded_rng
from regalia.study.pieces import PIECE_S, Pieces

SHORT = 2  # after so many decisions by the policy, and one more, the evaluation judges


class Scratch(NamedTuple):
    """Room to work in."""

    state: States  # [1]
    steps: Steps
    odds: Ints
    points: Ints
    ranks: Ints
    values: Reals


def roll_out(
    roots: States,
    runs: int,
    looker: int,
    horizon: int,
    mates: int,
    weights: Reals,
    scratch: Scratch,
    rng: Rng,
    shares: Reals,
    points: Reals,
) -> None:
    """So many runs from each root by the policy; shares[root, seat] and points[root, seat] get their sums.

    What the looker may not know is dealt anew for each run. Points are those of the runs that came to the end.
    """
    state = scratch.state[0]
    values = scratch.values
    for i in range(roots.shape[0]):
        for _ in range(runs):
            scratch.state[0] = roots[i]
            if looker != OPEN:
                redeal(state, looker, rng)
            seats = int(state.seats)
            who = play_on(state, actors(state), horizon, True, weights, scratch.steps, scratch.odds, rng)
            if who != 0:
                evaluate(state, weights, values)
            else:
                score(state, scratch.points, scratch.ranks)
                share(seats, mates, scratch.ranks, values)
                for seat in range(seats):
                    points[i, seat] += scratch.points[seat]
            for seat in range(seats):
                shares[i, seat] += values[seat]


@cache
def kernel_of(game: Game) -> Callable[..., None]:
    known = load_knowledge(game)
    return bind(roll_out, known.names, game.id, *known.folders)


class Rollouts:
    def __init__(self, game: Game, mates: int) -> None:
        engine = game.engine
        self.mates = mates
        self.most_seats = engine.most_seats
        self.weights = load_knowledge(game).weights
        self.kernel: Callable[..., Any] = kernel_of(game)
        self.scratch = Scratch(
            engine.layout.empty(1),
            np.zeros(MOST_STEPS, np.uint8),
            np.zeros(MOST_STEPS, np.int64),
            np.zeros(self.most_seats, np.int64),
            np.zeros(self.most_seats, np.int64),
            np.zeros(self.most_seats),
        )

    def value(self, roots: States, looker: int, runs: int, seed: int) -> Pieces[Reals]:
        """The valuation of each root: [root, seat], the share of the victory."""
        shares, _ = yield from self._run(roots, looker, runs, SHORT, seed)
        return shares

    def points(self, root: States, looker: int, runs: int, seed: int) -> Pieces[Reals]:
        """The final points that each seat can expect."""
        _, points = yield from self._run(root, looker, runs, FULL_GAME, seed)
        mean: Reals = points[0]
        return mean

    def _run(
        self, roots: States, looker: int, runs: int, horizon: int, seed: int
    ) -> Pieces[tuple[Reals, Reals]]:
        """So many runs from each root, root by root; pauses change nothing in what is found."""
        shares, points = np.zeros((2, len(roots), self.most_seats))
        rng = seeded_rng(seed)
        done, size = 0, 1  # runs, as if there were one root after the other
        while done < len(roots) * runs:
            began = perf_counter()
            root, run = divmod(done, runs)
            if run == 0 and size >= runs:  # whole roots
                first, last, count = root, min(len(roots), root + size // runs), runs
            else:
                first, last, count = root, root + 1, min(size, runs - run)
            self.kernel(
                roots[first:last], count, looker, horizon, self.mates, self.weights, self.scratch, rng,
                shares[first:last], points[first:last],
            )  # fmt: skip
            made = (last - first) * count
            done += made
            size = max(1, min(2 * size, int(made * PIECE_S / max(perf_counter() - began, 1e-6))))
            if done < len(roots) * runs:
                yield
        return shares / runs, points / runs
