"""What is in the box of Carolus Magnus, and how provinces, colours, sides and steps are numbered.

Provinces 1 … 15 of the rules are 0 … 14 here, clockwise. Provinces that have merged are one place; a
place is known by its lowest province, so a region of provinces 14, 15, 1 and 2 is place 0. Colours are red,
purple, blue, yellow, green = 0 … 4; sides black, white, grey = 0 … 2.

Steps
     0 … 79   a knight: 16 * colour + place, or 16 * colour + 15 for the own court
    80 … 84   lay disc 1 … 5
    85 … 89   move the emperor 1 … 5 places
    90 … 94   take a knight of a colour for a crown
Outcomes of chance: a colour 0 … 4 or CROWN (knights laid out, dice), a province 0 … 14 (the emperor's start),
a seat 0 … 3 (who lays the first disc).
"""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

Family = Literal["red", "purple", "blue", "yellow", "green"]
Side = Literal["black", "white", "grey"]

COLOURS: tuple[Family, ...] = get_args(Family)
FAMILIES = len(COLOURS)
PROVINCES = 15  # CM-1
KNIGHTS = 40  # of each colour (CM-2)
SPREAD = 3  # of each colour, laid out at the start (CM-3)
DISCS = 5  # CM-6
MOST_SEATS = 4
SIDES: tuple[Side, ...] = get_args(Side)
LEAST_PLACES = 4  # CM-61
MOST_ROUNDS = 100  # CM-64

# By number of seats.
CASTLES = np.array([0, 0, 10, 8, 10], np.uint8)  # per side (CM-5)
RESERVE = np.array([0, 0, 7, 9, 7], np.uint8)  # dice rolled for the starting reserve (CM-7)
SERVICE = np.array(
    [0, 0, 3, 4, 3], np.uint8
)  # knights brought into play, and dice rolled, in an action (CM-20, CM-40)

PARTNERS = ("02-13", "01-23", "03-12")  # CM-8; seat 0's side is black
TEAMS = ((0, 1, 0, 1), (0, 0, 1, 1), (0, 1, 1, 0))

# SIDE_OF[seats, partners, seat]: with 2 or 3 seats each is a side.
SIDE_OF = np.array([[team if seats == 4 else (0, 1, 2, 0) for team in TEAMS] for seats in range(5)], np.uint8)

NONE = 4  # no seat, no side
CROWN = FAMILIES  # the sixth face of a die

COURT = PROVINCES
TARGETS = PROVINCES + 1
DISC = FAMILIES * TARGETS
MOVE = DISC + DISCS
TAKE = MOVE + DISCS
STEPS = TAKE + FAMILIES
OUTCOMES = PROVINCES
