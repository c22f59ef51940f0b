"""Disputes: stakes, dice, outcome, reclaiming (LK-50…66)."""

from __future__ import annotations

from regalia.core.kernel import kernel
from regalia.games.long_live_the_king.cards import show, take_back
from regalia.games.long_live_the_king.components import (
    AREAS,
    FACES,
    NO_ONE,
    NOWHERE,
    PIECE,
    SEATS,
    STAKES,
    VALUES,
)
from regalia.games.long_live_the_king.state import Phase, State

# --- Stakes ---


@kernel
def open_dispute(state: State, area: int, origin: int) -> None:
    """LK-50, LK-51: all who hold cards choose at once."""
    state.disputed = area
    state.origin = origin
    state.defender = state.owner[area]
    owing = 0
    seats = 0 + int(state.seats)
    for seat in range(seats):
        if state.cards[seat] > 0:
            owing |= 1 << seat
    state.owing = owing
    state.phase = Phase.STAKES


@kernel
def seal(state: State, seat: int, stake: int) -> None:
    """LK-51: hidden until all have chosen; then everything is shown."""
    state.sealed[seat] = stake + 1
    state.owing = int(state.owing) & ~(1 << seat)
    if state.owing == 0:
        reveal(state)


@kernel
def reveal(state: State) -> None:
    """LK-52: the stakes come from the hands to the table, and the intruder begins to roll."""
    rolling = 0
    seats = 0 + int(state.seats)
    for seat in range(seats):
        state.totals[seat] = addition(state, seat)
        if state.sealed[seat] > 0:
            stake = int(state.sealed[seat]) - 1
            rolling |= 1 << seat
            state.sealed[seat] = 0
            for value in range(VALUES):
                count = 0 + int(STAKES[stake, value])
                state.stakes[seat, value] = count
                show(state, seat, value, count)
    state.owing = rolling
    next_roll(state, 0 + int(state.turn))


@kernel
def staked(state: State, seat: int) -> int:
    return 0 + int(state.stakes[seat, 0]) + int(state.stakes[seat, 1]) + int(state.stakes[seat, 2])


@kernel
def addition(state: State, seat: int) -> int:
    """LK-53: the intruder's noble; the defender's courtiers and noble."""
    if seat == state.turn:
        return PIECE
    if seat != state.defender:
        return 0
    pieces = 0 + int(state.courtiers[int(state.disputed)])
    if state.nobles[seat] == state.disputed:
        pieces += 1
    return PIECE * pieces


# --- Dice ---


@kernel
def next_roll(state: State, start: int) -> None:
    """LK-52: the seat that is the next to roll, clockwise from a seat."""
    seat = start
    while not int(state.owing) >> seat & 1:
        seat = (seat + 1) % int(state.seats)
    state.active = seat
    state.due = staked(state, seat)
    state.phase = Phase.ROLL


@kernel
def roll_die(state: State, face: int) -> None:
    """LK-52: after the last die they are put where they give most, or the player is asked."""
    seat = 0 + int(state.active)
    state.dice[seat, face] += 1
    state.due -= 1
    if state.due > 0:
        return
    if state.dice_by_hand:
        for loose in range(FACES):
            state.loose[loose] = state.dice[seat, loose]
        state.phase = Phase.DICE
    else:
        state.totals[seat] += best_total(state, seat)
        finish_roll(state)


@kernel
def best_total(state: State, seat: int) -> int:
    """LK-52: the highest dice on the highest cards."""
    total = 0
    face = FACES - 1
    left = 0 + int(state.dice[seat, face])
    for value in range(VALUES - 1, -1, -1):
        for _ in range(int(state.stakes[seat, value])):
            while left == 0:
                face -= 1
                left = 0 + int(state.dice[seat, face])
            total += (face + 1) * (value + 1)
            left -= 1
    return total


@kernel
def next_card(state: State) -> tuple[int, int]:
    """LK-52, dice by hand: the value of the next card to put a die on, and how many such are left, it included."""
    seat = 0 + int(state.active)
    place = 0 + int(state.laid)
    value = VALUES - 1
    while place >= int(state.stakes[seat, value]):
        place -= int(state.stakes[seat, value])
        value -= 1
    return value, 0 + int(state.stakes[seat, value]) - place


@kernel
def can_put(state: State, face: int) -> bool:
    """Dice ascend on equal cards, so enough dice at least as high must be left for the others."""
    if face < state.least or state.loose[face] == 0:
        return False
    _, equal = next_card(state)
    high = 0
    for other in range(face, FACES):
        high += int(state.loose[other])
    return high >= equal


@kernel
def put_die(state: State, face: int) -> None:
    """LK-52, dice by hand."""
    seat = 0 + int(state.active)
    value, equal = next_card(state)
    state.totals[seat] += (face + 1) * (value + 1)
    state.loose[face] -= 1
    state.laid += 1
    state.least = face if equal > 1 else 0
    state.phase = Phase.PUTTING
    if state.laid == staked(state, seat):
        state.laid = 0
        finish_roll(state)


