"""The board as bits of two numbers, the southern five rows and the northern four, with a gap after each row."""

from __future__ import annotations

import numpy as np

from regalia.core.kernel import kernel
from regalia.games.rose_king.components import CELLS, SIDE
from regalia.games.rose_king.state import State

ROW = SIDE + 1
NEXT = 4 * ROW  # from the lowest row of the north down to the highest of the south
SOUTH = np.array([1 << cell // SIDE * ROW + cell % SIDE if cell < 5 * SIDE else 0 for cell in range(CELLS)])
NORTH = np.array(
    [0 if cell < 5 * SIDE else 1 << (cell // SIDE - 5) * ROW + cell % SIDE for cell in range(CELLS)]
)


@kernel
def bits_of(state: State, owner: int) -> tuple[int, int]:
    """The cells of an owner."""
    south = 0
    north = 0
    for cell in range(CELLS):
        own = -int(state.stones[cell] == owner)
        south |= SOUTH[cell] & own
        north |= NORTH[cell] & own
    return south, north


@kernel
def region_in(first: int, second: int, south: int, north: int) -> tuple[int, int]:
    """The region within south and north to which the first cell of the others belongs.

    It grows on all sides at once.
    """
    here = first & -first
    there = second & -second if here == 0 else 0
    before = 0
    while here + there != before:
        before = here + there
        grown = (here | here << 1 | here >> 1 | here << ROW | here >> ROW | there << NEXT) & south
        there = (there | there << 1 | there >> 1 | there << ROW | there >> ROW | here >> NEXT) & north
        here = grown
    return here, there


@kernel
def ones(bits: int) -> int:
    """How many bits are set: counted in pairs, then in fours, in bytes and so on."""
    bits -= bits >> 1 & 0x5555555555555555
    bits = (bits & 0x3333333333333333) + (bits >> 2 & 0x3333333333333333)
    bits = (bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0F
    bits += bits >> 8
    bits += bits >> 16
    return (bits + (bits >> 32)) & 0x7F
