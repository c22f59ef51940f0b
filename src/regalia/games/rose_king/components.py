"""What is in the box of The Rose King, and how cells, cards and steps are numbered.

Cells run row by row from the south-west: a1 = 0, b1 = 1, … i1 = 8, a2 = 9, … i9 = 80; the centre e5 = 40.
Cards run by direction, then distance: N1 N2 N3 NE1 … NW3 = 0 … 23.

Steps
     0 … 23   play the card
    24 … 47   play the card with a hero
    48        draw
Outcomes of chance: the card dealt or drawn, 0 … 23.
"""

from __future__ import annotations

import numpy as np

SIDE = 9
CELLS = SIDE * SIDE
CENTRE = 40
STONES = 52  # RK-4
HEROES = 4  # RK-5
HAND = 5  # RK-6, RK-30
CARDS = 24  # RK-3
DEALT = 2 * HAND
DIRECTIONS = {
    "N": (0, 1),
    "NE": (1, 1),
    "E": (1, 0),
    "SE": (1, -1),
    "S": (0, -1),
    "SW": (-1, -1),
    "W": (-1, 0),
    "NW": (-1, 1),
}
CARD_NAMES = [f"{direction}{distance}" for direction in DIRECTIONS for distance in (1, 2, 3)]
CELL_NAMES = [f"{column}{row}" for row in range(1, SIDE + 1) for column in "abcdefghi"]

HERO = CARDS  # a step from here on is a card played with a hero
DRAW = 2 * CARDS
STEPS = DRAW + 1
OUTCOMES = CARDS

NONE, EDGE = 2, 3  # whose a cell is, besides 0 and 1: nobody's, or off the board
OFF = CELLS  # the one cell beyond the edge, to which every card leads that would leave the board


def target_of(cell: int, card: int) -> int:
    column, row = cell % SIDE, cell // SIDE
    east, north = list(DIRECTIONS.values())[card // 3]
    distance = card % 3 + 1
    column, row = column + east * distance, row + north * distance
    return row * SIDE + column if 0 <= column < SIDE and 0 <= row < SIDE else OFF


# TARGETS[cell, card]: where the card leads the crown, or OFF (RK-20, RK-21).
TARGETS = np.array([[target_of(cell, card) for card in range(CARDS)] for cell in range(CELLS)], np.uint8)
# NEIGHBOURS[cell]: the cells to its north, east, south and west, or OFF (RK-60).
NEIGHBOURS = np.ascontiguousarray(TARGETS[:, [0, 6, 12, 18]])
