"""Influence cards: paying them, what everyone knows of a hand, and dealing anew what a seat cannot know.

A hand is what it must hold (`known`) and a number of others, which came face down from the pool: all cards that are
neither known in a hand, nor on the table, nor discarded face up. The pools of several deals are one.
"""

from __future__ import annotations

import numpy as np

from regalia.core.arrays import Ints, Rng, Steps
from regalia.core.kernel import kernel
from regalia.core.rng import below
from regalia.games.long_live_the_king.components import DEALT, MOST_STAKED, SEATS, STAKE, STAKE_OF, VALUES
from regalia.games.long_live_the_king.state import Phase, State


@kernel
def show(state: State, seat: int, value: int, count: int) -> None:
    """Cards leave the hand face up. Those known to be there go first: then nothing is learnt of the others."""
    state.hand[seat, value] -= count
    state.cards[seat] -= count
    state.known[seat, value] -= min(int(state.known[seat, value]), count)


@kernel
def take_back(state: State, seat: int, value: int, count: int) -> None:
    """LK-64: cards that everyone has seen go into the hand."""
    state.hand[seat, value] += count
    state.cards[seat] += count
    state.known[seat, value] += count


@kernel
def pay(state: State, seat: int, value: int) -> None:
    """LK-20: one card for a favour roll."""
    show(state, seat, value, 1)
    state.discards[value] += 1
    state.spent = 1


@kernel
def pooled(state: State, value: int) -> int:
    """How many cards of a value everyone knows only to be in a hand or face down in the pile."""
    seats = 0 + int(state.seats)
    count = seats * int(DEALT[value]) - int(state.discards[value])
    for seat in range(seats):
        count -= int(state.known[seat, value])
        count -= int(state.stakes[seat, value])
    return count


@kernel
def fill_pool(state: State, pool: Ints) -> None:
    """… of each value."""
    for value in range(VALUES):
        pool[value] = pooled(state, value)


@kernel
def list_stakes(state: State, seat: int, steps: Steps) -> int:
    """LK-51: 1 to 5 cards from the hand."""
    count = 0
    for threes in range(min(int(state.hand[seat, 2]), MOST_STAKED) + 1):
        for twos in range(min(int(state.hand[seat, 1]), MOST_STAKED - threes) + 1):
            for ones in range(min(int(state.hand[seat, 0]), MOST_STAKED - threes - twos) + 1):
                if ones + twos + threes > 0:
                    steps[count] = STAKE + int(STAKE_OF[ones, twos, threes])
                    count += 1
    return count


@kernel
def redeal(state: State, seat: int, rng: Rng) -> None:
    """Shuffle what the seat cannot place over the unknown cards of the others and the face-down pile.

    Sealed stakes of others become any stake that their new hands allow, each equally likely.
    """
    pool = np.zeros(VALUES, np.int64)
    fill_pool(state, pool)
    if seat >= 0:
        for value in range(VALUES):
            pool[value] += int(state.known[seat, value])
            pool[value] -= int(state.hand[seat, value])
    for other in range(SEATS):
        if other != seat:
            unknown = 0 + int(state.cards[other])
            for value in range(VALUES):
                state.hand[other, value] = state.known[other, value]
                unknown -= int(state.known[other, value])
            for _ in range(unknown):
                state.hand[other, draw(pool, rng)] += 1
    for value in range(VALUES):
        state.pile[value] = 0
    for _ in range(int(state.face_down)):
        state.pile[draw(pool, rng)] += 1
    reseal(state, seat, rng)


@kernel
def draw(pool: Ints, rng: Rng) -> int:
    """One card from the pool, each equally likely."""
    left = below(rng, int(pool[0] + pool[1] + pool[2]))
    value = 0
    while left >= pool[value]:
        left -= pool[value]
        value += 1
    pool[value] -= 1
    return value


@kernel
def reseal(state: State, seat: int, rng: Rng) -> None:
    """Who has chosen is public; what, is not."""
    steps = np.zeros(int(STAKE_OF.size), np.uint8)
    for other in range(SEATS):
        if other != seat:
            state.sealed[other] = 0
            if state.phase == Phase.STAKES and state.cards[other] > 0 and not int(state.owing) >> other & 1:
                count = list_stakes(state, other, steps)
                state.sealed[other] = 1 + int(steps[below(rng, count)]) - STAKE
