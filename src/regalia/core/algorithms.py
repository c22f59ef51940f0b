"""What every game can do, written once on top of its rules.

Each function here is a template: `Engine` binds a copy per game, in which the rules below are that game's own,
and compiles it. So there is one playout, one perft and one batch step, at the speed of one written for each game.

Kernels never allocate or return states: states, masks and scratch come in as arguments.
Where several seats owe a decision at once, these functions let the lowest seat decide first; the others do not see it.

Rules are compiled once for each combination of argument types, so seats and steps are made whole numbers of one type
by `0 + …` before a rule gets them; and since rules are inlined, each is called from as few places as possible.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from regalia.core.arrays import Counts, Ints, Mask, Rng, Rngs, Seats, State, States, Steps
from regalia.core.game import CHANCE, CHANCE_BIT
from regalia.core.kernel import kernel
from regalia.core.rng import below

OVER, NEW = -1, -2  # seats of a batch: nobody's turn any more, and nobody's yet
LOWEST = np.array([0, *((bits & -bits).bit_length() - 1 for bits in range(1, CHANCE_BIT))])


def unbound(*_: Any) -> Any:
    raise RuntimeError("a template is bound to a game before it is called")


setup: Callable[[State], None] = unbound
actors: Callable[[State], int] = unbound
legal: Callable[[State, int, Steps], int] = unbound
draws: Callable[[State], int] = unbound
outcome: Callable[[State, int], int] = unbound
apply: Callable[[State, int, int], None] = unbound
score: Callable[[State, Ints, Ints], None] = unbound
redeal: Callable[[State, int, Rng], None] = unbound


# --- One rule, called from Python on the i-th of an array of states ---


def setup_at(states: States, i: int) -> None:
    setup(states[i])


def actors_at(states: States, i: int) -> int:
    return actors(states[i])


def legal_at(states: States, i: int, seat: int, steps: Steps) -> int:
    return legal(states[i], seat, steps)


def odds_at(states: States, i: int, odds: Ints) -> None:
    """How many of the equally likely draws lead to each outcome."""
    odds[:] = 0
    for draw in range(draws(states[i])):
        odds[outcome(states[i], draw)] += 1


def outcome_at(states: States, i: int, draw: int) -> int:
    return outcome(states[i], draw)


def apply_at(states: States, i: int, seat: int, step: int) -> None:
    apply(states[i], seat, step)


def score_at(states: States, i: int, points: Ints, ranks: Ints) -> None:
    score(states[i], points, ranks)


def redeal_at(states: States, i: int, seat: int, rng: Rng) -> None:
    redeal(states[i], seat, rng)


# --- Playouts ---


def lowest(bits: int) -> int:
    """The lowest seat of a set; a table, since whose turn it is cannot be predicted."""
    return int(LOWEST[bits])


def leave_to_chance(state: State, rng: Rng) -> None:
    apply(state, 0 + CHANCE, 0 + outcome(state, below(rng, 0 + draws(state))))


def play_out_many(
    start: States,
    scratch: States,
    games: int,
    steps: Steps,
    rng: Rng,
    tally: Ints,
    points: Ints,
    ranks: Ints,
) -> None:
    """Play many games from one start; tally counts steps, decisions and games, points and ranks are added up.

    `tally[3 + reason]` counts the games by why they ended; ranks[seat, r] counts how often a seat came r-th.
    """
    now = scratch[0]
    final = points[0]
    order = points[1]
    for _ in range(games):
        scratch[0] = start[0]
        drawn = decided = 0
        who = actors(now)
        while who != 0:
            if who == CHANCE_BIT:
                leave_to_chance(now, rng)
                drawn += 1
            else:
                seat = lowest(who)
                count = legal(now, seat, steps)
                apply(now, seat, 0 + steps[below(rng, 0 + count)])
                decided += 1
            who = actors(now)
        tally[0] += drawn + decided
        tally[1] += decided
        score(now, final, order)
        tally[2] += 1
        tally[3 + int(now.reason)] += 1
        for seat in range(int(now.seats)):
            points[2, seat] += final[seat]
            points[3, seat] += final[seat] * final[seat]
            ranks[seat, order[seat]] += 1


# --- The actions of a seat: paths of steps from rest to rest ---


def list_actions(stack: States, seat: int, inner: int, legals: Steps, paths: Steps, lengths: Ints) -> int:
    """Every action of a seat from the state stack[0]; returns how many (paths and lengths hold them).

    `inner` has a bit per phase in which an action is only half taken. Returns -1 when the paths do not suffice.
    """
    count = 0
    depth = 0
    path = paths[paths.shape[0] - 1]  # the last row is scratch
    left = np.zeros(stack.shape[0], np.int64)
    is_new = True
    while depth >= 0:
        if is_new:
            left[depth] = legal(stack[depth], seat, legals[depth])
            is_new = False
        if left[depth] == 0:
            depth -= 1
            continue
        left[depth] -= 1
        path[depth] = legals[depth, left[depth]]
        stack[depth + 1] = stack[depth]
        apply(stack[depth + 1], seat, 0 + path[depth])
        if inner >> int(stack[depth + 1].phase) & 1:
            depth += 1
            is_new = True
        else:
            if count == paths.shape[0] - 1:
                return -1
            for k in range(depth + 1):
                paths[count, k] = path[k]
            lengths[count] = depth + 1
            count += 1
    return count


# --- Perft: how many sequences of steps there are ---


def perft(stack: States, depth: int, legals: Steps) -> int:
    """Sequences of exactly `depth` steps (draws included, each outcome once) from stack[0]; shorter games count not."""
    if depth == 0:
        return 1
    total = 0
    level = 0
    seats = np.zeros(depth, np.int64)
    left = np.zeros(depth, np.int64)
    is_new = True
    while level >= 0:
        if is_new:
            seats[level], left[level] = next_steps(stack[level], legals[level])
            is_new = False
        if level == depth - 1:
            total += left[level]
            level -= 1
            continue
        if left[level] == 0:
            level -= 1
            continue
        left[level] -= 1
        stack[level + 1] = stack[level]
        apply(stack[level + 1], seats[level], 0 + legals[level, left[level]])
        level += 1
        is_new = True
    return total


def next_steps(state: State, steps: Steps) -> tuple[int, int]:
    """Who is next, and how many steps it can take, chance included (none when the game is over)."""
    who = actors(state)
    if who == 0:
        return 0, 0
    if who != CHANCE_BIT:
        seat = lowest(who)
        return seat, legal(state, seat, steps)
    count = 0
    for draw in range(draws(state)):
        step = outcome(state, draw)
        known = False
        for k in range(count):
            known = known or steps[k] == step
        if not known:
            steps[count] = step
            count += 1
    return CHANCE, count


# --- Batches: many matches stepped together ---


def check_batch(seats: Seats, masks: Mask, decisions: Steps) -> int:
    """The first match that is not over and whose decision is not legal, or -1."""
    for i in range(seats.size):
        if seats[i] >= 0 and (decisions[i] >= masks.shape[1] or masks[i, decisions[i]] == 0):
            return i
    return -1


def step_batch(
    states: States,
    seats: Seats,
    masks: Mask,
    lists: Steps,
    counts: Counts,
    decisions: Steps,
    rngs: Rngs,
) -> None:
    """One decision in every match that is not over, then chance, then the next seat and what it may do.

    seats[i] becomes the seat that owes a decision in match i, or OVER; where it is NEW, only chance acts.
    lists[i, :counts[i]] become its legal steps, and masks[i] says the same.
    """
    for i in range(states.shape[0]):
        if seats[i] == OVER:
            continue
        state = states[i]
        if seats[i] != NEW:
            apply(state, 0 + seats[i], 0 + decisions[i])
        who = actors(state)
        while who == CHANCE_BIT:
            leave_to_chance(state, rngs[i])
            who = actors(state)
        mask, steps = masks[i], lists[i]
        for k in range(counts[i]):
            mask[steps[k]] = 0
        seats[i] = OVER
        counts[i] = 0
        if who != 0:
            seats[i] = lowest(who)
            counts[i] = legal(state, 0 + seats[i], steps)
            for k in range(counts[i]):
                mask[steps[k]] = 1


@kernel
def choose_batch(lists: Steps, counts: Counts, decisions: Steps, rngs: Rngs) -> None:
    """A uniformly random legal step for every match that is not over."""
    for i in range(counts.size):
        if counts[i] > 0:
            decisions[i] = lists[i, below(rngs[i], int(counts[i]))]
