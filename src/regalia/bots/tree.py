"""The search, written once for all games: Monte-Carlo tree search on steps, compiled per game.

`simulate` is a template like those of core: `Search` binds a copy per game in which the rules, and what is known about
the game (`bots/<game>.py`), are that game's own. Each rule is called from two places only, since kernels are inlined:
on the way down, and in the loop that plays on, which is half as fast again for being on its own.

One simulation
    Copy the root, which is blanked to what the searching seat may know, and deal the rest anew (`redeal`).
    Take the steps of the opening, if there is one: an action that is looked at on its own.
    Go down: a seat that owes a decision takes the step that promises most to that very seat, chance draws.
    At the first position not met before, remember it and play on by the game's policy: to the end, or until
    the game's evaluation may judge. What it says is the result, or part of one: the rest is found by playing on
    to the end at random. Then every step on the way is credited with everybody's result: with what it is worth,
    by which the search chooses, and with the plain share of the victory, which is what people are told.

Nodes are what is known at a decision, found by a hash of the state: of what the searching seat sees where it decides
itself, of what everyone sees where another does. So orders of steps that lead to the same position meet, the searching
seat cannot plan on secrets, the others do not foresee its sealed choice, and a sealed choice of theirs stays hidden.
Since others' hands differ from deal to deal, a step also counts how often it was on offer.
Draws need no nodes: what they lead to has one, and the step before them has their average.

The search may also look for a spectator (NO_SEAT), or for someone who sees everything (OPEN): then nothing is dealt anew.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from regalia.bots import knowledge
from regalia.bots.opponents import FULL_GAME
from regalia.core.algorithms import actors, apply, draws, legal, lowest, outcome, redeal, score
from regalia.core.arrays import Ints, Reals, Rng, State, States, Steps
from regalia.core.game import CHANCE, CHANCE_BIT
from regalia.core.kernel import kernel
from regalia.core.rng import below

Numbers = NDArray[np.int32]
Shares = NDArray[np.float32]

NONE = -1
OPEN = -2  # who looks when every secret is open
DEEPEST = 400  # decisions on one way down that are remembered
MOST_STEPS = 256
NODES, EDGES, MARK, DONE = 0, 1, 2, 3  # the places of Tree.used

policy = knowledge.policy
evaluate = knowledge.evaluate
is_quiet = knowledge.is_quiet
reward = knowledge.reward
IS_APART = False  # whether what a result is worth differs from the share of the victory: bound per game


class Tree(NamedTuple):
    """What a search remembers. The arrays are made once; a new search raises its mark, and old slots are empty."""

    used: Ints  # nodes and edges in use, the mark of this search, simulations done
    slots: Numbers  # [slot]: its node
    marks: Numbers  # [slot]: the search that filled it
    keys: Ints  # [node]: the hash of what is known there
    first: Numbers  # [node]: its first edge, NONE before its second visit
    step: Steps  # [edge]
    following: Numbers  # [edge]: the next edge of its node, or NONE
    tried: Numbers  # [edge]: how often it was taken
    offered: Numbers  # [edge]: how often it could have been
    prior: Shares  # [edge]: what the policy thinks of it
    worth: Shares  # [edge, seat]: the sum of the results
    won: Shares  # [edge, seat]: the sum of the shares of the victory; the same array where both are the same


class Room(NamedTuple):
    """Room to work in, for one simulation at a time."""

    scratch: States  # [1]: the position
    raw: Steps  # the same memory as bytes
    signs: (
        Ints  # [seat, byte]: factors of the hash, 0 for what the seat may not see; the last row is everyone's
    )
    steps: Steps  # the legal ones
    odds: Ints  # of each of them by the policy
    edges: Numbers  # [step]: its edge at the node in question
    path: Numbers  # [depth]: the edges taken
    points: Ints
    ranks: Ints
    values: Reals  # [seat]: the result
    won: Reals  # [seat]: the share of the victory
    total: Reals  # [seat]: the sum of these over simulations
    judged: Reals  # [seat]: what the evaluation says of it


def make_tree(nodes: int, edges: int, seats: int, is_apart: bool) -> Tree:
    worth = np.zeros((edges, seats), np.float32)
    slots = 1
    while slots < 2 * nodes:
        slots *= 2
    return Tree(
        np.zeros(4, np.int64),
        np.zeros(slots, np.int32),
        np.zeros(slots, np.int32),
        np.zeros(nodes, np.int64),
        np.zeros(nodes, np.int32),
        np.zeros(edges, np.uint8),
        np.zeros(edges, np.int32),
        np.zeros(edges, np.int32),
        np.zeros(edges, np.int32),
        np.zeros(edges, np.float32),
        worth,
        np.zeros((edges, seats), np.float32) if is_apart else worth,
    )


@kernel
def find_node(tree: Tree, key: int) -> int:
    """The node of a key; a new one if it is not met before, NONE if it is new and there is no room for it."""
    used, slots, marks, keys = tree.used, tree.slots, tree.marks, tree.keys
    mark = used[MARK]
    slot = (key ^ key >> 29) & (slots.size - 1)
    while marks[slot] == mark:
        if keys[slots[slot]] == key:
            return int(slots[slot])
        slot = (slot + 1) & (slots.size - 1)
    node = int(used[NODES])
    if node == keys.size:
        return NONE
    used[NODES] = node + 1
    slots[slot] = node
    marks[slot] = mark
    keys[node] = key
    tree.first[node] = NONE
    return node


@kernel
def list_edges(tree: Tree, node: int, steps: Steps, edges: Numbers, count: int) -> int:
    """edges gets the edge of each legal step; returns how many have none yet."""
    step, following = tree.step, tree.following
    for k in range(count):
        edges[steps[k]] = NONE
    edge = int(tree.first[node])
    while edge != NONE:
        edges[step[edge]] = edge
        edge = int(following[edge])
    missing = 0
    for k in range(count):
        missing += edges[steps[k]] == NONE
    return missing


@kernel
def add_edges(tree: Tree, node: int, room: Room, count: int, total: int) -> None:
    """An edge for each legal step that has none, with the policy's odds as its prior."""
    for k in range(count - 1, -1, -1):
        step = int(room.steps[k])
        if room.edges[step] == NONE:
            edge = int(tree.used[EDGES])
            tree.used[EDGES] = edge + 1
            tree.step[edge] = step
            tree.following[edge] = tree.first[node]
            tree.first[node] = edge
            tree.tried[edge] = 0
            tree.offered[edge] = 0
            tree.prior[edge] = room.odds[k] / total if total > 0 else 1.0 / count
            tree.worth[edge] = 0
            tree.won[edge] = 0
            room.edges[step] = edge


