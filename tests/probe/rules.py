"""The rules of the probe, in the order of clauses.md."""

from __future__ import annotations

from probe.components import (
    ADD,
    COPIES,
    DEALT,
    DICE,
    END,
    FACES,
    MARK,
    MARKS,
    OUTCOMES,
    REROLL,
    ROLL,
    ROUNDS,
    SEATS,
    STAKE,
    STEPS,
    VALUES,
)
from probe.state import Phase, Reason, State
from regalia.core.arrays import Ints, Rng, Steps
from regalia.core.game import CHANCE, CHANCE_BIT
from regalia.core.kernel import kernel
from regalia.core.rng import below

__all__ = ["OUTCOMES", "STEPS", "actors", "apply", "draws", "legal", "outcome", "redeal", "score", "setup"]


@kernel
def setup(state: State) -> None:
    """PB-1: the whole deck is to be dealt from."""
    state.deck[:] = COPIES
    state.phase = Phase.DEAL
    state.due = SEATS * DEALT


@kernel
def actors(state: State) -> int:
    """PB-2: while stakes are open, every seat that has not chosen."""
    if state.phase == Phase.OVER:
        return 0
    if state.phase == Phase.DEAL or state.phase == Phase.ROLL:
        return CHANCE_BIT
    if state.phase == Phase.STAKE:
        return 15 & ~int(state.chosen)
    return 1 << int(state.leader)


@kernel
def legal(state: State, seat: int, steps: Steps) -> int:
    count = 0
    if state.phase == Phase.STAKE:
        for value in range(VALUES):
            if state.hand[seat, value] > 0:
                steps[count] = STAKE + value
                count += 1
    elif state.phase == Phase.PICK:
        for face in range(int(state.last), FACES):
            if state.dice[face] > 0:
                steps[count] = ADD + face
                count += 1
        if state.due > 0:
            steps[count] = ROLL
            count += 1
    else:
        marked = 0
        for face in range(FACES):
            marked += int(state.marks[face])
        if not state.rerolled and marked == 0:
            steps[count] = REROLL
            count += 1
        for face in range(FACES):
            if marked < MARKS and state.dice[face] > 0 and not state.marks[face]:
                steps[count] = MARK + face
                count += 1
        steps[count] = END
        count += 1
    return count


@kernel
def draws(state: State) -> int:
    """Every card of the deck, every face of a die."""
    if state.phase == Phase.ROLL:
        return FACES
    return 0 + int(state.deck[0]) + int(state.deck[1]) + int(state.deck[2])


@kernel
def outcome(state: State, draw: int) -> int:
    if state.phase == Phase.ROLL:
        return draw
    value = 0
    while draw >= int(state.deck[value]):
        draw -= int(state.deck[value])
        value += 1
    return value


@kernel
def apply(state: State, seat: int, step: int) -> None:
    if seat == CHANCE:
        if state.phase == Phase.DEAL:
            deal(state, step)
        else:
            land(state, step)
    elif step < REROLL:
        stake(state, seat, step - STAKE)
    elif step == REROLL:
        state.phase = Phase.PICK
        state.last = 0
    elif step < ROLL:
        state.last = step - ADD
        state.dice[step - ADD] -= 1
        state.due += 1
    elif step == ROLL:
        state.rerolled = 1
        state.last = 0
        state.phase = Phase.ROLL
    elif step < END:
        mark(state, step - MARK)
    else:
        end_turn(state)


@kernel
def deal(state: State, value: int) -> None:
    """PB-1, PB-9: a card to one seat after the other."""
    seat = int(state.receiver)
    state.deck[value] -= 1
    state.hand[seat, value] += 1
    state.held[seat] += 1
    state.due -= 1
    if state.held[seat] == DEALT:
        state.receiver = (seat + 1) % SEATS
    if state.due == 0:
        state.phase = Phase.STAKE


@kernel
def stake(state: State, seat: int, value: int) -> None:
    """PB-2, PB-4: sealed until all have chosen; then the stronger team leads."""
    state.hand[seat, value] -= 1
    state.stake[seat, 0] = value + 1
    state.chosen = int(state.chosen) | 1 << seat
    if state.chosen != 15:
        return
    state.chosen = 0
    lead = 0
    for other in range(SEATS):
        shown = int(state.stake[other, 0])
        state.shown[other] = shown
        state.stake[other, 0] = 0
        state.spent[shown - 1] += 1
        state.held[other] -= 1
        lead += shown * (1 - 2 * (other % 2))
    state.leader = 1 if lead < 0 else 0
    state.phase = Phase.ROLL
    state.due = DICE


@kernel
def land(state: State, face: int) -> None:
    state.dice[face] += 1
    state.due -= 1
    if state.due == 0:
        state.phase = Phase.TURN


@kernel
def mark(state: State, face: int) -> None:
    """PB-6: a point per die of the face."""
    state.marks[face] = 1
    state.points[int(state.leader) % 2] += int(state.dice[face])


@kernel
def end_turn(state: State) -> None:
    """PB-9, PB-10: the end, or the next cards, or the next stakes."""
    state.dice[:] = 0
    state.marks[:] = 0
    state.rerolled = 0
    state.rounds += 1
    if max(int(state.points[0]), int(state.points[1])) >= (3 if state.target else 5):
        state.reason = Reason.TARGET
        state.phase = Phase.OVER
    elif state.rounds == ROUNDS:
        state.reason = Reason.ROUNDS
        state.phase = Phase.OVER
    elif state.rounds == 1:
        state.phase = Phase.DEAL
        state.due = SEATS
    else:
        state.phase = Phase.STAKE


@kernel
def score(state: State, points: Ints, ranks: Ints) -> None:
    """PB-10: a seat's points are its team's."""
    for seat in range(SEATS):
        points[seat] = state.points[seat % 2]
        ranks[seat] = 1 + (int(state.points[1 - seat % 2]) > int(state.points[seat % 2]))


@kernel
def redeal(state: State, seat: int, rng: Rng) -> None:
    """The cards of the others, their sealed stakes and the deck, from what the seat has not seen."""
    for value in range(VALUES):
        state.deck[value] = COPIES - int(state.spent[value])
        if seat >= 0:
            own = int(state.hand[seat, value]) + (int(state.stake[seat, 0]) == value + 1)
            state.deck[value] -= own
    for other in range(SEATS):
        if other == seat:
            continue
        state.hand[other, :] = 0
        state.stake[other, 0] = 0
        for k in range(int(state.held[other])):
            value = draw_unseen(state, rng)
            if k == 0 and int(state.chosen) >> other & 1:
                state.stake[other, 0] = value + 1
            else:
                state.hand[other, value] += 1


@kernel
def draw_unseen(state: State, rng: Rng) -> int:
    left = below(rng, 0 + int(state.deck[0]) + int(state.deck[1]) + int(state.deck[2]))
    value = 0
    while left >= int(state.deck[value]):
        left -= int(state.deck[value])
        value += 1
    state.deck[value] -= 1
    return value
