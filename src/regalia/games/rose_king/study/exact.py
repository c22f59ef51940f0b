"""When a lead in The Rose King can no longer change."""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np

from regalia.core.arrays import States
from regalia.games.rose_king.components import CELLS, NONE
from regalia.games.rose_king.rules import score
from regalia.games.rose_king.state import State

MOST_TRIED = 4_000  # ways to lay and flip the stones left; beyond that nothing is said


def shares(states: States) -> tuple[float, ...] | None:
    """One for a seat whose lead the stones and heroes left cannot take, else nothing is known."""
    for seat in range(2):
        if holds(states[0], seat):
            return (1.0, 0.0) if seat == 0 else (0.0, 1.0)
    return None


def holds(state: State, seat: int) -> bool:
    """Whether the seat leads whatever happens.

    The rival may get every stone of the supply and use every hero. A hero may also flip a stone that the seat lays yet:
    so each new stone of the rival stands on a cell empty now or on one of the seat's, the latter no more than heroes.
    The seat's own stones only help it, so none are laid.
    """
    rival = 1 - seat
    heroes = int(state.heroes[rival])
    stones = int(state.supply) + heroes
    if lead(state, seat) <= 0:
        return False
    empty, own = (np.flatnonzero(state.stones[:CELLS] == owner).tolist() for owner in (NONE, seat))
    ways = [(min(stones - flips, len(empty)), flips) for flips in range(min(heroes, len(own)) + 1)]
    if sum(comb(len(empty), laid) * comb(len(own), flips) for laid, flips in ways) > MOST_TRIED:
        return False
    board = state.stones.copy()
    try:
        for laid, flips in ways:
            for cells in combinations(empty, laid):
                for flipped in combinations(own, flips):
                    state.stones[:] = board
                    state.stones[[*cells, *flipped]] = rival
                    if lead(state, seat) <= 0:
                        return False
        return True
    finally:
        state.stones[:] = board


def lead(state: State, seat: int) -> int:
    points, ranks = np.zeros((2, 2), np.int64)
    score(state, points, ranks)
    return int(points[seat] - points[1 - seat])