@kernel
def finish_roll(state: State) -> None:
    """LK-52, LK-54: the next to roll, or the judgement."""
    seat = 0 + int(state.active)
    state.owing = int(state.owing) & ~(1 << seat)
    if state.owing > 0:
        next_roll(state, seat)
    else:
        judge(state)


@kernel
def judge(state: State) -> None:
    """LK-54: the highest total wins; those who share it roll again, if they have dice."""
    best = 0
    sharing = 0
    winner = NO_ONE
    for seat in range(SEATS):
        total = int(state.totals[seat])
        if total > best:
            best = total
            winner = seat
            sharing = 1 << seat
        elif total == best:
            sharing |= 1 << seat
    if sharing == 1 << winner:
        state.winner = winner
        win(state)
        return
    for seat in range(SEATS):
        if sharing >> seat & 1 and staked(state, seat) > 0:
            state.owing = int(state.owing) | 1 << seat
            for face in range(FACES):
                state.dice[seat, face] = 0
            state.totals[seat] = addition(state, seat)
    next_roll(state, 0 + int(state.turn))


# --- Outcome ---


@kernel
def win(state: State) -> None:
    """LK-61: a beaten defender's courtiers go back, and the area is the intruder's, or nobody's."""
    area = 0 + int(state.disputed)
    defender = 0 + int(state.defender)
    if state.winner != defender:
        state.supply[defender] += state.courtiers[area]
        state.courtiers[area] = 0
        state.areas[defender] -= 1
        state.owner[area] = NO_ONE
        if state.winner == state.turn:
            take_area(state, 0 + int(state.turn), area)
    settle_nobles(state)


@kernel
def take_area(state: State, seat: int, area: int) -> None:
    state.owner[area] = seat
    state.areas[seat] += 1


@kernel
def to_banish(state: State) -> int:
    """LK-60, LK-61: whose noble must go next, the defender's first, or NO_ONE."""
    for seat in (0 + int(state.defender), 0 + int(state.turn)):
        if seat != state.winner and state.nobles[seat] == state.disputed:
            return seat
    return NO_ONE


@kernel
def can_banish_to(state: State, seat: int, area: int) -> bool:
    """LK-62: where the noble's owner has courtiers. (In the disputed area none of theirs are left.)"""
    return bool(state.owner[area] == seat and state.courtiers[area] > 0)


@kernel
def settle_nobles(state: State) -> None:
    """LK-60…63: the winner banishes, then places; an intruder with nowhere to go returns by itself."""
    state.active = state.winner
    seat = to_banish(state)
    if seat != NO_ONE:
        for area in range(AREAS):
            if can_banish_to(state, seat, area):
                state.phase = Phase.BANISH
                return
        state.nobles[seat] = state.origin
        take_area(state, seat, 0 + int(state.origin))  # nobody's: the noble was all its owner had there
    state.phase = Phase.PLACING


@kernel
def banish(state: State, area: int) -> None:
    """LK-62."""
    state.nobles[to_banish(state)] = area
    settle_nobles(state)


# --- Reclaiming ---


@kernel
def can_reclaim(state: State, seat: int) -> bool:
    """LK-64: two cards staked, and a 1 in the last roll."""
    return staked(state, seat) >= 2 and state.dice[seat, 0] > 0


@kernel
def ask_reclaim(state: State, passed: int) -> bool:
    """LK-64: the next who may take cards back, past so many from the intruder on; else the dispute and turn are over."""
    seats = 0 + int(state.seats)
    for k in range(passed, seats):
        seat = (int(state.turn) + k) % seats
        if can_reclaim(state, seat):
            state.active = seat
            state.phase = Phase.RECLAIM
            return False
    close_dispute(state)
    return True


@kernel
def reclaim(state: State, seat: int, count: int) -> bool:
    """LK-64: the lowest values first. Returns whether the turn is over."""
    left = count
    for value in range(VALUES):
        taken = min(left, int(state.stakes[seat, value]))
        state.stakes[seat, value] -= taken
        take_back(state, seat, value, taken)
        left -= taken
    seats = 0 + int(state.seats)
    return ask_reclaim(state, (seat + seats - int(state.turn)) % seats + 1)


@kernel
def close_dispute(state: State) -> None:
    """LK-64: the other staked cards are discarded."""
    for seat in range(SEATS):
        if staked(state, seat) > 0:
            state.spent = 1
        for value in range(VALUES):
            state.discards[value] += state.stakes[seat, value]
            state.stakes[seat, value] = 0
        for face in range(FACES):
            state.dice[seat, face] = 0
        state.totals[seat] = 0
    state.disputed = NOWHERE
    state.origin = NOWHERE
    state.defender = NO_ONE
    state.winner = NO_ONE
