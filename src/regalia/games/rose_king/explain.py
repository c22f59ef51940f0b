"""Which clause of The Rose King refuses a step, and how the words say so."""

from __future__ import annotations

from regalia.games.rose_king.components import DRAW, HERO, NONE, OFF, TARGETS
from regalia.games.rose_king.state import Reason, State


def refuse(state: State, seat: int, step: int) -> str:
    if step == DRAW:
        return "RK-30"
    card = step % HERO
    if card not in state.hands[seat, : state.held[seat]]:
        return "RK-25"
    target = TARGETS[state.crown, card]
    if target == OFF:
        return "RK-21"
    if step < HERO:
        return "RK-22"
    if state.stones[target] in (NONE, seat):
        return "RK-41"
    return "RK-42"


def out_of_turn(state: State) -> str:
    return "RK-10"


def over(state: State) -> str:
    return "RK-50" if state.reason == Reason.STONES else "RK-51"
