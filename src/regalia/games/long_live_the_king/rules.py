"""The rules of Long Live the King; the chapters are turn.py, dispute.py, election.py and cards.py."""

from __future__ import annotations

from regalia.core.arrays import Ints, Steps
from regalia.core.game import CHANCE, CHANCE_BIT
from regalia.core.kernel import kernel
from regalia.games.long_live_the_king.cards import list_stakes
from regalia.games.long_live_the_king.cards import redeal as redeal
from regalia.games.long_live_the_king.components import (
    AREAS,
    AT_START,
    BANISH,
    COURTIERS,
    DEALT,
    DEGREE,
    END,
    FACES,
    HAND,
    MOVE,
    MOVE_BY,
    NEIGHBOURS,
    NO_ONE,
    NOWHERE,
    PLACE,
    PUT,
    RECLAIM,
    ROLL,
    SEATS,
    STAKE,
    START,
    VALUES,
)
from regalia.games.long_live_the_king.components import OUTCOMES as OUTCOMES
from regalia.games.long_live_the_king.components import STEPS as STEPS
from regalia.games.long_live_the_king.dispute import (
    ask_reclaim,
    banish,
    can_banish_to,
    can_put,
    put_die,
    reclaim,
    roll_die,
    seal,
    take_area,
    to_banish,
)
from regalia.games.long_live_the_king.election import deal_card, finish_turn, roll_tie, total_votes
from regalia.games.long_live_the_king.state import Phase, State
from regalia.games.long_live_the_king.turn import (
    ask_favour,
    can_enter,
    can_place,
    move,
    place_free,
    roll_favour,
)


@kernel
def setup(state: State) -> None:
    """LK-3, LK-4: cards and courtiers; chance will deal the start areas."""
    for area in range(AREAS):
        state.owner[area] = NO_ONE
    for seat in range(SEATS):
        state.nobles[seat] = NOWHERE
    seats = 0 + int(state.seats)
    for seat in range(seats):
        state.supply[seat] = COURTIERS - 1
        state.cards[seat] = HAND
        for value in range(VALUES):
            state.hand[seat, value] = DEALT[value]
            state.known[seat, value] = DEALT[value]
    state.target = NOWHERE
    state.disputed = NOWHERE
    state.origin = NOWHERE
    state.defender = NO_ONE
    state.winner = NO_ONE
    state.due = state.seats
    state.phase = Phase.START


@kernel
def actors(state: State) -> int:
    if state.phase <= Phase.DEAL:
        return CHANCE_BIT
    if state.phase < Phase.STAKES:
        return 1 << int(state.active)
    return int(state.owing)


@kernel
def legal(state: State, seat: int, steps: Steps) -> int:
    phase = int(state.phase)
    if phase == Phase.STAKES:
        return list_stakes(state, seat, steps)
    if phase == Phase.DICE or phase == Phase.PUTTING:
        return list_puts(state, steps)
    if phase == Phase.BANISH:
        return list_banishments(state, steps)
    if phase == Phase.RECLAIM:
        return list_reclaims(state, seat, steps)
    count = 0
    if phase != Phase.PLACING:
        count = list_moves(state, seat, steps)
    if phase != Phase.FAILED and can_place(state, seat):
        if not state.placed:
            steps[count] = PLACE
            count += 1
        else:
            for value in range(VALUES):
                if state.hand[seat, value] > 0:
                    steps[count] = ROLL + value
                    count += 1
    steps[count] = END
    return count + 1


@kernel
def list_moves(state: State, seat: int, steps: Steps) -> int:
    """LK-10, LK-33…35: to a neighbour, the first time for free, then with each value held."""
    count = 0
    price = 0 if state.phase == Phase.TURN else 1
    origin = 0 + int(state.nobles[seat])
    for k in range(int(DEGREE[origin])):
        area = 0 + int(NEIGHBOURS[origin, k])
        if can_enter(state, seat, area, price):
            if price == 0:
                steps[count] = MOVE + area
                count += 1
            else:
                for value in range(VALUES):
                    if state.hand[seat, value] > 0:
                        steps[count] = MOVE_BY + AREAS * value + area
                        count += 1
    return count


