"""Several independent searches of one position: what everybody can expect there, and how sure that is.

The samples of one tree depend on each other, so an error is never taken from their number: four trees that know nothing
of each other are grown, and the error is how far they differ. Two actions are compared inside each tree, so that what
a tree misjudges in the position itself cancels out.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from math import ceil, log2, sqrt

import numpy as np

from regalia.bots.opponents import Opponent, opponent
from regalia.bots.search import Search
from regalia.core.arrays import Reals, States, Steps
from regalia.core.game import Game
from regalia.core.rng import seeded_rng
from regalia.study.pieces import PIECE_S, Pieces

TREES = 4
STRONGEST = "regent"  # as whom the trees judge
LOOK = 4  # a quarter of the simulations finds the actions worth comparing
MOST_COMPARED = 8
LEAST_EACH = 64  # simulations for each of them: fewer are compared when there are fewer
CLEAR = 2.0  # errors by which an action must be better than the one played to be told from it

Path = tuple[int, ...]  # the steps of an action


def seed_of(game: Game, states: States, looker: int, *more: object) -> int:
    """A seed that depends on what is looked at and by whom, on nothing else."""
    words = repr((game.id, game.rules, looker, *more)).encode()
    return int.from_bytes(hashlib.sha256(words + states.tobytes()).digest()[:4], "big")


def paths_of(game: Game, seen: States, seat: int) -> list[Path]:
    """The actions of a seat, from what it knows: what it may do depends on nothing else."""
    engine = game.engine
    return [tuple(path) for path in engine.paths(engine.redeal(seen, seat, seeded_rng(0)), seat)]


@dataclass(frozen=True)
class Estimate:
    """What each tree says that everybody can expect."""

    by_tree: Reals  # [tree, seat]

    @property
    def share(self) -> Reals:
        mean: Reals = self.by_tree.mean(0)
        return mean

    @property
    def error(self) -> Reals:
        return spread(self.by_tree)


def spread(by_tree: Reals) -> Reals:
    """The standard error of the mean over trees."""
    error: Reals = by_tree.std(0, ddof=1) / sqrt(len(by_tree))
    return error


@dataclass(frozen=True)
class Comparison:
    """The actions of a seat worth comparing, with what each tree says of them."""

    seat: int
    estimates: dict[Path, Estimate]
    samples: dict[Path, int]
    best: Path  # of those sampled most

    def loss(self, played: Path) -> tuple[float, float]:
        """What the seat expects less by this action than by the best, and the error of that."""
        apart = self.estimates[self.best].by_tree[:, self.seat] - self.estimates[played].by_tree[:, self.seat]
        return float(apart.mean()), float(spread(apart[:, None])[0])

    def better(self, played: Path) -> Path:
        """The best action, or the one played where the trees cannot tell the two apart."""
        loss, error = self.loss(played)
        return self.best if loss > CLEAR * error else played


class Trees:
    def __init__(self, game: Game, simulations: int, stop: Steps | None = None) -> None:
        nodes = 1 << max(8, ceil(log2(simulations / TREES + 2)))
        self.game = game
        self.who: Opponent = opponent(game, STRONGEST)
        self.searches = [Search(game, nodes) for _ in range(TREES)]
        self.stop = np.zeros(1, np.uint8) if stop is None else stop

    def begin(self, seen: States, looker: int, first: int, seed: int) -> None:
        """Forget everything; look at a position in which what the looker may not know is blanked."""
        for number, search in enumerate(self.searches):
            search.begin(seed * TREES + number)
            search.look_on(seen, looker, first)

    def expect(self, simulations: int, opening: Path = ()) -> Pieces[Estimate]:
        """What everybody can expect, after this action if one is given."""
        each = max(1, simulations // TREES)
        found = []
        for search in self.searches:
            found.append((yield from search.sample(each, self.who, opening, self.stop, PIECE_S)))
            yield
        return Estimate(np.array(found))

    def compare(self, seen: States, seat: int, played: Path | None, simulations: int) -> Pieces[Comparison]:
        """The actions of a seat, by sequential halving: the better half of them is looked at again and again.

        The one played stays to the end, so that it and the best have equal samples.
        """
        yield from self.expect(simulations // LOOK)
        left = simulations - simulations // LOOK
        most = max(2, min(MOST_COMPARED, left // LEAST_EACH))
        pool = self.likely(seen, seat)[:most]
        if played is not None and played not in pool:
            pool.append(played)
        rounds = max(1, ceil(log2(len(pool))))
        totals = {path: np.zeros((TREES, self.game.engine.most_seats)) for path in pool}
        samples = dict.fromkeys(pool, 0)
        for turn in range(rounds):
            each = max(1, left // rounds // len(pool) // TREES)
            for path in pool:
                found = yield from self.expect(each * TREES, path)
                totals[path] += each * found.by_tree
                samples[path] += each
            pool.sort(key=lambda path: -float(totals[path][:, seat].sum()) / samples[path])
            if turn < rounds - 1:
                pool = [
                    path for place, path in enumerate(pool) if place < (len(pool) + 1) // 2 or path == played
                ]
        estimates = {path: Estimate(total / samples[path]) for path, total in totals.items()}
        return Comparison(seat, estimates, {path: count * TREES for path, count in samples.items()}, pool[0])

    def likely(self, seen: States, seat: int) -> list[Path]:
        """All actions of a seat, those first that the first tree would most likely come to."""
        engine, search = self.game.engine, self.searches[0]
        world = engine.redeal(seen, seat, seeded_rng(0))
        shares: dict[Path, dict[int, float]] = {}

        def share_of(before: Path, step: int) -> float:
            if before not in shares:
                now = engine.layout.copy(world)
                for one in before:
                    engine.apply(now, seat, one)
                search.look(engine.seen(now, seat), seat)
                steps = engine.legal(now, seat)
                tried = {candidate.step: candidate.visits for candidate in search.candidates()}
                total = sum(tried.values()) + len(steps)
                shares[before] = {one: (tried.get(one, 0) + 1) / total for one in steps}
            return shares[before][step]

        def likelihood(path: Path) -> float:
            result = 1.0
            for place, step in enumerate(path):
                result *= share_of(path[:place], step)
            return result

        first = search.first
        paths = sorted(paths_of(self.game, seen, seat), key=lambda path: -likelihood(path))
        search.look_on(seen, seat, first)
        return paths