@kernel
def select(tree: Tree, steps: Steps, edges: Numbers, count: int, actor: int, explore: float) -> int:
    """The edge that promises most to the actor: its mean so far, and more the likelier and the less tried it is.

    A step not tried yet counts a little less than the average of those that were.
    """
    tries, offers, priors, worths = tree.tried, tree.offered, tree.prior, tree.worth
    tried = 0
    worth = 0.0
    for k in range(count):
        edge = int(edges[steps[k]])
        offers[edge] += 1
        tried += tries[edge]
        worth += worths[edge, actor]
    unknown = worth / tried - 0.05 if tried > 0 else 0.5
    best = NONE
    best_promise = -1e9
    for k in range(count):
        edge = int(edges[steps[k]])
        mean = worths[edge, actor] / tries[edge] if tries[edge] > 0 else unknown
        promise = mean + explore * priors[edge] * np.sqrt(offers[edge]) / (1 + tries[edge])
        if promise > best_promise:
            best_promise = promise
            best = edge
    return best


@kernel
def sign(raw: Steps, signs: Ints) -> int:
    """The hash of what a seat sees of the position. It stays below 2^62."""
    key = 0
    for k in range(raw.size):
        key += int(raw[k]) * signs[k]
    return key


@kernel
def draw_step(steps: Steps, odds: Ints, count: int, total: int, rng: Rng) -> int:
    """A step by the policy's odds."""
    if total == 0:
        return int(steps[below(rng, count)])
    left = below(rng, total)
    k = 0
    while left >= odds[k]:
        left -= odds[k]
        k += 1
    return int(steps[k])


