"""Which clause of Carolus Magnus refuses a step."""

from __future__ import annotations

from regalia.games.carolus_magnus.components import DISC, MOVE, TAKE
from regalia.games.carolus_magnus.state import Phase, Reason, State


def refuse(state: State, seat: int, step: int) -> str:
    if state.phase == Phase.DISC:
        if not DISC <= step < MOVE:
            return "CM-10"
        return "CM-13" if state.used[seat] >> (step - DISC) & 1 else "CM-12"
    if state.phase == Phase.CROWN:
        return "CM-41" if step >= TAKE else draws_for(state)
    if step >= TAKE:
        return "CM-40"
    if DISC <= step < MOVE:
        return "CM-10"
    return "CM-20" if state.phase == Phase.KNIGHTS or step < DISC else "CM-30"


def draws_for(state: State) -> str:
    """The clause by which dice are rolled now."""
    return "CM-7" if state.rounds == 0 else "CM-40"


def out_of_turn(state: State) -> str:
    if state.phase in (Phase.SPREAD, Phase.ARRIVAL):
        return "CM-3" if state.phase == Phase.SPREAD else "CM-4"
    if state.phase == Phase.DISC and state.rounds > 1:
        return "CM-11"
    if state.phase in (Phase.DISC, Phase.START):
        return "CM-10"
    return "CM-7" if state.rounds == 0 else "CM-14"


def over(state: State) -> str:
    return {Reason.CASTLES: "CM-60", Reason.REGIONS: "CM-61"}.get(Reason(int(state.reason)), "CM-64")
