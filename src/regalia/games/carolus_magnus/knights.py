"""Knights: into play, control of families, dice and the supply: CM-7, CM-20, CM-40…47."""

from __future__ import annotations

from regalia.core.kernel import kernel
from regalia.games.carolus_magnus.components import COURT, CROWN, FAMILIES, NONE, SERVICE
from regalia.games.carolus_magnus.state import Phase, State


@kernel
def bring_knight(state: State, seat: int, colour: int, target: int) -> None:
    """CM-20: from the reserve into the own court or into a place; after the last one the emperor moves."""
    state.reserves[seat, colour] -= 1
    if target == COURT:
        enter_court(state, seat, colour)
    else:
        state.knights[target, colour] += 1
    state.brought = 1
    state.due -= 1
    if state.due == 0:
        state.phase = Phase.EMPEROR


@kernel
def enter_court(state: State, seat: int, colour: int) -> None:
    """CM-45…47: more knights than the controller, or the first of all, give control."""
    state.courts[seat, colour] += 1
    holder = int(state.control[colour])
    if holder == NONE or state.courts[seat, colour] > state.courts[holder, colour]:
        state.control[colour] = seat


@kernel
def start_action(state: State) -> None:
    """CM-20: as many knights as asked for, or all in the reserve; with none the emperor moves at once."""
    seat = int(state.order[state.at])
    held = 0
    for colour in range(FAMILIES):
        held += int(state.reserves[seat, colour])
    state.due = min(held, int(SERVICE[state.seats]))
    state.phase = Phase.KNIGHTS if held > 0 else Phase.EMPEROR


@kernel
def start_dice(state: State, dice: int) -> None:
    """CM-7, CM-40."""
    state.due = dice
    state.phase = Phase.DICE


@kernel
def serve_die(state: State, face: int) -> None:
    """CM-40…42: a coloured die brings a knight at once; if none is to be had it waits as a crown does."""
    state.due -= 1
    if face == CROWN or not can_take(state, face):
        state.crowns += 1
    else:
        take_knight(state, face)


@kernel
def take_knight(state: State, colour: int) -> None:
    """CM-40, CM-41: from the supply to the reserve of the one in turn; an empty supply is refilled first."""
    if state.supply[colour] == 0:
        back = fewest_in_court(state, colour)
        for seat in range(int(state.seats)):
            state.courts[seat, colour] -= back
        state.supply[colour] = back * int(state.seats)
    state.supply[colour] -= 1
    state.reserves[int(state.order[state.at]), colour] += 1


@kernel
def can_take(state: State, colour: int) -> bool:
    """CM-41: a knight is in the supply, or the courts can refill it."""
    return state.supply[colour] > 0 or fewest_in_court(state, colour) > 0


@kernel
def fewest_in_court(state: State, colour: int) -> int:
    fewest = int(state.courts[0, colour])
    for seat in range(1, int(state.seats)):
        fewest = min(fewest, int(state.courts[seat, colour]))
    return fewest


@kernel
def await_crown(state: State) -> bool:
    """CM-40, CM-42: whether a crown is to be decided now; when no colour is to be had, nothing is taken."""
    if state.crowns > 0:
        for colour in range(FAMILIES):
            if can_take(state, colour):
                state.phase = Phase.CROWN
                return True
        state.crowns = 0
    return False
