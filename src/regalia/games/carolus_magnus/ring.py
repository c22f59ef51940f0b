"""The ring of places, read back and merged: CM-1, CM-54, CM-55."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

import numpy as np

from regalia.core.arrays import Ints
from regalia.core.kernel import kernel
from regalia.games.carolus_magnus.components import FAMILIES, NONE, PROVINCES
from regalia.games.carolus_magnus.state import State


class Column(IntEnum):
    """What a row of the ring says about its place."""

    PLACE = 0
    FIRST = 1  # its first province, clockwise
    SIZE = 2  # how many provinces
    CASTLES = 3
    OWNER = 4
    KNIGHTS = 5  # and the columns behind it: one per colour


COLUMNS = Column.KNIGHTS + FAMILIES


class Place(NamedTuple):
    """A province or region as people number it."""

    number: int  # its lowest province: 1..15
    provinces: list[int]  # clockwise
    knights: list[int]  # per colour
    castles: int
    owner: int  # a side or NONE


def places(state: State) -> list[Place]:
    """The whole ring, clockwise from the place of province 1."""
    ring = np.zeros((PROVINCES, COLUMNS), np.int64)
    return list_places(ring, read_ring(state, ring))


def list_places(ring: Ints, count: int) -> list[Place]:
    return [
        Place(place + 1, [(first + k) % PROVINCES + 1 for k in range(size)], knights, castles, owner)
        for place, first, size, castles, owner, *knights in ring[:count].tolist()
    ]


@kernel
def next_place(state: State, place: int) -> int:
    """The next place clockwise. By its lowest province: the place of province 0 follows the last."""
    province = place + 1
    while province < PROVINCES and state.place[province] != province:
        province += 1
    return province % PROVINCES


@kernel
def previous_place(state: State, place: int) -> int:
    province = (place + PROVINCES - 1) % PROVINCES
    while state.place[province] != province:
        province -= 1
    return province


@kernel
def read_ring(state: State, ring: Ints) -> int:
    """CM-1, CM-55: a row for every place, clockwise from the one of province 0; returns how many."""
    count = 0
    for place in range(PROVINCES):
        if state.place[place] == place:
            first = place
            while state.place[(first + PROVINCES - 1) % PROVINCES] == place:
                first = (first + PROVINCES - 1) % PROVINCES
            size = 1
            while state.place[(first + size) % PROVINCES] == place:
                size += 1
            ring[count, Column.PLACE] = place
            ring[count, Column.FIRST] = first
            ring[count, Column.SIZE] = size
            ring[count, Column.CASTLES] = int(state.castles[place])
            ring[count, Column.OWNER] = int(state.owner[place])
            for colour in range(FAMILIES):
                ring[count, Column.KNIGHTS + colour] = int(state.knights[place, colour])
            count += 1
    return count


@kernel
def count_places(state: State) -> int:
    count = 0
    for province in range(PROVINCES):
        count += int(state.place[province] == province)
    return count


@kernel
def merge(state: State, one: int, other: int) -> int:
    """CM-54: two places become one, known by the lower, with all knights and castles. Returns it."""
    place = min(one, other)
    gone = max(one, other)
    for province in range(PROVINCES):
        if state.place[province] == gone:
            state.place[province] = place
    for colour in range(FAMILIES):
        state.knights[place, colour] += state.knights[gone, colour]
        state.knights[gone, colour] = 0
    state.castles[place] += state.castles[gone]
    state.castles[gone] = 0
    state.owner[gone] = NONE
    return place
