"""A round: discs, the order they give, and how one round follows another: CM-10…14, CM-64."""

from __future__ import annotations

from regalia.core.kernel import kernel
from regalia.games.carolus_magnus.castles import end
from regalia.games.carolus_magnus.components import DISCS, MOST_ROUNDS
from regalia.games.carolus_magnus.knights import start_action
from regalia.games.carolus_magnus.state import Phase, Reason, State


@kernel
def free_discs(state: State, seat: int) -> int:
    """CM-12, CM-13: a bit per disc that may be laid: unused, of a number not laid unless all are."""
    taken = 0
    for k in range(int(state.at)):
        taken |= 1 << (int(state.discs[int(state.order[k])]) - 1)
    left = ~int(state.used[seat]) & ((1 << DISCS) - 1)
    return left & ~taken or left


@kernel
def lay_disc(state: State, seat: int, disc: int) -> None:
    """CM-10, CM-13, CM-14: the disc lies open; when all lie, the lowest acts first."""
    state.discs[seat] = disc
    state.used[seat] |= 1 << (disc - 1)
    state.at += 1
    if state.at == state.seats:
        sort_order(state)
        state.at = 0
        start_action(state)


@kernel
def sort_order(state: State) -> None:
    """CM-14: by disc; of equal ones the one laid first stays first."""
    for k in range(1, int(state.seats)):
        seat = int(state.order[k])
        place = k
        while place > 0 and state.discs[int(state.order[place - 1])] > state.discs[seat]:
            state.order[place] = state.order[place - 1]
            place -= 1
        state.order[place] = seat


@kernel
def finish_action(state: State) -> None:
    """CM-14: the next player acts; after the last the round is over."""
    if int(state.at) + 1 < int(state.seats):
        state.at += 1
        start_action(state)
    elif state.brought == 0:
        end(state, Reason.STANDSTILL)
    elif state.rounds == MOST_ROUNDS:
        end(state, Reason.ROUNDS)
    else:
        start_round(state)


@kernel
def start_round(state: State) -> None:
    """CM-11, CM-13: discs are laid in the order of the last actions; after five rounds all come back."""
    if state.rounds % DISCS == 0:
        state.used[:] = 0
    state.rounds += 1
    state.at = 0
    state.brought = 0
    state.discs[:] = 0
    state.phase = Phase.DISC
