"""What happened in The Rose King, step by step."""

from __future__ import annotations

import numpy as np

from regalia.core.effects import Effect
from regalia.core.game import CHANCE
from regalia.games.rose_king.components import CARD_NAMES, CELL_NAMES, CELLS, DRAW, HERO, NEIGHBOURS
from regalia.games.rose_king.rules import fill_region, measure
from regalia.games.rose_king.state import State


class CardDrawn(Effect, frozen=True):
    """RK-6, RK-31: into whose hand it came."""

    seat: int
    card: str


class CrownMoved(Effect, frozen=True, rename={"origin": "from", "target": "to"}):
    """RK-20: the card that was played led the crown from field to field."""

    seat: int
    card: str
    origin: str
    target: str


class StoneLaid(Effect, frozen=True):
    """RK-24: from the supply."""

    seat: int
    field: str


class StoneTurned(Effect, frozen=True):
    """RK-40: by a hero, to this seat's colour."""

    seat: int
    field: str


class RegionsJoined(Effect, frozen=True):
    """RK-60: several regions of a seat became one."""

    seat: int
    count: int  # how many they were
    cells: list[str]  # of the region now


class Scored(Effect, frozen=True):
    """RK-60: what the regions are worth now."""

    points: list[int]  # per seat


def effects(before: State, seat: int, step: int, after: State) -> list[Effect]:
    if seat == CHANCE:
        return [CardDrawn(int(before.turn), CARD_NAMES[step])]
    if step == DRAW:
        return []
    crown, field = int(after.crown), CELL_NAMES[after.crown]
    card = CARD_NAMES[step % HERO]
    stone = StoneLaid(seat, field) if step < HERO else StoneTurned(seat, field)
    return [
        CrownMoved(seat, card, CELL_NAMES[before.crown], field),
        stone,
        *joined(before, seat, crown, after),
        Scored([int(measure(after, each)[0]) for each in range(2)]),
    ]


def joined(before: State, seat: int, cell: int, after: State) -> list[Effect]:
    """Whether the stone on a cell made one region of several."""
    stones = before.stones
    nearby = [near for near in NEIGHBOURS[cell].tolist() if stones[near] == seat]
    if len(nearby) < 2:
        return []
    seen, queue = np.zeros((2, CELLS + 1), np.uint8)
    count = 0
    for near in nearby:
        if not seen[near]:
            fill_region(before, near, seen, queue)
            count += 1
    if count < 2:
        return []
    seen[:] = 0
    size = fill_region(after, cell, seen, queue)
    return [RegionsJoined(seat, count, [CELL_NAMES[near] for near in sorted(queue[:size].tolist())])]
