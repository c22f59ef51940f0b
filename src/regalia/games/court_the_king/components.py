"""What is in the box of To Court the King, and how characters, faces and steps are numbered.

Characters run like their clauses: the Fool is CK-50 and 0, the Charlatan CK-51 and 1, … the King CK-69 and 19.
Faces are 1 … 6 in fields that hold a face, and index 0 … 5 in fields that count dice per face.
Powers are numbered 0 … 15 in the order of POWERED: the characters that are used, once a turn.

Steps
     0          roll
     1          pass
     2          done: no more dice in this action
     3 …  8     a die of face 1 … 6: set it aside, choose it for the power in use, or name the new face or the pips
     9 … 24     use the power
    25 … 44     take the character; the Queen's number there means to take none
Outcomes of chance: the start player's seat, or the face of a die less one.
"""

from __future__ import annotations

from enum import IntEnum
from itertools import combinations_with_replacement
from typing import Literal, cast

import numpy as np


class Character(IntEnum):
    FOOL = 0
    CHARLATAN = 1
    FARMER = 2
    MAID = 3
    PHILOSOPHER = 4
    LABORER = 5
    GUARD = 6
    ASTRONOMER = 7
    MERCHANT = 8
    HUNTER = 9
    PAWNBROKER = 10
    KNIGHT = 11
    MAGICIAN = 12
    LADY = 13
    ALCHEMIST = 14
    BISHOP = 15
    NOBLEMAN = 16
    GENERAL = 17
    QUEEN = 18
    KING = 19


CharacterName = Literal[
    "fool",
    "charlatan",
    "farmer",
    "maid",
    "philosopher",
    "laborer",
    "guard",
    "astronomer",
    "merchant",
    "hunter",
    "pawnbroker",
    "knight",
    "magician",
    "lady",
    "alchemist",
    "bishop",
    "nobleman",
    "general",
    "queen",
    "king",
]
CHARACTERS = len(Character)
NAMES = cast("tuple[CharacterName, ...]", tuple(character.name.lower() for character in Character))
LEVELS = (0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5)

# COPIES[seats, character]: cards in play (CK-1, CK-2). The Charlatan is the back of the Fool.
PER_LEVEL = {2: (2, 2, 1, 1, 1, 1), 3: (3, 2, 2, 2, 2, 1), 4: (4, 3, 3, 2, 2, 1), 5: (5, 4, 3, 3, 3, 1)}
COPIES = np.zeros((6, CHARACTERS), np.uint8)
for _seats, _copies in PER_LEVEL.items():
    COPIES[_seats] = [_copies[level] for level in LEVELS]
COPIES[:, Character.CHARLATAN] = 0

FACES = 6
DICE = 12  # CK-3
OWN_DICE = 3  # CK-20
LAST_ROUND = 40  # CK-78
SEVEN = 7  # CK-69: as many of a kind the King asks for

# What a character brings at the start of each turn (CK-42).
COMPULSORY = np.zeros(CHARACTERS, np.uint8)
COMPULSORY[[Character.FARMER, Character.CHARLATAN, Character.GENERAL]] = 1, 1, 2

POWERED = [character for character in Character if not COMPULSORY[character] and character != Character.KING]
POWER_OF: dict[Character, int] = {character: power for power, character in enumerate(POWERED)}
POWERS = len(POWERED)
CHARACTER_OF = np.array(POWERED, np.uint8)
ANY_FACE = FACES + 1
# ADDS[power]: the face of the die it adds, ANY_FACE for the Queen's choice, 0 if it adds none (CK-55 … CK-68).
ADDED = {"LABORER": 1, "GUARD": 2, "HUNTER": 3, "PAWNBROKER": 4, "KNIGHT": 5, "BISHOP": 6, "QUEEN": ANY_FACE}
ADDS = np.array([ADDED.get(character.name, 0) for character in POWERED], np.uint8)

ROLL, PASS, DONE = 0, 1, 2
FACE = 2  # the step FACE + face
USE = FACE + FACES + 1  # the step USE + power
TAKE = USE + POWERS  # the step TAKE + character
TAKE_NONE = TAKE + Character.QUEEN  # who comes with the King and is never taken
STEPS = TAKE + CHARACTERS
OUTCOMES = FACES


def most_pips(source: int, target: int) -> int:
    """CK-54: how many pips may go from one face to another, each number a different effect.

    Moving more than half of the difference downhill would only swap what fewer pips do.
    """
    return (source - target) // 2 if source > target else min(source - 1, FACES - target)


def mixtures(faces: tuple[int, ...]) -> list[tuple[int, ...]]:
    """CK-64: what the Alchemist can make of these dice, without a face that was there before."""
    return [
        made
        for made in combinations_with_replacement(range(1, FACES + 1), len(faces))
        if sum(made) == sum(faces) and not set(made) & set(faces)
    ]


# PIPS[source, target]; MIXES[a, b, c]: 1 if these dice (ascending, c = 0 for two of them) can become others.
PIPS = np.array(
    [[most_pips(a, b) if a and b else 0 for b in range(FACES + 1)] for a in range(FACES + 1)], np.uint8
)
MIXES = np.zeros((FACES + 1,) * 3, np.uint8)
for _size in (2, 3):
    for _dice in combinations_with_replacement(range(1, FACES + 1), _size):
        MIXES[(*_dice, 0)[:3]] = bool(mixtures(_dice))
