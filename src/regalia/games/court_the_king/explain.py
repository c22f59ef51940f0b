"""Which clause of To Court the King refuses a step."""

from __future__ import annotations

from collections.abc import Sequence

from regalia.games.court_the_king.components import (
    ADDS,
    DICE,
    FACES,
    PASS,
    POWERED,
    ROLL,
    TAKE,
    USE,
    Character,
)
from regalia.games.court_the_king.powers import dice_in_turn
from regalia.games.court_the_king.rules import queens_owner
from regalia.games.court_the_king.state import Phase, Reason, State

# A text can ask for what no step says (a die that is not there, a seventh pip). It reads as the step REFUSED + the
# number of the clause, which is never legal.
REFUSED = 128


def refuse(state: State, seat: int, step: int) -> str:
    if step >= REFUSED:
        return f"CK-{step - REFUSED}"
    if step == PASS:
        return "CK-73"
    if step >= TAKE:
        return refuse_take(state, seat, step)
    if state.phase == Phase.TAKE:
        return "CK-30" if step == ROLL else "CK-27"
    if step == ROLL:
        return "CK-22"
    if step >= USE:
        return refuse_use(state, step - USE)
    return card_clause(POWERED[state.power])  # a die the power in use cannot take, or a face it cannot give


def refuse_use(state: State, power: int) -> str:
    if not state.ready[power] or (state.in_hand and not ADDS[power]):
        return "CK-25"
    if ADDS[power] and dice_in_turn(state) == DICE:
        return "CK-3"
    return card_clause(POWERED[power])


def refuse_take(state: State, seat: int, step: int) -> str:
    if state.phase != Phase.TAKE:
        return "CK-73" if state.final else "CK-23"
    character = step - TAKE
    if character == Character.CHARLATAN:
        return "CK-34"
    if state.owned[seat, character]:
        return "CK-33" if character == Character.FOOL else "CK-31"
    if not state.display[character]:
        return "CK-71" if character == Character.KING else "CK-35"
    return "CK-70" if character == Character.KING else card_clause(character)


def card_clause(character: int) -> str:
    """CK-50…69: a character's own clause, its cost and its power."""
    return f"CK-{50 + character}"


def absent(state: State, dice: Sequence[int]) -> int:
    """The number of the clause by which these dice cannot be chosen, or 0 if all of them are active."""
    if state.phase == Phase.TAKE:
        return 27
    if state.in_hand:
        return 21
    for face in sorted(set(dice)):
        if not 1 <= face <= FACES or dice.count(face) > state.active[face - 1]:
            return 24 if 1 <= face <= FACES and state.aside[face - 1] else 26
    return 0


def out_of_turn(state: State) -> str:
    return "CK-72" if state.final else "CK-10"


def over(state: State) -> str:
    if state.reason != Reason.KING:
        return "CK-78"
    queen = queens_owner(state)
    kept = state.leader == queen + 1 and not state.results[queen].any()
    return "CK-76" if kept else "CK-77"
