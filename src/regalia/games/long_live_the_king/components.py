"""What is in the box of Long Live the King, and how areas, cards and steps are numbered.

Areas run as in the table of clauses.md: Man = 0, Sedberouie = 1, … Grentebrige = 12.
Cards run by value: x1 = 0, x2 = 1, x3 = 2. Stakes are the 55 multisets of 1 to 5 cards, small ones first.

Steps
      0 … 12    move to the area, free
     13 … 51    move to the area by a favour roll: 13 for each value, areas within
     52         place the free courtier
     53 … 55    favour roll for a courtier with x1, x2, x3
     56         end
     57 … 69    banish to the area
     70 … 75    reclaim 0 … 5 cards
     76 … 130   stake
    131 … 136   put a 1 … 6 on the next card: highest cards first, on equal cards dice ascending
Outcomes of chance: a die's face 0 … 5, a card's value 0 … 2, or the place of a start area in START.
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import Literal, cast, get_args

import numpy as np

Value = Literal["x1", "x2", "x3"]
AreaName = Literal[
    "Man",
    "Sedberouie",
    "Sarisberie",
    "Rouecestre",
    "Loncastre",
    "Lincolia",
    "Stadford",
    "Lundonia",
    "Lideforde",
    "Wigemor",
    "Tateshale",
    "Oxeneford",
    "Grentebrige",
]

# The map (LK-1): area, votes, neighbours; ~ is a dashed sea line (LK-12).
MAP = """
    Man         2  Wigemor~ Loncastre~
    Sedberouie  2  Loncastre Tateshale
    Sarisberie  2  Oxeneford Lideforde
    Rouecestre  2  Lundonia Grentebrige~
    Loncastre   3  Man~ Sedberouie Tateshale Wigemor
    Lincolia    3  Tateshale Stadford Grentebrige
    Stadford    3  Wigemor Tateshale Lincolia Grentebrige Oxeneford
    Lundonia    3  Oxeneford Grentebrige Rouecestre
    Lideforde   3  Wigemor~ Oxeneford Sarisberie
    Wigemor     4  Man~ Loncastre Tateshale Stadford Oxeneford Lideforde~
    Tateshale   4  Sedberouie Loncastre Wigemor Stadford Lincolia Grentebrige~
    Oxeneford   4  Wigemor Stadford Grentebrige Lundonia Sarisberie Lideforde
    Grentebrige 4  Lincolia Tateshale~ Stadford Oxeneford Lundonia Rouecestre~
"""
ROWS = [line.split() for line in MAP.split("\n") if line.strip()]
AREA_NAMES = cast("tuple[AreaName, ...]", tuple(row[0] for row in ROWS))
AREAS = len(AREA_NAMES)
MAN = AREA_NAMES.index("Man")
SEA_LINES = {frozenset((row[0], near[:-1])) for row in ROWS for near in row[2:] if near.endswith("~")}

# Start areas by number of players; who gets the first of a row plays first (LK-4, LK-5).
START_NAMES = {
    3: ("Rouecestre", "Sarisberie", "Sedberouie"),
    4: ("Tateshale", "Lundonia", "Lideforde", "Man"),
    5: ("Stadford", "Man", "Sedberouie", "Lundonia", "Lideforde"),
}

SEATS = 5  # at most
VALUES = 3  # of influence cards: x1, x2, x3
CARD_NAMES: tuple[Value, ...] = get_args(Value)
DEALT = np.array([12, 7, 1], np.uint8)  # LK-3: cards of each value a player begins with
HAND = 20
COURTIERS = 18  # LK-3, one of which marks the bonus votes
AT_START = 2  # LK-4
FACES = 6
FAVOUR = 3  # LK-20: what die times card must reach
FAVOUR_ODDS: dict[Value, float] = {
    card: sum(face * value >= FAVOUR for face in range(1, FACES + 1)) / FACES
    for value, card in enumerate(CARD_NAMES, 1)
}
PIECE = 2  # LK-53: what a noble or courtier adds in a dispute
MOST_STAKED = 5  # LK-51
MOST_DEALT = 15  # LK-80
TIE_DICE = 5  # LK-77
QUIET_TURNS = 20  # LK-83: per player, without a discard

MOVE = 0
MOVE_BY = MOVE + AREAS
PLACE = MOVE_BY + VALUES * AREAS
ROLL = PLACE + 1
END = ROLL + VALUES
BANISH = END + 1
RECLAIM = BANISH + AREAS
STAKE = RECLAIM + MOST_STAKED + 1

NOWHERE = AREAS  # an area that is none
NO_ONE = SEATS  # a seat that is none


def counts(cards: tuple[int, ...]) -> list[int]:
    return [cards.count(value) for value in range(VALUES)]


# STAKES[stake]: how many cards of each value (LK-51); STAKE_OF[x1, x2, x3] is its inverse.
SIZES = range(1, MOST_STAKED + 1)
CHOICES = [cards for size in SIZES for cards in combinations_with_replacement(range(VALUES), size)]
STAKES = np.array([counts(cards) for cards in CHOICES], np.uint8)
STAKE_OF = np.zeros((MOST_STAKED + 1,) * VALUES, np.uint8)
for number, stake in enumerate(STAKES.tolist()):
    STAKE_OF[tuple(stake)] = number

PUT = STAKE + len(STAKES)
STEPS = PUT + FACES
OUTCOMES = FACES
# Beyond the steps: what can be written but never be legal, so that a clause can refuse it (LK-51, LK-64, LK-52).
NO_STAKE, NO_RECLAIM, NO_DICE = STEPS, STEPS + 1, STEPS + 2

VOTES = np.array([int(row[1]) for row in ROWS], np.uint8)
START = np.full((SEATS + 1, SEATS), NOWHERE, np.uint8)
for seats, names in START_NAMES.items():
    START[seats, :seats] = [AREA_NAMES.index(name) for name in names]


def neighbours(row: list[str]) -> list[int]:
    return [AREA_NAMES.index(name.removesuffix("~")) for name in row[2:]]


# NEIGHBOURS[area, :DEGREE[area]] are its neighbours.
DEGREE = np.array([len(neighbours(row)) for row in ROWS], np.uint8)
NEIGHBOURS = np.full((AREAS, int(DEGREE.max())), NOWHERE, np.uint8)
for area, row in enumerate(ROWS):
    NEIGHBOURS[area, : DEGREE[area]] = neighbours(row)