@kernel
def list_puts(state: State, steps: Steps) -> int:
    """LK-52, dice by hand."""
    count = 0
    for face in range(FACES):
        if can_put(state, face):
            steps[count] = PUT + face
            count += 1
    return count


@kernel
def list_banishments(state: State, steps: Steps) -> int:
    """LK-62."""
    count = 0
    seat = to_banish(state)
    for area in range(AREAS):
        if can_banish_to(state, seat, area):
            steps[count] = BANISH + area
            count += 1
    return count


@kernel
def list_reclaims(state: State, seat: int, steps: Steps) -> int:
    """LK-64: none, or up to one for each 1 rolled."""
    count = int(state.dice[seat, 0]) + 1
    for k in range(count):
        steps[k] = RECLAIM + k
    return count


@kernel
def draws(state: State) -> int:
    """LK-4: the start areas left; LK-80: the cards of the pile; else the faces of a die."""
    if state.phase == Phase.DEAL:
        return int(state.face_down)
    return int(state.due) if state.phase == Phase.START else FACES


@kernel
def outcome(state: State, draw: int) -> int:
    if state.phase == Phase.DEAL:
        ones = int(state.pile[0])
        return 0 if draw < ones else 1 if draw < ones + int(state.pile[1]) else 2
    if state.phase != Phase.START:
        return draw
    k = -1
    for _ in range(draw + 1):
        k += 1
        while state.owner[int(START[int(state.seats), k])] != NO_ONE:
            k += 1
    return k


@kernel
def apply(state: State, seat: int, step: int) -> None:
    number = 0 + int(step)
    is_over = apply_outcome(state, number) if seat == CHANCE else apply_step(state, 0 + int(seat), number)
    if is_over:
        finish_turn(state)


@kernel
def apply_step(state: State, seat: int, step: int) -> bool:
    """Returns whether the turn is over."""
    if step >= PUT:
        put_die(state, step - PUT)
    elif step >= STAKE:
        seal(state, seat, step - STAKE)
    elif step >= RECLAIM:
        return reclaim(state, seat, step - RECLAIM)
    elif step >= BANISH:
        banish(state, step - BANISH)
    elif step == END:
        return state.disputed == NOWHERE or ask_reclaim(state, 0)
    elif step >= ROLL:
        ask_favour(state, seat, step - ROLL, NOWHERE)
    elif step == PLACE:
        place_free(state, seat)
    elif step >= MOVE_BY:
        ask_favour(state, seat, (step - MOVE_BY) // AREAS, (step - MOVE_BY) % AREAS)
    else:
        move(state, seat, step - MOVE)
    return False


@kernel
def apply_outcome(state: State, outcome: int) -> bool:
    """Returns whether the turn is over."""
    if state.phase == Phase.ROLL:
        roll_die(state, outcome)
    elif state.phase == Phase.DIE:
        return roll_favour(state, outcome)
    elif state.phase == Phase.DEAL:
        deal_card(state, outcome)
    elif state.phase == Phase.TIE:
        roll_tie(state, outcome)
    else:
        begin(state, 0 + int(START[int(state.seats), outcome]), outcome == 0)
    return False


@kernel
def begin(state: State, area: int, is_first: bool) -> None:
    """LK-4, LK-5: noble and two courtiers in the start area; the owner of the first one on the list begins."""
    seat = 0 + int(state.active)
    state.nobles[seat] = area
    state.courtiers[area] = AT_START
    state.supply[seat] -= AT_START
    take_area(state, seat, area)
    if is_first:
        state.turn = seat
    state.due -= 1
    state.active = seat + 1
    if state.due == 0:
        state.active = state.turn
        state.phase = Phase.TURN


@kernel
def score(state: State, points: Ints, ranks: Ints) -> None:
    """LK-78: total votes; the winner first."""
    seats = 0 + int(state.seats)
    for seat in range(seats):
        points[seat] = total_votes(state, seat)
        ranks[seat] = int(state.standing[seat]) + 1
