"""What bots know about The Rose King: where a stone is worth most, and how regions may still grow."""

from __future__ import annotations

import math

import numpy as np

from regalia.bots.uniform import Fact, Reals
from regalia.core.draws import Ints
from regalia.core.kernel import kernel
from regalia.core.templates import Steps
from regalia.games.rose_king.components import (
    CELL_NAMES,
    CELLS,
    DRAW,
    HAND,
    HERO,
    NEIGHBOURS,
    NONE,
    STONES,
    TARGETS,
)
from regalia.games.rose_king.rules import fill_region, score
from regalia.games.rose_king.state import State

WEIGHTS = {
    "lay": 10.0,  # policy: odds of a stone without neighbours,
    "own": 25.0,  # more for each own neighbour
    "rival": 10.0,  # and for each of the opponent's, which it hems in
    "hero": 1.0,  # odds of a hero,
    "hero_own": 6.0,  # more for each own stone it joins
    "hero_rival": 4.0,  # and for each of the opponent's it parts
    "draw": 12.0,  # odds of drawing, per card missing from the hand
    "point": -0.00574,  # evaluation, in units of win odds: per point
    "late_point": 0.033,  # and more of it the fewer stones are left
    "growth": 0.0313,  # per stone of a region and open cell beside it
    "hero_held": 0.0761,  # per hero still held
    "late_hero": 1.65,  # and more of it the fewer stones are left
    "margin": 0.3,  # how much of a result is by how clear it is,
    "clear": 40.0,  # and the lead that is fairly clear
}
(
    LAY, OWN, RIVAL, HERO_BASE, HERO_OWN, HERO_RIVAL, DRAWING, POINT, LATE_POINT, GROWTH, HELD, LATE_HERO, MARGIN, CLEAR,
) = range(len(WEIGHTS))  # fmt: skip
MATES: dict[int, int] = {}
MOST_OPEN = 4  # open cells beside a region that count


@kernel
def policy(state: State, seat: int, steps: Steps, count: int, weights: Reals, odds: Ints) -> int:
    """Stones where they join own ones or stand in the way; heroes where they do both."""
    crown = int(state.crown)
    total = 0
    for k in range(count):
        step = int(steps[k])
        if step == DRAW:
            odd = weights[DRAWING] * (HAND - int(state.held[seat]))
        else:
            cell = int(TARGETS[crown, step if step < HERO else step - HERO])
            own = 0
            rival = 0
            for side in range(4):
                owner = int(state.stones[int(NEIGHBOURS[cell, side])])
                own += owner == seat
                rival += owner == 1 - seat
            if step < HERO:
                odd = weights[LAY] + weights[OWN] * own + weights[RIVAL] * rival
            else:
                odd = weights[HERO_BASE] + weights[HERO_OWN] * own + weights[HERO_RIVAL] * rival
        odds[k] = max(1, int(odd))
        total += odds[k]
    return total


@kernel
def is_quiet(state: State) -> bool:  # noqa: ARG001
    """Nothing is ever half done between two decisions."""
    return True


@kernel
def potential(state: State, weights: Reals, sums: Reals) -> None:
    """Per seat: points, what its regions may still gain, and heroes, which decide most games in the end."""
    queue = np.empty(CELLS, np.uint8)
    seen = np.zeros(CELLS + 1, np.uint8)
    done = 1.0 - int(state.supply) / STONES
    point = weights[POINT] + weights[LATE_POINT] * done
    for seat in range(2):
        sums[seat] = int(state.heroes[seat]) * (weights[HELD] + weights[LATE_HERO] * done)
    for cell in range(CELLS):
        owner = int(state.stones[cell])
        if owner == NONE or seen[cell]:
            continue
        size = fill_region(state, cell, seen, queue)
        sums[owner] += point * size * size
        sums[owner] += weights[GROWTH] * size * min(open_cells(state, queue, size), MOST_OPEN)


@kernel
def open_cells(state: State, queue: Steps, size: int) -> int:
    """Empty cells beside a region; one that touches it twice counts twice, for it is the easier to fill."""
    count = 0
    for k in range(size):
        for side in range(4):
            count += state.stones[int(NEIGHBOURS[int(queue[k]), side])] == NONE
    return count


@kernel
def evaluate(state: State, weights: Reals, values: Reals) -> None:
    potential(state, weights, values)
    values[0] = 1.0 / (1.0 + math.exp(values[1] - values[0]))
    values[1] = 1.0 - values[0]


@kernel
def reward(points: Ints, weights: Reals, values: Reals) -> None:
    """Also by how much: where all simulations are won, or all lost, the search still tells better from worse."""
    lead = (points[0] - points[1]) / weights[CLEAR]
    clear = 0.5 + 0.5 * lead / (1.0 + abs(lead))
    values[0] += weights[MARGIN] * (clear - values[0])
    values[1] = 1.0 - values[0]


def facts(before: State, after: State, seat: int) -> list[Fact]:
    """Regions joined, cut and threatened; then how things stand."""
    standing: list[Fact] = [
        ("bots.rose_king.stands", {"points": points(after, seat), "rival": points(after, 1 - seat)}),
        ("bots.rose_king.heroes", {"heroes": int(after.heroes[seat]), "rival": int(after.heroes[1 - seat])}),
    ]
    if after.crown == before.crown:
        return [("bots.rose_king.draws", {"cards": int(before.held[seat]) + 1}), *standing]
    told: list[Fact] = []
    cell = int(after.crown)
    size, free = region_at(after, cell)
    near = [int(near) for near in NEIGHBOURS[cell]]
    joined = {min(cells_of(before, one)) for one in near if before.stones[one] == seat}
    if len(joined) > 1:
        told.append(("bots.rose_king.joins", {"regions": len(joined), "size": size}))
    elif joined:
        told.append(("bots.rose_king.grows", {"size": size}))
    if after.heroes[seat] < before.heroes[seat]:
        lost = points(before, 1 - seat) - points(after, 1 - seat)
        told.append(("bots.rose_king.flips", {"cell": CELL_NAMES[cell], "points": lost}))
    hemmed = max((len(cells_of(after, one)) for one in near if after.stones[one] == 1 - seat), default=0)
    if hemmed > 1:
        told.append(("bots.rose_king.hems", {"size": hemmed}))
    if size > 1 and free > 1:
        told.append(("bots.rose_king.open", {"size": size, "free": free}))
    gained = points(after, seat) - points(before, seat)
    if gained > 1:
        told.append(("bots.rose_king.gains", {"points": gained}))
    return told + standing


def cells_of(state: State, cell: int) -> list[int]:
    queue, seen = np.zeros(CELLS, np.uint8), np.zeros(CELLS + 1, np.uint8)
    size = fill_region(state, cell, seen, queue)
    return [int(one) for one in queue[:size]]


def region_at(state: State, cell: int) -> tuple[int, int]:
    """The size of the region of a cell, and the number of empty cells beside it."""
    cells = cells_of(state, cell)
    free = {int(near) for one in cells for near in NEIGHBOURS[one] if state.stones[near] == NONE}
    return len(cells), len(free)


def points(state: State, seat: int) -> int:
    found, ranks = np.zeros((2, 2), np.int64)
    score(state, found, ranks)
    return int(found[seat])
