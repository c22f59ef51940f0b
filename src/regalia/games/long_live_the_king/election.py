"""The end of a turn, elections and the deal after them (LK-65, LK-70…83)."""

from __future__ import annotations

from regalia.core.kernel import kernel
from regalia.games.long_live_the_king.components import (
    AREAS,
    MOST_DEALT,
    NO_ONE,
    QUIET_TURNS,
    SEATS,
    TIE_DICE,
    VALUES,
    VOTES,
)
from regalia.games.long_live_the_king.state import Election, Phase, Reason, State


@kernel
def finish_turn(state: State) -> None:
    """LK-65, LK-70, LK-83: the next player, or first an election."""
    state.entered = 0
    state.placed = 0
    state.quiet = 0 if state.spent else int(state.quiet) + 1
    state.spent = 0
    seats = 0 + int(state.seats)
    due = state.quiet == QUIET_TURNS * seats
    for seat in range(seats):
        due = due or state.cards[seat] == 0
    if due:
        hold_election(state)
    else:
        pass_turn(state)


@kernel
def pass_turn(state: State) -> None:
    """LK-5, LK-81: clockwise."""
    state.turn = (int(state.turn) + 1) % int(state.seats)
    state.active = state.turn
    state.phase = Phase.TURN


# --- Votes ---


@kernel
def held_votes(state: State, seat: int) -> int:
    """LK-71: the votes of all own areas."""
    votes = 0
    for area in range(AREAS):
        if state.owner[area] == seat:
            votes += int(VOTES[area])
    return votes


@kernel
def less_a_third(votes: int) -> int:
    """LK-72: what is left to a player without cards."""
    return votes - votes // 3


@kernel
def area_votes(state: State, seat: int) -> int:
    """LK-71, LK-72: the votes of all own areas, less a third without cards."""
    votes = held_votes(state, seat)
    return less_a_third(votes) if state.cards[seat] == 0 else votes


@kernel
def total_votes(state: State, seat: int) -> int:
    """LK-73."""
    return area_votes(state, seat) + int(state.bonus[seat])


@kernel
def needed_votes(state: State) -> int:
    """LK-74."""
    return 19 if state.seats == 3 else 20


@kernel
def worth(state: State, seat: int) -> int:
    """What is compared before dice are rolled, as one number (LK-75…78): votes as the election asks, then cards."""
    votes = area_votes(state, seat)
    total = votes + int(state.bonus[seat])
    if state.election == Election.CROWN:
        return (((votes << 8) + total) << 8) + int(state.cards[seat])
    if state.election == Election.BONUS:
        return (votes << 8) + int(state.cards[seat])
    return (total << 8) + int(state.cards[seat])


# --- The order of the seats ---


@kernel
def hold_election(state: State) -> None:
    """LK-74…76: somebody is elected if anyone has enough votes; else all get bonus votes."""
    state.elections += 1
    state.quiet = 0
    state.election = Election.BONUS
    seats = 0 + int(state.seats)
    for seat in range(seats):
        if total_votes(state, seat) >= needed_votes(state):
            state.election = Election.CROWN
    compare(state)
    break_ties(state)


@kernel
def is_compared(state: State, seat: int) -> bool:
    """LK-75: only those with enough votes; LK-78: all but the winner; LK-76: all."""
    if state.election == Election.CROWN:
        return total_votes(state, seat) >= needed_votes(state)
    return state.election == Election.BONUS or state.winner != seat


@kernel
def compare(state: State) -> None:
    """Everybody's standing before dice are rolled: how many are better. Those not compared come last or are first."""
    seats = 0 + int(state.seats)
    for seat in range(seats):
        better = 1 if state.election == Election.RANKING else 0
        for other in range(seats):
            if is_compared(state, other) and worth(state, other) > worth(state, seat):
                better += 1
        if not is_compared(state, seat):
            better = 0 if state.election == Election.RANKING else NO_ONE
        state.standing[seat] = better


@kernel
def break_ties(state: State) -> None:
    """LK-77: the best group that is still tied rolls, where its order matters; when none is, the order counts."""
    deciding = True
    while deciding:
        seat = first_tied(state)
        if seat != NO_ONE:
            state.active = seat
            state.due = TIE_DICE
            state.phase = Phase.TIE
            return
        deciding = state.election == Election.CROWN
        if deciding:
            state.winner = leader(state)
            state.election = Election.RANKING
            compare(state)
    if state.election == Election.BONUS:
        give_bonus(state)
    else:
        end(state)


@kernel
def leader(state: State) -> int:
    seat = 0
    while state.standing[seat] > 0:
        seat += 1
    return seat


@kernel
def first_tied(state: State) -> int:
    """The lowest seat of the best group of equals, or NO_ONE."""
    seats = 0 + int(state.seats)
    places = 1 if state.election == Election.CROWN else seats
    for place in range(places):
        lowest = NO_ONE
        count = 0
        for seat in range(seats - 1, -1, -1):
            if state.standing[seat] == place:
                lowest = seat
                count += 1
        if count > 1:
            return lowest
    return NO_ONE


@kernel
def roll_tie(state: State, face: int) -> None:
    """LK-77: one of five dice; when all of the group have rolled, the higher sums are better."""
    seat = 0 + int(state.active)
    state.sums[seat] += face + 1
    state.due -= 1
    if state.due > 0:
        return
    for other in range(seat + 1, int(state.seats)):
        if state.standing[other] == state.standing[seat]:
            state.active = other
            state.due = TIE_DICE
            return
    place = 0 + int(state.standing[seat])
    for one in range(seat + 1):
        for other in range(seat + 1):
            if state.sums[one] > 0 and state.sums[other] > state.sums[one]:
                state.standing[one] += 1
    for one in range(SEATS):
        state.sums[one] = 0
    if state.election == Election.CROWN:
        for one in range(seat + 1):
            if state.standing[one] > place:
                state.standing[one] = NO_ONE
    break_ties(state)


# --- What follows ---


@kernel
def give_bonus(state: State) -> None:
    """LK-76: n, n - 1, … 1 votes; then the deal (LK-80), unless the pile is too small (LK-82)."""
    seats = 0 + int(state.seats)
    pile = 0
    for seat in range(seats):
        state.bonus[seat] += seats - int(state.standing[seat])
        state.standing[seat] = 0
    for value in range(VALUES):
        pile += int(state.discards[value])
    pile += int(state.face_down)
    state.election = Election.NONE
    if pile < seats:
        pass_turn(state)
        return
    for value in range(VALUES):
        state.pile[value] += state.discards[value]
        state.discards[value] = 0
    state.face_down = pile
    state.due = seats * min(MOST_DEALT, pile // seats)
    state.active = (int(state.turn) + 1) % seats
    state.phase = Phase.DEAL


@kernel
def deal_card(state: State, value: int) -> None:
    """LK-80: face down, one at a time in turn; what is left over stays face down."""
    seat = 0 + int(state.active)
    state.hand[seat, value] += 1
    state.cards[seat] += 1
    state.pile[value] -= 1
    state.face_down -= 1
    state.due -= 1
    state.active = (seat + 1) % int(state.seats)
    if state.due == 0:
        pass_turn(state)


@kernel
def end(state: State) -> None:
    """LK-75, LK-78."""
    state.winner = NO_ONE
    state.election = Election.NONE
    state.active = state.turn
    state.phase = Phase.OVER
    state.reason = Reason.ELECTED
