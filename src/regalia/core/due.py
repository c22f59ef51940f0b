"""What chance owes a match whose dice or cards people roll and deal themselves.

Outcomes that come together are typed together: the dice of one roll, the cards of a deal. Which those are follows from
the rules: they go on while phase and roller are the same.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from regalia.core.arrays import States
from regalia.core.engine import Engine
from regalia.core.errors import NotationError
from regalia.core.game import CHANCE


@dataclass(frozen=True)
class Due:
    """The outcomes that are to be typed next."""

    phase: str
    seat: int | None  # whose roll it is; None: nobody's, as in a set-up
    count: int
    most: Mapping[str, int] = field(default_factory=dict)  # how often each can be among them; {}: secret
    shares: Mapping[int, int] = field(
        default_factory=dict
    )  # secret: how many each seat gets to see, and no other


def due(engine: Engine, states: States) -> Due | None:
    """None while a seat owes a decision, and when the match is over."""
    if engine.actors(states) != (CHANCE,):
        return None
    kind = kind_of(engine, states)
    if kind.is_secret:
        shares = dict.fromkeys(range(int(states["seats"][0])), 0)
        ahead = engine.layout.copy(states)
        while goes_on(engine, ahead, kind):
            shares[receiver(engine, ahead)] += 1
            engine.apply(ahead, CHANCE, engine.outcome(ahead, 0))
        return Due(kind.phase, None, sum(shares.values()), shares=shares)
    count = repeats(engine, states, None)
    most = {
        engine.notation.write_outcome(step, states[0]): repeats(engine, states, step)
        for step in engine.odds(states).nonzero()[0].tolist()
    }
    return Due(kind.phase, kind.seat, count, most)


@dataclass(frozen=True)
class Kind:
    """What is the same for outcomes that come together."""

    phase: str
    seat: int | None
    is_secret: bool


def kind_of(engine: Engine, states: States) -> Kind:
    phase = engine.phases[int(states["phase"][0])]
    is_secret = engine.receiver is not None and engine.receiver(states[0]) is not None
    seat = None if is_secret or engine.roller is None else engine.roller(states[0])
    return Kind(phase, seat, is_secret)


def goes_on(engine: Engine, states: States, kind: Kind) -> bool:
    return engine.actors(states) == (CHANCE,) and kind_of(engine, states) == kind


def repeats(engine: Engine, states: States, step: int | None) -> int:
    """How often an outcome (None: any) can come before something else is asked for."""
    kind = kind_of(engine, states)
    ahead = engine.layout.copy(states)
    count = 0
    while goes_on(engine, ahead, kind) and (step is None or engine.odds(ahead)[step]):
        engine.apply(ahead, CHANCE, engine.outcome(ahead, 0) if step is None else step)
        count += 1
    return count


def receiver(engine: Engine, states: States) -> int:
    """Who alone sees the outcome that is due."""
    assert engine.receiver is not None
    seat = engine.receiver(states[0])
    assert seat is not None
    return seat


def arrange(engine: Engine, states: States, hands: Mapping[int, Sequence[str]]) -> list[str]:
    """The outcomes of a secret deal in its order, from what each seat says it got.

    What cannot have been dealt is refused without saying who was wrong: nobody knows that, and it would tell of a hand.
    """
    kind = kind_of(engine, states)
    left = {seat: deque(sorted(texts)) for seat, texts in hands.items()}
    ahead = engine.layout.copy(states)
    texts = []
    while goes_on(engine, ahead, kind):
        hand = left.get(receiver(engine, ahead))
        text = hand.popleft() if hand else ""
        step = engine.notation.read_outcome(text, ahead[0]) if text else -1
        if step < 0 or not engine.odds(ahead)[step]:
            raise NotationError("error.miscounted")
        texts.append(text)
        engine.apply(ahead, CHANCE, step)
    if any(left.values()):
        raise NotationError("error.miscounted")
    return texts
