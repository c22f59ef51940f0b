"""Numbers for handfuls of dice.

A handful is dice without order, counted per face. All handfuls of 0 … 12 dice are numbered by size and, within a
size, like their sorted faces: 1 1 1, 1 1 2, … 6 6 6. There are 18,564 in all.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from regalia.core.arrays import Steps
from regalia.core.kernel import kernel
from regalia.games.court_the_king.components import DICE, FACES

Numbers = NDArray[np.int32]
Reals = NDArray[np.float64]

HANDFULS = 18_564
NONE = -1


class Handfuls(NamedTuple):
    start: Numbers  # [size]: the first handful of that size; the entry after the last size marks the end
    counts: Steps  # [handful, face - 1]: dice per face
    more: Numbers  # [handful, face - 1]: the handful with one more such die; NONE beyond 12 dice
    less: Numbers  # [handful, face - 1]: the handful with one fewer; NONE where there is none
    odds: Reals  # [handful]: how likely it is when so many dice are rolled


@cache
def handfuls() -> Handfuls:
    tables = Handfuls(
        np.zeros(DICE + 2, np.int32),
        np.zeros((HANDFULS, FACES), np.uint8),
        np.full((HANDFULS, FACES), NONE, np.int32),
        np.full((HANDFULS, FACES), NONE, np.int32),
        np.zeros(HANDFULS, np.float64),
    )
    number_handfuls(tables)
    return tables


def number_of_faces(faces: Iterable[int], handful: int = 0) -> int:
    """The handful of these dice, together with another."""
    for face in faces:
        handful = int(handfuls().more[handful, face - 1])
    return handful


@kernel
def number_handfuls(tables: Handfuls) -> None:
    tables.start[1] = 1
    tables.odds[0] = 1.0
    for size in range(DICE):
        found = int(tables.start[size + 1])
        for handful in range(tables.start[size], tables.start[size + 1]):
            found = extend_handful(tables, handful, found)
        tables.start[size + 2] = found


@kernel
def extend_handful(tables: Handfuls, handful: int, found: int) -> int:
    """Adds a die of each face. With its highest face or one above, a handful comes first from here and is numbered."""
    counts, more, less, odds = tables.counts, tables.more, tables.less, tables.odds
    top = FACES - 1
    while top > 0 and counts[handful, top] == 0:
        top -= 1
    for face in range(FACES):
        if face < top:
            # Without a die of the top face it was extended before; put that die back.
            larger = int(more[more[less[handful, top], face], top])
        else:
            larger = found
            found += 1
            for k in range(FACES):
                counts[larger, k] = counts[handful, k]
            counts[larger, face] += 1
        more[handful, face] = larger
        less[larger, face] = handful
        odds[larger] += odds[handful] / FACES
    return found
