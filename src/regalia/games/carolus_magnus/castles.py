"""The emperor, castles and the end they bring: CM-30, CM-31, CM-50…53, CM-56, CM-60, CM-61."""

from __future__ import annotations

from regalia.core.arrays import Ints
from regalia.core.kernel import kernel
from regalia.games.carolus_magnus.components import FAMILIES, LEAST_PLACES, NONE, SIDE_OF, SIDES
from regalia.games.carolus_magnus.ring import Column, count_places, merge, next_place, previous_place
from regalia.games.carolus_magnus.state import Phase, Reason, State


@kernel
def side_of(state: State, seat: int) -> int:
    """CM-8: with 4 seats a team is one side."""
    return int(SIDE_OF[int(state.seats), int(state.partners), seat])


@kernel
def move_emperor(state: State, steps: int) -> None:
    """CM-30, CM-31: clockwise from place to place; what follows where it stops is automatic."""
    place = int(state.emperor)
    for _ in range(steps):
        place = next_place(state, place)
    state.emperor = place
    side = strongest(state, place)
    if side != NONE and state.owner[place] != side:
        take_place(state, place, side)


@kernel
def strength(state: State, place: int, side: int) -> int:
    """CM-50: knights of the colours that the side controls, and its castles."""
    total = int(state.castles[place]) if state.owner[place] == side else 0
    for colour in range(FAMILIES):
        seat = int(state.control[colour])
        if seat != NONE and side_of(state, seat) == side:
            total += int(state.knights[place, colour])
    return total


@kernel
def read_strengths(state: State, ring: Ints, count: int, strengths: Ints) -> None:
    """CM-50: of each side (column) in each place of a ring that was read (row)."""
    for k in range(count):
        for side in range(len(SIDES)):
            strengths[k, side] = strength(state, ring[k, Column.PLACE], side)


@kernel
def strongest(state: State, place: int) -> int:
    """CM-51: the side stronger than each other, or NONE."""
    best = 0
    winner = NONE
    for side in range(len(SIDES)):
        total = strength(state, place, side)
        if total > best:
            best = total
            winner = side
        elif total == best:
            winner = NONE
    return winner


@kernel
def take_place(state: State, place: int, side: int) -> None:
    """CM-52…54, CM-56, CM-60, CM-61: build or replace; the last castle wins; merge; count the places."""
    wanted = 1
    loser = int(state.owner[place])
    if loser != NONE:
        wanted = int(state.castles[place])
        state.stock[loser] += wanted
    placed = min(wanted, int(state.stock[side]))
    state.stock[side] -= placed
    state.castles[place] = placed
    state.owner[place] = side
    if state.stock[side] == 0:
        end(state, Reason.CASTLES)
        return
    ahead = next_place(state, place)
    if state.owner[ahead] == side:
        place = merge(state, place, ahead)
    behind = previous_place(state, place)
    if state.owner[behind] == side:
        place = merge(state, place, behind)
    state.emperor = place
    if count_places(state) < LEAST_PLACES:
        end(state, Reason.REGIONS)


@kernel
def end(state: State, reason: Reason) -> None:
    state.phase = Phase.OVER
    state.reason = reason
