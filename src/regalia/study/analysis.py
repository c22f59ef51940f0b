"""Thinking about a position for as long as somebody looks at it: better and better values of it and of its actions.

for value in analyse(seen_by(match, viewer), lines=3):
    ...                      None where there is nothing new yet; it may be left at any time
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from regalia.core.arrays import Reals, States
from regalia.core.match import Match
from regalia.core.registry import find
from regalia.core.viewers import Viewer
from regalia.study.estimates import TREES, Comparison, Estimate, Path, seed_of
from regalia.study.value import Sides, Valuation, Value, looker_of, sides_of

NODES = 1 << 14  # of each tree; a longer analysis samples more, and remembers no more
FIRST, LARGEST = 512, 8192  # simulations between two answers
MOST_SIMULATIONS = 1 << 21
MOST_TRIED, FEWEST_TRIED = 8, 3  # actions compared: at first, and later besides those that are shown


@dataclass(frozen=True)
class Seen:
    """A position as somebody knows it, with everything that is needed to think about it."""

    game: str
    sides: tuple[tuple[int, ...], ...]
    looker: int  # a seat, NO_SEAT or OPEN
    state: bytes

    @property
    def digest(self) -> str:
        """Equal positions, looked at alike, have the same."""
        words = repr((self.game, find(self.game).rules, self.sides, self.looker)).encode()
        return hashlib.sha256(words + self.state).hexdigest()


def seen_by(match: Match, viewer: Viewer) -> Seen:
    looker = looker_of(match.game, viewer)
    return Seen(match.game.id, sides_of(match).seats, looker, match.seen(viewer).tobytes())


def analyse(position: Seen, lines: int = 3) -> Iterator[Value | None]:
    """Values of a position, each better than the last, with its best actions where one seat decides."""
    game = find(position.game)
    valuation = Valuation(game, Sides(position.sides), NODES * TREES)
    seen = game.engine.layout.load(position.state)
    seed = seed_of(game, seen, position.looker, "analysis")
    work = Analysis(valuation, seen, position.looker, seed, lines)
    decider = valuation.decider(seen, position.looker)
    known = valuation.known(seen)
    if known is not None:
        value = yield from valuation.certain(seen, known, position.looker, seed)
        exact = None if decider is None else valuation.compare_exactly(seen, decider)
        found = () if exact is None else valuation.lines(seen, exact, lines)
        yield Value(value.share, value.error, value.points, True, 0, found)
    elif decider is None:
        yield from work.expect()
    else:
        yield from work.compare(decider)


class Analysis:
    def __init__(self, valuation: Valuation, seen: States, looker: int, seed: int, lines: int) -> None:
        self.valuation = valuation
        self.trees = valuation.trees
        self.seen = seen
        self.looker = looker
        self.seed = seed
        self.most_lines = lines
        self.simulations = 0

    def expect(self) -> Iterator[Value | None]:
        """Chance or several seats are due: what everybody can expect."""
        points = yield from self.valuation.points(self.seen, self.looker, self.seed)
        first = sum(1 << actor for actor in self.valuation.game.engine.actors(self.seen))
        self.trees.begin(self.seen, self.looker, first, self.seed)
        total = self.nothing()
        size = FIRST
        while self.simulations < MOST_SIMULATIONS:
            found = yield from self.trees.expect(size)
            total += size * found.by_tree
            self.simulations += size
            size = min(LARGEST, 2 * size)
            estimate = Estimate(total / self.simulations)
            of = self.valuation.sides.of
            yield Value(of(estimate.share), of(estimate.error), points, False, self.simulations)

    def compare(self, seat: int) -> Iterator[Value | None]:
        """One seat decides: its likeliest actions at first, then the best of them, and what comes up meanwhile."""
        points = yield from self.valuation.points(self.seen, self.looker, self.seed)
        self.trees.begin(self.seen, seat, 1 << seat, self.seed)
        totals: dict[Path, Reals] = {}
        samples: dict[Path, int] = {}
        size = FIRST
        while self.simulations < MOST_SIMULATIONS:
            yield from self.trees.expect(size // 2)
            likely = self.trees.likely(self.seen, seat)
            yield None
            pool = self.pool(seat, likely, totals, samples)
            each = max(1, size // len(pool) // TREES)
            for path in pool:
                found = yield from self.trees.expect(each * TREES, path)
                totals[path] = totals.get(path, self.nothing()) + each * found.by_tree
                samples[path] = samples.get(path, 0) + each
            self.simulations += size // 2 + each * TREES * len(pool)
            size = min(LARGEST, 2 * size)
            yield self.told(seat, totals, samples, points)

    def pool(
        self, seat: int, likely: list[Path], totals: dict[Path, Reals], samples: dict[Path, int]
    ) -> list[Path]:
        """What to sample next: the best so far, and of those not looked at the likeliest."""
        if not samples:
            return likely[: max(MOST_TRIED, self.most_lines)]
        ranked = sorted(samples, key=lambda path: -float(totals[path][:, seat].sum()) / samples[path])
        kept = ranked[: max(FEWEST_TRIED, self.most_lines)]
        return kept + [path for path in likely[: self.most_lines] if path not in samples]

    def told(
        self, seat: int, totals: dict[Path, Reals], samples: dict[Path, int], points: tuple[float, ...]
    ) -> Value:
        """The actions that were looked at long enough to be compared, best first."""
        most = max(samples.values())
        found = {
            path: Estimate(totals[path] / samples[path]) for path in samples if 4 * samples[path] >= most
        }
        best, *others = sorted(found, key=lambda path: -float(found[path].share[seat]))
        shown = [best, *others[: self.most_lines - 1]]
        told = {path: found[path] for path in shown}
        # Shown by what they promise, not by how long they were looked at.
        comparison = Comparison(seat, told, dict.fromkeys(shown, 0), best)
        lines = tuple(
            replace(line, visits=samples[path] * TREES)
            for path, line in zip(shown, self.valuation.lines(self.seen, comparison), strict=True)
        )
        of = self.valuation.sides.of
        return Value(of(told[best].share), of(told[best].error), points, False, self.simulations, lines)

    def nothing(self) -> Reals:
        return np.zeros((TREES, self.valuation.game.engine.most_seats))
