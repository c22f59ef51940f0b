"""What every game can do, written once on top of its rules.

Each function here is a template: `Engine` binds a copy per game, in which the rules below are that game's own,
and compiles it. So there is one playout, one perft and one batch step, at the speed of one written for each game.

Kernels never allocate or return states: states, masks and scratch come in as arguments.
Where several seats owe a decision at once, these functions let the lowest seat decide first; the others do not see it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regalia.core.draws import Ints, below
from regalia.core.game import CHANCE, CHANCE_BIT
from regalia.core.record import States

Steps = NDArray[np.uint8]  # step ids
Mask = NDArray[np.uint8]  # 1 for each legal step id
State = Any  # one record; its fields are the game's


def unbound(*_: Any) -> Any:
    raise RuntimeError("a template is bound to a game before it is called")


setup: Callable[[State], None] = unbound
actors: Callable[[State], int] = unbound
legal: Callable[[State, int, Steps], int] = unbound
draws: Callable[[State], int] = unbound
outcome: Callable[[State, int], int] = unbound
apply: Callable[[State, int, int], None] = unbound
score: Callable[[State, Ints, Ints], None] = unbound
redeal: Callable[[State, int, Ints], None] = unbound


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


def redeal_at(states: States, i: int, seat: int, words: Ints) -> None:
    redeal(states[i], seat, words)


# --- Playouts ---


def lowest(bits: int) -> int:
    seat = 0
    while not bits >> seat & 1:
        seat += 1
    return seat


def leave_to_chance(state: State, words: Ints) -> None:
    apply(state, CHANCE, outcome(state, below(words, draws(state))))


def play_out(state: State, steps: Steps, words: Ints, tally: Ints) -> None:
    """Play at random to the end; tally counts steps and, of those, decisions."""
    drawn = 0
    decided = 0
    who = actors(state)
    while who != 0:
        if who == CHANCE_BIT:
            leave_to_chance(state, words)
            drawn += 1
        else:
            seat = lowest(who)
            count = legal(state, seat, steps)
            apply(state, seat, int(steps[below(words, count)]))
            decided += 1
        who = actors(state)
    tally[0] += drawn + decided
    tally[1] += decided


def play_out_many(
    start: States,
    scratch: States,
    games: int,
    steps: Steps,
    words: Ints,
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
        play_out(now, steps, words, tally)
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
    found = 0
    depth = 0
    path = paths[paths.shape[0] - 1]  # the last row is scratch
    left = np.zeros(stack.shape[0], np.int64)
    left[0] = legal(stack[0], seat, legals[0])
    while depth >= 0:
        if left[depth] == 0:
            depth -= 1
            continue
        left[depth] -= 1
        path[depth] = legals[depth, left[depth]]
        stack[depth + 1] = stack[depth]
        apply(stack[depth + 1], seat, int(path[depth]))
        if inner >> int(stack[depth + 1].phase) & 1:
            depth += 1
            left[depth] = legal(stack[depth], seat, legals[depth])
        else:
            if found == paths.shape[0] - 1:
                return -1
            for k in range(depth + 1):
                paths[found, k] = path[k]
            lengths[found] = depth + 1
            found += 1
    return found


# --- Perft: how many sequences of steps there are ---


def perft(stack: States, depth: int, legals: Steps) -> int:
    """Sequences of exactly `depth` steps (draws included, each outcome once) from stack[0]; shorter games count not."""
    if depth == 0:
        return 1
    total = 0
    level = 0
    seats = np.zeros(depth, np.int64)
    left = np.zeros(depth, np.int64)
    seats[0], left[0] = next_steps(stack[0], legals[0])
    while level >= 0:
        if level == depth - 1:
            total += left[level]
            level -= 1
            continue
        if left[level] == 0:
            level -= 1
            continue
        left[level] -= 1
        stack[level + 1] = stack[level]
        apply(stack[level + 1], seats[level], int(legals[level, left[level]]))
        level += 1
        seats[level], left[level] = next_steps(stack[level], legals[level])
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
        found = outcome(state, draw)
        known = False
        for k in range(count):
            known = known or steps[k] == found
        if not known:
            steps[count] = found
            count += 1
    return CHANCE, count


# --- Batches: many matches stepped together ---


def settle(states: States, i: int, masks: Mask, steps: Steps, words: Ints) -> int:
    """Let chance act until a seat owes a decision; fill its mask. Returns the seat, or -1 when the game is over."""
    state = states[i]
    who = actors(state)
    while who == CHANCE_BIT:
        leave_to_chance(state, words)
        who = actors(state)
    for step in range(masks.shape[1]):
        masks[i, step] = 0
    if who == 0:
        return -1
    seat = lowest(who)
    for k in range(legal(state, seat, steps)):
        masks[i, steps[k]] = 1
    return seat


def settle_batch(states: States, seats: NDArray[np.int8], masks: Mask, steps: Steps, words: Ints) -> None:
    for i in range(states.shape[0]):
        seats[i] = settle(states, i, masks, steps, words)


def check_batch(seats: NDArray[np.int8], masks: Mask, chosen: Steps) -> int:
    """The first match that is not over and whose chosen step is not legal, or -1."""
    for i in range(seats.size):
        if seats[i] >= 0 and (chosen[i] >= masks.shape[1] or masks[i, chosen[i]] == 0):
            return i
    return -1


def step_batch(
    states: States, seats: NDArray[np.int8], masks: Mask, chosen: Steps, steps: Steps, words: Ints
) -> None:
    """One decision in every match that is not over, then chance, then the next seat and its mask."""
    for i in range(states.shape[0]):
        if seats[i] >= 0:
            apply(states[i], 0 + int(seats[i]), int(chosen[i]))
            seats[i] = settle(states, i, masks, steps, words)


def choose_batch(states: States, seats: NDArray[np.int8], chosen: Steps, steps: Steps, words: Ints) -> None:
    """A uniformly random legal step for every match that is not over."""
    for i in range(states.shape[0]):
        if seats[i] >= 0:
            count = legal(states[i], 0 + int(seats[i]), steps)
            chosen[i] = steps[below(words, count)]
