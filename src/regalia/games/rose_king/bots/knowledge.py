"""What bots know about The Rose King: where a stone is worth most, and how regions may still grow."""

from __future__ import annotations

import math

import numpy as np

from regalia.core.arrays import Ints, Reals, Steps
from regalia.core.contract import Fact
from regalia.core.kernel import kernel
from regalia.games.rose_king.bits import NEXT, ROW, bits_of, ones, region_in
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
    "lay": -0.7,  # policy, in logarithms of odds: a stone without neighbours,
    "own": 0.55,  # more for each own neighbour
    "rival": 0.1,  # and for each of the opponent's, which it hems in
    "hero": -3.9,  # a hero,
    "hero_own": 0.65,  # more for each own stone it joins
    "hero_rival": 0.75,  # and for each of the opponent's it parts
    "draw": 0.75,  # drawing,
    "draw_held": -0.36,  # less for each card held
    "answer": -0.21,  # for each card with which the opponent can answer,
    "best_answer": -0.21,  # for the best of these cells: two for each of its stones beside it, one for each own
    "stuck": 0.54,  # and if the opponent, with a full hand, has no such card
    "point": 0.00515,  # evaluation, in units of win odds: per point
    "late_point": 0.02235,  # and more of it the fewer stones are left (so for all that follow)
    "gain": 0.00779,  # per point that a stone on an empty cell would bring, over all of them
    "late_gain": -0.00496,
    "hero_held": 0.45297,  # per hero still held
    "late_hero": 1.08705,
    "card": 0.10005,  # per card held
    "late_card": -0.39599,
    "reach": 0.04375,  # per card held that could be played now
    "late_reach": 0.13784,
    "margin": 0.3,  # how much of a result is by how clear it is,
    "clear": 40.0,  # and the lead that is fairly clear
}
(
    LAY, OWN, RIVAL, HERO_BASE, HERO_OWN, HERO_RIVAL, DRAWING, DRAW_HELD, ANSWER, BEST_ANSWER, STUCK,
    POINT, LATE_POINT, GAIN, LATE_GAIN, HELD, LATE_HERO, CARD, LATE_CARD, REACH, LATE_REACH, MARGIN, CLEAR,
) = range(len(WEIGHTS))  # fmt: skip
EVEN_ODDS = 64.0  # odds are whole numbers: so many for a logarithm of 0
LARGEST_LOG = 10.0


@kernel
def policy(state: State, seat: int, steps: Steps, count: int, weights: Reals, odds: Ints) -> int:
    """Stones where they join own ones or stand in the way, heroes where they do both; and few good answers."""
    crown = int(state.crown)
    total = 0
    for k in range(count):
        step = int(steps[k])
        cell = crown
        if step == DRAW:
            log = weights[DRAWING] + weights[DRAW_HELD] * int(state.held[seat])
        else:
            cell = int(TARGETS[crown, step if step < HERO else step - HERO])
            own, rival = beside(state, cell, seat)
            if step < HERO:
                log = weights[LAY] + weights[OWN] * own + weights[RIVAL] * rival
            else:
                log = weights[HERO_BASE] + weights[HERO_OWN] * own + weights[HERO_RIVAL] * rival
        answers = 0
        best = 0
        for card in range(int(state.held[1 - seat])):
            target = int(TARGETS[cell, int(state.hands[1 - seat, card])])
            if state.stones[target] == NONE:
                answers += 1
                mine, theirs = beside(state, target, seat)
                best = max(best, 2 * theirs + mine)
        log += weights[ANSWER] * answers + weights[BEST_ANSWER] * best
        if answers == 0 and state.held[1 - seat] == HAND:
            log += weights[STUCK]
        odds[k] = max(1, int(EVEN_ODDS * math.exp(min(log, LARGEST_LOG))))
        total += odds[k]
    return total


@kernel
def beside(state: State, cell: int, seat: int) -> tuple[int, int]:
    """How many neighbours of a cell are the seat's, and how many the opponent's."""
    own = 0
    rival = 0
    for side in range(4):
        owner = int(state.stones[int(NEIGHBOURS[cell, side])])
        own += owner == seat
        rival += owner == 1 - seat
    return own, rival


@kernel
def is_quiet(state: State) -> bool:
    """Nothing is ever half done between two decisions."""
    return True