@kernel
def share(seats: int, mates: int, ranks: Ints, values: Reals) -> None:
    """The result of a finished game: one for the winners, in equal parts if several sides share it."""
    winners = 0
    for seat in range(seats):
        winners += ranks[seat] == 1
    for seat in range(seats):
        values[seat] = mates / max(winners, mates) if ranks[seat] == 1 else 0.0


def play_on(
    state: State,
    who: int,
    horizon: int,
    is_informed: bool,
    weights: Reals,
    steps: Steps,
    odds: Ints,
    rng: Rng,
) -> int:
    """By the policy, from a decision to the end or until the evaluation may judge; returns who is due then."""
    left = horizon
    while who != 0:
        if who == CHANCE_BIT:
            apply(state, 0 + CHANCE, 0 + outcome(state, below(rng, 0 + draws(state))))
        else:
            if left < 0 and is_quiet(state):
                break
            left -= 1
            actor = lowest(who)
            count = legal(state, actor, steps)
            total = policy(state, actor, steps, count, weights, odds) if is_informed and count > 1 else 0
            apply(state, actor, 0 + draw_step(steps, odds, count, total, rng))
        who = actors(state)
    return who


def simulate(
    root: States,
    looker: int,
    first: int,
    opening: Steps,
    simulations: int,
    horizon: int,
    explore: float,
    played: float,
    is_informed: bool,
    mates: int,
    weights: Reals,
    tree: Tree,
    room: Room,
    rng: Rng,
    stop: Steps,
) -> None:
    """So many simulations from the root, fewer when the flag is raised.

    looker: the seat that searches, NO_SEAT or OPEN; first: who is due at the root, as bits; opening: steps that the
    lowest of these takes before the search begins;
    horizon: after so many decisions by the policy, and one more, the evaluation may judge; played: the part of a
    result that is then found by playing on at random; is_informed: whether what is known about the game may be used.
    """
    state = room.scratch[0]
    steps, odds, edges, path, raw, signs = room.steps, room.odds, room.edges, room.path, room.raw, room.signs
    for _ in range(simulations):
        if stop[0]:
            return
        room.scratch[0] = root[0]
        if looker != OPEN:
            redeal(state, looker, rng)
        depth = taken = 0
        who = first
        while who != 0:
            if taken < opening.size:
                actor = lowest(first)
                step = int(opening[taken])
                taken += 1
            elif who == CHANCE_BIT:
                actor = CHANCE
                step = 0 + outcome(state, below(rng, 0 + draws(state)))
            else:
                actor = lowest(who)
                known = tree.used[NODES]
                node = find_node(tree, sign(raw, signs[looker if actor == looker else -1]))
                if node in (known, NONE) or depth == DEEPEST:
                    break
                count = legal(state, actor, steps)
                missing = list_edges(tree, node, steps, edges, count)
                if tree.used[EDGES] + missing > tree.step.size:
                    break
                if missing > 0:
                    total = (
                        policy(state, actor, steps, count, weights, odds) if is_informed and count > 1 else 0
                    )
                    add_edges(tree, node, room, count, total)
                path[depth] = select(tree, steps, edges, count, actor, explore)
                step = int(tree.step[path[depth]])
                depth += 1
            apply(state, actor, step)
            who = actors(state)
        seats = int(state.seats)
        judged = 0.0  # the part of the result that is the evaluation's
        left, knows = horizon, is_informed
        while who != 0 and judged < 1.0:
            who = play_on(state, who, left, knows, weights, steps, odds, rng)
            if who != 0:
                evaluate(state, weights, room.judged)
                judged = 1.0 - played
                left, knows = FULL_GAME, False
        if who == 0:
            score(state, room.points, room.ranks)
            share(seats, mates, room.ranks, room.won)
            for other in range(seats):
                room.values[other] = room.won[other]
            if is_informed:
                reward(room.points, weights, room.values)
        for other in range(seats):
            judgement = judged * room.judged[other]
            room.values[other] = judgement + (1.0 - judged) * room.values[other]
            room.won[other] = judgement + (1.0 - judged) * room.won[other]
            room.total[other] += room.won[other]
        for k in range(depth):
            edge = int(path[k])
            tree.tried[edge] += 1
            for other in range(seats):
                tree.worth[edge, other] += room.values[other]
                if IS_APART:
                    tree.won[edge, other] += room.won[other]
        tree.used[DONE] += 1
