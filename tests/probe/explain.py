"""Which clause of the probe refuses a step."""

from __future__ import annotations

from probe.components import END, MARK, REROLL, STAKE, VALUES
from probe.state import Phase, State


def refuse(state: State, seat: int, step: int) -> str:
    if state.phase == Phase.STAKE:
        return "PB-3" if STAKE <= step < STAKE + VALUES else "PB-2"
    if step < REROLL:
        return "PB-2"
    if state.phase == Phase.PICK:
        return "PB-5"
    if step == REROLL:
        return "PB-5" if state.rerolled else "PB-7"
    if MARK <= step < END and not state.dice[step - MARK]:
        return "PB-8"
    return "PB-6"


def out_of_turn(state: State) -> str:
    return "PB-4"


def over(state: State) -> str:
    return "PB-10"
