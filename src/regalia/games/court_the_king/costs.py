"""What a result is worth: the costs of the characters, and the value that decides the final round."""

from __future__ import annotations

import numpy as np

from regalia.core.arrays import Steps
from regalia.core.kernel import kernel
from regalia.games.court_the_king.components import CHARACTERS, FACES, SEVEN, Character

ODD = 0b010101  # the faces 1, 3, 5 as bits
EVEN = 0b101010
LOW_FIVE = 0b011111
HIGH_FIVE = 0b111110

# The total a character asks for, 0 if it asks for something else.
LEAST_TOTAL = np.zeros(CHARACTERS, np.uint8)
LEAST_TOTAL[[Character.LABORER, Character.MERCHANT, Character.PAWNBROKER]] = 15, 20, 30


@kernel
def is_met(dice: Steps, character: int) -> bool:
    """CK-32, CK-50…69: whether dice (counted per face) pay for a character. The Charlatan asks for a Fool instead."""
    if character >= Character.QUEEN:
        return character == Character.KING and most_equal(dice) >= SEVEN
    if LEAST_TOTAL[character] > 0:
        return total_of(dice) >= int(LEAST_TOTAL[character])
    if character in (Character.MAID, Character.PHILOSOPHER, Character.MAGICIAN, Character.ALCHEMIST):
        return has_faces(faces_of(dice), character)
    return has_groups(dice, character)


@kernel
def has_faces(faces: int, character: int) -> bool:
    """Costs that ask which faces there are."""
    if character == Character.MAID:
        return faces & EVEN == 0
    if character == Character.PHILOSOPHER:
        return faces & ODD == 0
    if character == Character.MAGICIAN:
        return faces & LOW_FIVE == LOW_FIVE or faces & HIGH_FIVE == HIGH_FIVE
    return faces == LOW_FIVE | HIGH_FIVE


@kernel
def has_groups(dice: Steps, character: int) -> bool:
    """Costs that ask for equal dice. Six of a kind is three pairs and two triples."""
    most = most_equal(dice)
    if character == Character.FARMER:
        return most >= 2
    if character == Character.GUARD:
        return most >= 3
    if character == Character.HUNTER:
        return most >= 4
    if character == Character.KNIGHT:
        return most >= 5
    if character == Character.GENERAL:
        return most >= 6
    if character == Character.ASTRONOMER:
        return groups_of(dice, 2) >= 2
    if character == Character.BISHOP:
        return groups_of(dice, 2) >= 3
    if character == Character.NOBLEMAN:
        return groups_of(dice, 3) >= 2
    if character == Character.LADY:
        return most >= 5 or (most >= 3 and faces_with(dice, 2) >= 2)
    return True  # the Fool


@kernel
def total_of(dice: Steps) -> int:
    total = 0
    for k in range(FACES):
        total += int(dice[k]) * (k + 1)
    return total


@kernel
def number_of(dice: Steps) -> int:
    number = 0
    for k in range(FACES):
        number += int(dice[k])
    return number


@kernel
def faces_of(dice: Steps) -> int:
    """The faces there are, a bit each."""
    faces = 0
    for k in range(FACES):
        if dice[k] > 0:
            faces |= 1 << k
    return faces


@kernel
def most_equal(dice: Steps) -> int:
    most = 0
    for k in range(FACES):
        most = max(most, int(dice[k]))
    return most


@kernel
def faces_with(dice: Steps, least: int) -> int:
    """How many faces show at least so many dice."""
    faces = 0
    for k in range(FACES):
        if dice[k] >= least:
            faces += 1
    return faces


@kernel
def groups_of(dice: Steps, size: int) -> int:
    groups = 0
    for k in range(FACES):
        groups += int(dice[k]) // size
    return groups


@kernel
def best_face(dice: Steps) -> int:
    """CK-74: the face of the most equal dice, the highest of several; 0 without dice."""
    face = 0
    most = 1
    for k in range(FACES):
        if dice[k] >= most:
            most = int(dice[k])
            face = k + 1
    return face
