"""The rules of Carolus Magnus: set-up, what is due, and the final reckoning. The chapters are next door:
rounds.py (discs and order), knights.py (play, control, dice, supply), castles.py (emperor, castles, regions).
"""

from __future__ import annotations

import numpy as np

from regalia.core.arrays import Ints, Rng, Steps
from regalia.core.game import CHANCE, CHANCE_BIT
from regalia.core.kernel import kernel
from regalia.games.carolus_magnus.castles import move_emperor, side_of
from regalia.games.carolus_magnus.components import (
    CASTLES,
    COURT,
    CROWN,
    DISC,
    DISCS,
    FAMILIES,
    KNIGHTS,
    MOVE,
    NONE,
    OUTCOMES,
    PROVINCES,
    RESERVE,
    SERVICE,
    SIDES,
    SPREAD,
    STEPS,
    TAKE,
    TARGETS,
)
from regalia.games.carolus_magnus.knights import (
    await_crown,
    bring_knight,
    can_take,
    serve_die,
    start_dice,
    take_knight,
)
from regalia.games.carolus_magnus.ring import COLUMNS, Column, count_places, read_ring
from regalia.games.carolus_magnus.rounds import finish_action, free_discs, lay_disc, start_round
from regalia.games.carolus_magnus.state import Phase, State

__all__ = ["OUTCOMES", "STEPS", "actors", "apply", "draws", "legal", "outcome", "redeal", "score", "setup"]


@kernel
def setup(state: State) -> None:
    """CM-1…6: fifteen places, all knights in the supply, all castles in stock; chance will do the rest."""
    for province in range(PROVINCES):
        state.place[province] = province
    state.owner[:] = NONE
    state.control[:] = NONE
    state.supply[:] = KNIGHTS
    for seat in range(int(state.seats)):
        state.order[seat] = seat
        state.stock[side_of(state, seat)] = CASTLES[state.seats]
    state.due = PROVINCES
    state.phase = Phase.SPREAD


@kernel
def actors(state: State) -> int:
    if state.phase == Phase.OVER:
        return 0
    return 1 << int(state.order[state.at]) if state.phase >= Phase.DISC else CHANCE_BIT


@kernel
def legal(state: State, seat: int, steps: Steps) -> int:
    """CM-12, CM-20, CM-30, CM-41."""
    count = 0
    if state.phase == Phase.KNIGHTS:
        for colour in range(FAMILIES):
            if state.reserves[seat, colour] > 0:
                count = list_targets(state, colour, steps, count)
    elif state.phase == Phase.EMPEROR:
        for far in range(reach(state, seat)):
            steps[far] = MOVE + far
            count += 1
    elif state.phase == Phase.DISC:
        free = free_discs(state, seat)
        for disc in range(DISCS):
            if free >> disc & 1:
                steps[count] = DISC + disc
                count += 1
    else:
        for colour in range(FAMILIES):
            if can_take(state, colour):
                steps[count] = TAKE + colour
                count += 1
    return count


@kernel
def list_targets(state: State, colour: int, steps: Steps, count: int) -> int:
    """CM-20: any place, or the own court. Returns the new count."""
    for place in range(PROVINCES):
        if state.place[place] == place:
            steps[count] = colour * TARGETS + place
            count += 1
    steps[count] = colour * TARGETS + COURT
    return count + 1


@kernel
def reach(state: State, seat: int) -> int:
    """CM-30: the number on the disc, at most a whole turn."""
    return min(int(state.discs[seat]), count_places(state))


@kernel
def draws(state: State) -> int:
    """CM-3 (knights still to be laid out), CM-4, CM-7 and CM-40 (the faces of a die), CM-10."""
    if state.phase == Phase.DICE:
        return CROWN + 1
    if state.phase == Phase.SPREAD:
        return int(state.due)
    return PROVINCES if state.phase == Phase.ARRIVAL else int(state.seats)


@kernel
def outcome(state: State, draw: int) -> int:
    """CM-3: the knights to be laid out, colour by colour; else each outcome is one draw."""
    if state.phase != Phase.SPREAD:
        return draw
    colour = 0
    left = draw - (int(state.supply[0]) - (KNIGHTS - SPREAD))
    while left >= 0:
        colour += 1
        left -= int(state.supply[colour]) - (KNIGHTS - SPREAD)
    return colour


@kernel
def apply(state: State, seat: int, step: int) -> None:
    if seat == CHANCE:
        apply_chance(state, step)
    elif step < DISC:
        bring_knight(state, seat, step // TARGETS, step % TARGETS)
    elif step < MOVE:
        lay_disc(state, seat, step - DISC + 1)
    elif step < TAKE:
        move_emperor(state, step - MOVE + 1)
        if state.phase != Phase.OVER:
            start_dice(state, int(SERVICE[state.seats]))
    else:
        state.crowns -= 1
        take_knight(state, step - TAKE)
        finish_dice(state)


@kernel
def apply_chance(state: State, outcome: int) -> None:
    """CM-3, CM-4, CM-7, CM-10, CM-40."""
    if state.phase == Phase.DICE:
        serve_die(state, outcome)
        if state.due == 0:
            finish_dice(state)
    elif state.phase == Phase.SPREAD:
        state.knights[PROVINCES - int(state.due), outcome] = 1
        state.supply[outcome] -= 1
        state.due -= 1
        if state.due == 0:
            state.phase = Phase.ARRIVAL
    elif state.phase == Phase.ARRIVAL:
        state.emperor = outcome
        start_dice(state, int(RESERVE[state.seats]))
    else:
        for k in range(int(state.seats)):
            state.order[k] = (outcome + k) % int(state.seats)
        start_round(state)


@kernel
def finish_dice(state: State) -> None:
    """CM-7, CM-40: crown by crown, then the next player; in the set-up the next to roll, at last the draw."""
    if await_crown(state):
        return
    if state.rounds > 0:
        finish_action(state)
    elif int(state.at) + 1 < int(state.seats):
        state.at += 1
        start_dice(state, int(RESERVE[state.seats]))
    else:
        state.at = 0
        state.phase = Phase.START


@kernel
def score(state: State, points: Ints, ranks: Ints) -> None:
    """CM-60…63: castles on the table, then colours controlled; a team is one side and shares its rank."""
    ring = np.zeros((PROVINCES, COLUMNS), np.int64)
    built = np.zeros(len(SIDES), np.int64)
    worth = np.zeros(len(SIDES), np.int64)
    for k in range(read_ring(state, ring)):
        if ring[k, Column.OWNER] != NONE:
            built[ring[k, Column.OWNER]] += ring[k, Column.CASTLES]
    for side in range(len(SIDES)):
        worth[side] = built[side] * (FAMILIES + 1)
    for colour in range(FAMILIES):
        if state.control[colour] != NONE:
            worth[side_of(state, int(state.control[colour]))] += 1
    for seat in range(int(state.seats)):
        side = side_of(state, seat)
        points[seat] = built[side]
        ranks[seat] = 1
        for other in range(len(SIDES)):
            ranks[seat] += int(worth[other] > worth[side])


@kernel
def redeal(state: State, seat: int, rng: Rng) -> None:
    """Nothing is hidden: everything a player has is public (CM-6)."""
