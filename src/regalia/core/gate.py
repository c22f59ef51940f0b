"""What the gate of a match asks, on states alone: whose turn it is, what an action does, what chance brings.

Nothing here knows a match. A state comes in that may not be written to, or a copy that its caller made for this; what
is not allowed raises, and then the match has not changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from regalia.core.arrays import States
from regalia.core.chance import Chance
from regalia.core.engine import Engine
from regalia.core.errors import IllegalAction, MatchOver, NotationError, NotYourTurn
from regalia.core.game import CHANCE
from regalia.locale import has

MOST_CHARACTERS_OF_AN_ACTION = 2000  # the outcomes of a whole deal included


class Draw(NamedTuple):
    """An outcome of chance, and who may read it (None: everyone)."""

    text: str
    receiver: int | None


def checked_text(action: object) -> str:
    """An action's text with single spaces."""
    if not isinstance(action, str) or not action.strip() or len(action) > MOST_CHARACTERS_OF_AN_ACTION:
        raise NotationError("error.action", action=repr(action)[:40])
    return " ".join(action.split())


def check_turn(engine: Engine, states: States, seat: int, actors: Sequence[int]) -> None:
    """Whether the seat is one of those that owe a decision."""
    if not actors:
        raise MatchOver("error.over", engine.explain.over(states[0]))
    if seat not in actors or isinstance(seat, bool):
        clause = engine.explain.out_of_turn(states[0])
        names = ", ".join("chance" if actor == CHANCE else str(actor) for actor in actors)
        raise NotYourTurn("error.turn", clause, seat=seat, actors=names)


def judge(engine: Engine, states: States, seat: int, action: str) -> tuple[str, States]:
    """The canonical text of a legal action, and the state after it, before any chance."""
    seen = engine.seen(states, seat)[0]
    steps = engine.notation.read(action, seen, seat)
    text = engine.notation.write(steps, seen, seat)
    after = engine.layout.copy(states)
    for count, step in enumerate(steps):
        if count and not engine.is_inner(after):
            raise NotationError("error.action", action=text)
        if step not in engine.legal(after, seat):
            raise refusal(engine, after, seat, step, text)
        engine.apply(after, seat, step)
    if not steps or engine.is_inner(after):
        raise NotationError("error.unfinished", action=text)
    return text, after


def refusal(engine: Engine, states: States, seat: int, step: int, action: str) -> IllegalAction:
    """Why a step is not legal, from what the seat may see; `action` is what it is called."""
    clause = engine.explain.refuse(engine.seen(states, seat)[0], seat, step)
    key = f"{engine.game.id}.refused.{clause}"
    return IllegalAction(key if has(key) else "error.refused", clause, action=action)


def apply_outcomes(engine: Engine, states: States, texts: Sequence[str]) -> list[Draw]:
    """Outcomes as they were, or as they are played by hand; the state is written to."""
    draws = []
    for text in texts:
        if engine.actors(states) != (CHANCE,):
            raise NotationError("error.outcome_surplus", outcome=text[:40])
        step = engine.notation.read_outcome(text, states[0])
        if step >= engine.outcomes or not engine.odds(states)[step]:
            raise NotationError("error.outcome", outcome=text[:40])
        draws.append(apply_outcome(engine, states, step))
    return draws


def draw(engine: Engine, states: States, chance: Chance) -> list[Draw]:
    """Let chance act until a seat owes a decision, unless its outcomes are played by hand; the state is written to."""
    draws = []
    while engine.actors(states) == (CHANCE,):
        phase = engine.phases[int(states["phase"][0])]
        if chance.by_hand == "manual" or (chance.by_hand == "dice" and phase in engine.dice):
            break
        number = chance.source.below(int(engine.odds(states).sum()), phase)
        draws.append(apply_outcome(engine, states, engine.outcome(states, number)))
    return draws


def apply_outcome(engine: Engine, states: States, step: int) -> Draw:
    text = engine.notation.write_outcome(step, states[0])
    receiver = None if engine.receiver is None else engine.receiver(states[0])
    engine.apply(states, CHANCE, step)
    return Draw(text, receiver)