@kernel
def potential(state: State, weights: Reals, sums: Reals) -> None:
    """Per seat: points, what one more stone would bring, heroes, which decide most games in the end, and cards."""
    done = 1.0 - int(state.supply) / STONES
    point = weights[POINT] + weights[LATE_POINT] * done
    gain = weights[GAIN] + weights[LATE_GAIN] * done
    for seat in range(2):
        points, gains = growth(state, seat)
        sums[seat] = point * points + gain * gains
        sums[seat] += int(state.heroes[seat]) * (weights[HELD] + weights[LATE_HERO] * done)
        sums[seat] += int(state.held[seat]) * (weights[CARD] + weights[LATE_CARD] * done)
        sums[seat] += reach(state, seat) * (weights[REACH] + weights[LATE_REACH] * done)


@kernel
def growth(state: State, seat: int) -> tuple[int, int]:
    """A seat's points; and by how much a stone of it would beat one that stands alone, over all empty cells.

    On a cell beside regions of a, b, … stones that is (1 + a + b + …)² - a² - b² - … - 1, or 2a for each of the
    regions and 2ab for each two of them.
    """
    free_south, free_north = bits_of(state, NONE)
    south, north = bits_of(state, seat)
    points = gains = 0
    while south | north:
        here, there = region_in(south, north, south, north)
        south ^= here
        north ^= there
        size = ones(here) + ones(there)
        points += size * size
        rim_south, rim_north = rim(here, there, free_south, free_north)
        gains += 2 * size * (ones(rim_south) + ones(rim_north))
        near_south, near_north = rim(rim_south, rim_north, south, north)
        while near_south | near_north:  # a region that one stone would join to this one
            here, there = region_in(near_south, near_north, south, north)
            near_south &= ~here
            near_north &= ~there
            shared_south, shared_north = rim(here, there, rim_south, rim_north)
            shared = ones(shared_south) + ones(shared_north)
            gains += 2 * size * (ones(here) + ones(there)) * shared
    return points, gains


@kernel
def rim(here: int, there: int, south: int, north: int) -> tuple[int, int]:
    """Those cells of south and north that lie beside the others."""
    return (
        (here << 1 | here >> 1 | here << ROW | here >> ROW | there << NEXT) & south,
        (there << 1 | there >> 1 | there << ROW | there >> ROW | here >> NEXT) & north,
    )


@kernel
def reach(state: State, seat: int) -> int:
    """Cards of a seat that lead to an empty cell from here, or with a hero to one of the opponent's."""
    count = 0
    for k in range(int(state.held[seat])):
        owner = int(state.stones[TARGETS[int(state.crown), int(state.hands[seat, k])]])
        count += (owner == NONE) | ((owner == 1 - seat) & (state.heroes[seat] > 0))
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
        ("rose_king.bots.stands", {"points": points(after, seat), "rival": points(after, 1 - seat)}),
        ("rose_king.bots.heroes", {"heroes": int(after.heroes[seat]), "rival": int(after.heroes[1 - seat])}),
    ]
    if after.crown == before.crown:
        return [("rose_king.bots.draws", {"cards": int(before.held[seat]) + 1}), *standing]
    lines: list[Fact] = []
    cell = int(after.crown)
    size, free = region_at(after, cell)
    near = [int(near) for near in NEIGHBOURS[cell]]
    joined = {min(cells_of(before, one)) for one in near if before.stones[one] == seat}
    if len(joined) > 1:
        lines.append(("rose_king.bots.joins", {"regions": len(joined), "size": size}))
    elif joined:
        lines.append(("rose_king.bots.grows", {"size": size}))
    if after.heroes[seat] < before.heroes[seat]:
        lost = points(before, 1 - seat) - points(after, 1 - seat)
        lines.append(("rose_king.bots.flips", {"cell": CELL_NAMES[cell], "points": lost}))
    hemmed = max((len(cells_of(after, one)) for one in near if after.stones[one] == 1 - seat), default=0)
    if hemmed > 1:
        lines.append(("rose_king.bots.hems", {"size": hemmed}))
    if size > 1 and free > 1:
        lines.append(("rose_king.bots.open", {"size": size, "free": free}))
    gained = points(after, seat) - points(before, seat)
    if gained > 1:
        lines.append(("rose_king.bots.gains", {"points": gained}))
    return lines + standing


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
    points_of, ranks = np.zeros((2, 2), np.int64)
    score(state, points_of, ranks)
    return int(points_of[seat])
