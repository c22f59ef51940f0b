"""What happened in a record, as a viewer may know it.

A game's `effects.py`, where it has one, says what each step did. The record is walked again for that, step by step,
and both states are blanked for the viewer before the game sees them: what an effect tells, the viewer could know.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from regalia.core.arrays import States
from regalia.core.game import CHANCE
from regalia.core.layout import UNKNOWN
from regalia.core.transcript import HIDDEN, Record
from regalia.core.viewers import Viewer

if TYPE_CHECKING:
    from regalia.core.engine import Engine


def tag_of(name: str) -> str:
    """CrownMoved → crown_moved."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


class Effect(Struct, frozen=True, tag=tag_of):
    """One thing that a step did. As data it has a `type`."""


def effects_of(engine: Engine, states: States, record: Record, viewer: Viewer) -> tuple[Effect, ...]:
    """What the steps of a record did, `states` being where it began; () in a game that does not tell."""
    if engine.effects is None:
        return ()
    return tuple(effect for step in walk(engine, states, record, viewer) for effect in engine.effects(*step))


def walk(
    engine: Engine, states: States, record: Record, viewer: Viewer
) -> Iterator[tuple[Any, int, int, Any]]:
    """Each step of a record: the state before it, the seat, the step, and the state after it, as the viewer sees them.

    An action that the viewer may not read is one step, UNKNOWN: how many it has could tell what it is.
    """
    now = engine.layout.copy(states)
    before = engine.seen(now, viewer)[0]
    shown = record.seen_by(viewer)
    if record.seat is not None:
        steps = engine.notation.read(record.action, engine.seen(now, record.seat)[0], record.seat)
        is_hidden = shown.action == HIDDEN
        for part in [steps] if is_hidden else [[step] for step in steps]:
            for step in part:
                engine.apply(now, record.seat, step)
            after = engine.seen(now, viewer)[0]
            yield before, record.seat, UNKNOWN if is_hidden else part[0], after
            before = after
    for text, readable in zip(record.outcomes, shown.outcomes, strict=True):
        step = engine.notation.read_outcome(text, now[0])
        engine.apply(now, CHANCE, step)
        after = engine.seen(now, viewer)[0]
        yield before, CHANCE, UNKNOWN if readable == HIDDEN else step, after
        before = after
