"""A turn: moving, placing, favour rolls (LK-10…42)."""

from __future__ import annotations

from regalia.core.kernel import kernel
from regalia.games.long_live_the_king.cards import pay
from regalia.games.long_live_the_king.components import FAVOUR, MAN, NO_ONE, NOWHERE, VOTES
from regalia.games.long_live_the_king.dispute import open_dispute, take_area
from regalia.games.long_live_the_king.state import Phase, State


@kernel
def can_enter(state: State, seat: int, area: int, price: int) -> bool:
    """LK-2, LK-13, LK-41, LK-42: whether a neighbouring area may be entered, after paying so many cards."""
    if int(state.entered) >> area & 1 or (area == MAN and state.seats == 3):
        return False
    owner = 0 + int(state.owner[area])
    return owner in (NO_ONE, seat) or (state.areas[owner] > 1 and state.cards[seat] > price)


@kernel
def move(state: State, seat: int, area: int) -> None:
    """LK-30, LK-36, LK-40: the noble enters; a foreign area is disputed."""
    origin = 0 + int(state.nobles[seat])
    if state.courtiers[origin] == 0:
        state.owner[origin] = NO_ONE
        state.areas[seat] -= 1
    state.nobles[seat] = area
    state.entered = int(state.entered) | 1 << area
    if state.owner[area] == NO_ONE:
        take_area(state, seat, area)
    if state.owner[area] == seat:
        state.phase = Phase.ENTERED
    else:
        open_dispute(state, area, origin)


@kernel
def placing_area(state: State, seat: int) -> int:
    """LK-30, LK-63: where the noble is, or what was disputed."""
    return 0 + int(state.nobles[seat]) if state.disputed == NOWHERE else 0 + int(state.disputed)


@kernel
def can_place(state: State, seat: int) -> bool:
    """LK-30, LK-31: a courtier in the supply, and room for it."""
    area = placing_area(state, seat)
    return bool(state.supply[seat] > 0 and state.courtiers[area] < VOTES[area])


@kernel
def place(state: State, seat: int) -> None:
    """LK-30, LK-63: one courtier from the supply."""
    area = placing_area(state, seat)
    if state.owner[area] == NO_ONE:
        take_area(state, seat, area)
    state.courtiers[area] += 1
    state.supply[seat] -= 1


@kernel
def place_free(state: State, seat: int) -> None:
    """LK-30, LK-32: movement is over."""
    place(state, seat)
    state.placed = 1
    state.phase = Phase.PLACING


@kernel
def ask_favour(state: State, seat: int, value: int, target: int) -> None:
    """LK-20, LK-33: pay, then roll one die: to move on, or (target NOWHERE) for a courtier."""
    pay(state, seat, value)
    state.paid = value + 1
    state.target = target
    state.phase = Phase.DIE


@kernel
def roll_favour(state: State, face: int) -> bool:
    """LK-20, LK-30, LK-33. Returns whether the turn is over: a failure to move on, with the last card."""
    seat = 0 + int(state.active)
    target = 0 + int(state.target)
    succeeded = (face + 1) * int(state.paid) >= FAVOUR
    state.paid = 0
    state.target = NOWHERE
    if target == NOWHERE:
        state.phase = Phase.PLACING
        if succeeded:
            place(state, seat)
    elif succeeded:
        move(state, seat, target)
    else:
        state.phase = Phase.FAILED
        return bool(state.cards[seat] == 0)
    return False
