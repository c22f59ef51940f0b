"""One decision of one bot, on records: what `choose` and the arena share."""

from __future__ import annotations

import queue
import random
import time
from collections import defaultdict
from dataclasses import dataclass
from functools import cache

from regalia.bots.opponents import Opponent
from regalia.bots.search import MOST_NODES, Budget, Candidate, Search, weights_of
from regalia.core.arrays import States
from regalia.core.game import Game
from regalia.core.rng import seeded_rng

FIRST_SHARE = 0.6  # of the time, for the first step of an action that may have several; then of what is left
LATER_SHARE = 4  # of the simulations the next steps get a quarter, and so on: the tree is there already
SMALL, LARGE = 1 << 12, MOST_NODES  # nodes of a tree
SHOWN = 3  # actions considered that are told

_idle: defaultdict[tuple[str, int], queue.SimpleQueue[Search]] = defaultdict(queue.SimpleQueue)


@dataclass(frozen=True)
class Decision:
    path: list[int]  # the steps of the action
    considered: list[tuple[list[int], float, int]]  # the best few: steps, value, visits
    simulations: int


def decide(game: Game, seen: States, seat: int, who: Opponent, seed: int, budget: Budget) -> Decision:
    """What an opponent does. `seen` is the state with what the seat may not know blanked; nothing else is given."""
    engine = game.engine
    world = engine.redeal(seen, seat, seeded_rng(0))
    if who.simulations == 0:
        return Decision(random.Random(seed).choice(engine.paths(world, seat)), [], 0)
    search = take_search(game, budget)
    try:
        search.begin(seed)
        search.weights = weights_of(game, who.weights)
        return think(search, world, seat, who, budget, random.Random(seed))
    finally:
        _idle[game.id, search.tree.keys.size].put(search)


@cache
def make_ready(game: Game) -> None:
    """Load or compile a game's search before any clock runs."""
    _idle[game.id, SMALL].put(Search(game, SMALL))


def take_search(game: Game, budget: Budget) -> Search:
    """A search that nobody uses now. Its memory is kept for the next decision."""
    nodes = SMALL if budget.simulations is not None and budget.simulations <= SMALL // 2 else LARGE
    try:
        return _idle[game.id, nodes].get_nowait()
    except queue.Empty:
        return Search(game, nodes)


def think(
    search: Search, now: States, seat: int, who: Opponent, budget: Budget, rng: random.Random
) -> Decision:
    """Step by step until the action is complete; the tree is kept between the steps. `now` is played on."""
    engine = search.game.engine
    path: list[int] = []
    considered: list[tuple[list[int], float, int]] = []
    done = 0
    share = budget.simulations
    while not path or engine.is_inner(now):
        legal = engine.legal(now, seat)
        step = legal[0]
        if len(legal) > 1:
            part = Budget(share, budget.deadline, budget.stop)
            if engine.inner and budget.deadline != float("inf"):
                part.deadline -= (1 - FIRST_SHARE) * max(budget.deadline - time.perf_counter(), 0.0)
            look(search, now, seat)
            done += search.run(part, who.horizon, who.explore, who.played, who.is_informed)
            candidates = search.candidates() or [Candidate(step, 0, 0.0, 0.0)]
            if rng.random() < who.slips:
                slip = rng.choices(candidates, [one.visits or 1 for one in candidates])[0]
                candidates = [slip, *(one for one in candidates if one != slip)]
            step = candidates[0].step
            if not considered:
                considered = [
                    (path + complete(search, now, seat, one.step), one.value, one.visits)
                    for one in candidates[:SHOWN]
                ]
            share = None if share is None else max(1, share // LATER_SHARE)
        path.append(step)
        engine.apply(now, seat, step)
    if considered:
        considered[0] = (path, *considered[0][1:])
    return Decision(path, considered, done)


def look(search: Search, states: States, seat: int) -> None:
    search.look(search.game.engine.seen(states, seat), seat)


def complete(search: Search, now: States, seat: int, step: int) -> list[int]:
    """The action that begins with a step and goes on as the search likes best."""
    engine = search.game.engine
    states, path = now.copy(), [step]
    engine.apply(states, seat, step)
    while engine.is_inner(states):
        look(search, states, seat)
        candidates = search.candidates()
        path.append(candidates[0].step if candidates else engine.legal(states, seat)[0])
        engine.apply(states, seat, path[-1])
    return path
