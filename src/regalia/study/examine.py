"""A review record by record: what is asked about each (`Node`), and what was found (`Finding`).

A node holds all that is needed to judge a record, as the reader may know it, and nothing else. So the same node always
has the same finding, wherever and whenever it is worked out, and a finding may be kept under the node's digest.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace

from regalia.bots.opponents import VERSION
from regalia.core.arrays import States
from regalia.core.match import Match
from regalia.core.registry import find
from regalia.study.decisions import Decision, judge
from regalia.study.estimates import seed_of
from regalia.study.history import Moment, moments_of
from regalia.study.levels import LEVELS
from regalia.study.luck import Luck
from regalia.study.pieces import Pieces
from regalia.study.value import Shares, Sides, Valuation, Value

CURVE = 16  # values by which the whole curve is there
AGAIN = 4  # times the simulations for decisions that may get a mark


@dataclass(frozen=True)
class LuckyEvent:
    ply: int
    text: str
    by_side: Shares


@dataclass(frozen=True)
class Finding:
    """What was found out about a record."""

    value: Value  # before it
    decision: Decision | None = None
    luck: tuple[LuckyEvent, ...] = ()

    def at(self, ply: int) -> Finding:
        """The same, of a record at this place of its match."""
        decision = None if self.decision is None else replace(self.decision, ply=ply)
        return Finding(self.value, decision, tuple(replace(event, ply=ply) for event in self.luck))


@dataclass(frozen=True)
class Node:
    """A record of a match, or its end, as the reader may know it."""

    game: str
    sides: tuple[tuple[int, ...], ...]
    looker: int
    moment: Moment | None  # None: the end
    seen: States

    def digest(self, level: str, closer: bool = False) -> str:
        """Of all that the finding depends on; what judged it (`version`) is kept beside it."""
        words = [repr((self.game, find(self.game).rules, self.sides, self.looker, LEVELS[level], closer))]
        words.append(repr(self.seen.tobytes()))
        if self.moment is not None:
            choice = self.moment.choice
            words.append(repr(self.moment.seat))
            if choice is not None:
                words.append(repr((choice.seen.tobytes(), choice.path, choice.text, choice.is_sealed)))
            words += [
                repr((event.before.tobytes(), event.after.tobytes(), event.text, event.is_hidden))
                for event in self.moment.events
            ]
        return hashlib.sha256("\n".join(words).encode()).hexdigest()


def version() -> int:
    """Of what judges: findings of another version may differ."""
    return VERSION


def nodes_of(match: Match, view: int | None = None) -> Iterator[Node]:
    """The nodes of a finished match, one after the other, and that of its end."""
    for sides, looker, moment, seen in moments_of(match, view):
        yield Node(match.game.id, sides.seats, looker, moment, seen)


def in_halves(count: int) -> list[int]:
    """0 … count - 1, from coarse to fine: the ends, the middle, the quarters, and so on."""
    bits = max(1, (count - 1).bit_length())
    reversed_ = [int(f"{number:0{bits}b}"[::-1], 2) for number in range(1 << bits)]
    order = [count - 1, *(number for number in reversed_ if number < count - 1)]
    return order[:count]


def glimpse(node: Node) -> Iterator[Value | None]:
    """A first value of a node, for the curve."""
    valuation = Valuation(find(node.game), Sides(node.sides), LEVELS["glance"].simulations)
    yield (yield from value_at(node, valuation))


def value_at(node: Node, valuation: Valuation) -> Pieces[Value]:
    """The value alone."""
    game = valuation.game
    seed = seed_of(game, node.seen, node.looker, "value", valuation.simulations)
    known = valuation.known(node.seen)
    if known is not None:
        return (yield from valuation.certain(node.seen, known, node.looker, seed))
    estimate = yield from valuation.estimate(node.seen, node.looker, seed)
    return (yield from valuation.worded(node.seen, node.looker, seed, estimate, ()))


def examine(node: Node, level: str, closer: bool = False) -> Iterator[Finding | None]:
    """What there is to find out about a node; `closer`: its decision again, with more simulations."""
    yield (yield from examined(node, level, closer))


def examined(node: Node, level: str, closer: bool = False) -> Pieces[Finding]:
    work = LEVELS[level]
    game, sides = find(node.game), Sides(node.sides)
    valuation = Valuation(game, sides, work.simulations * (AGAIN if closer else 1))
    moment = node.moment
    if moment is None:
        return Finding((yield from value_at(node, valuation)))
    decision = None
    if moment.choice is not None and moment.seat is not None:
        decision = yield from judge(game, sides, moment.choice, moment.seat, valuation)
    is_seen_alike = not game.engine.layout.hidden or moment.seat == node.looker
    if decision is None or not is_seen_alike or valuation.known(node.seen) is not None:
        value = yield from value_at(node, valuation)
    else:
        seed = seed_of(game, node.seen, node.looker, "value", valuation.simulations)
        points = yield from valuation.points(node.seen, node.looker, seed)
        value = Value(decision.best_share, decision.best_error, points, False, valuation.simulations)
    if closer:
        return Finding(value, decision)
    luck = Luck(game, sides, valuation.rollouts, work)
    found: tuple[LuckyEvent, ...] = ()
    for event in moment.events:
        found += (LuckyEvent(0, event.text, (yield from luck.of(event, node.looker))),)
    return Finding(value, decision, found)
