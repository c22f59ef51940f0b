"""The texts of Carolus Magnus: `disc 3`, `red>court`, `red>7`, `move 2`, `take blue`; and chance."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NoReturn

from regalia.core.errors import IllegalAction, NotationError
from regalia.games.carolus_magnus.components import (
    COLOURS,
    COURT,
    DISC,
    DISCS,
    MOVE,
    PROVINCES,
    TAKE,
    TARGETS,
)
from regalia.games.carolus_magnus.ring import count_places
from regalia.games.carolus_magnus.state import Phase, State

KNIGHT = re.compile(r"([a-z]+) ?> ?(court|[0-9]{1,3})")
ORDER = re.compile(r"(disc|move) ([0-9]{1,3})")
CHOICE = re.compile(r"take ([a-z]+)")
FACES = (*COLOURS, "crown")


def read(text: str, state: State, seat: int) -> list[int]:
    """What is not in the box (a sixth disc, province 16) is refused with the clause that says so."""
    word = text.casefold()
    if knight := KNIGHT.fullmatch(word):
        return [read_colour(knight[1], text) * TARGETS + read_target(knight[2], state, text)]
    if choice := CHOICE.fullmatch(word):
        return [TAKE + read_colour(choice[1], text)]
    if (order := ORDER.fullmatch(word)) is None:
        raise NotationError("carolus_magnus.unread", action=text[:40])
    number = int(order[2])
    if not 1 <= number <= DISCS:
        refuse("CM-6" if order[1] == "disc" else "CM-30", text)
    return [DISC + number - 1 if order[1] == "disc" else MOVE + read_distance(number, state, seat) - 1]


def read_colour(name: str, text: str) -> int:
    if name not in COLOURS:
        refuse("CM-2", text)
    return COLOURS.index(name)


def read_target(name: str, state: State, text: str) -> int:
    """CM-1: the court, or the place that holds a province."""
    if name == "court":
        return COURT
    if not 1 <= int(name) <= PROVINCES:
        refuse("CM-1", text)
    return int(state.place[int(name) - 1])


def read_distance(number: int, state: State, seat: int) -> int:
    """CM-30: what goes beyond a whole turn, and no farther than the disc, is read as the shorter way."""
    return (number - 1) % count_places(state) + 1 if number <= state.discs[seat] else number


def refuse(clause: str, text: str) -> NoReturn:
    raise IllegalAction(f"carolus_magnus.refused.{clause}", clause, action=text[:40])


def write(steps: Sequence[int], state: State, seat: int) -> str:
    (step,) = steps
    if step < DISC:
        target = step % TARGETS
        return f"{COLOURS[step // TARGETS]}>{'court' if target == COURT else target + 1}"
    if step < MOVE:
        return f"disc {step - DISC + 1}"
    return f"move {step - MOVE + 1}" if step < TAKE else f"take {COLOURS[step - TAKE]}"


def read_outcome(text: str, state: State) -> int:
    word = text.casefold()
    if state.phase in (Phase.SPREAD, Phase.DICE):
        if word in FACES:
            return FACES.index(word)
    else:
        name, first = ("province", 1) if state.phase == Phase.ARRIVAL else ("seat", 0)
        number = re.fullmatch(name + r" ([0-9]{1,2})", word)
        if number and int(number[1]) >= first:
            return int(number[1]) - first
    raise NotationError("error.outcome", outcome=text[:40])


def write_outcome(step: int, state: State) -> str:
    phase = int(state.phase)
    if phase == Phase.ARRIVAL:
        return f"province {step + 1}"
    return f"seat {step}" if phase == Phase.START else FACES[step]
