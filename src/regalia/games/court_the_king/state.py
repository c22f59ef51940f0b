"""Everything that is true in a game of To Court the King at one moment.

Dice are counted per face, never listed: equal dice are interchangeable. What belongs to a turn is of the seat `turn`.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated

from regalia.core.layout import EVERYONE, Byte, Bytes
from regalia.games.court_the_king.components import CHARACTERS, FACES, POWERS


class Phase(IntEnum):
    START = 0  # chance draws the start player
    TURN = 1  # roll, set aside, use a power
    KEEPING = 2  # inside `keep`: more dice, or done
    USING = 3  # inside `use`: which dice
    AIMING = 4  # inside `use`: the new face, or how many pips
    ROLLING = 5  # chance rolls dice, one by one
    TAKE = 6  # the result stands: take a character or none
    FINAL = 7  # a turn of the final round before its first action: like TURN, or pass
    OVER = 8


class Reason(IntEnum):
    RUNNING = 0
    KING = 1  # CK-77
    ROUNDS = 2  # CK-78
    ALL_PASSED = 3  # CK-78, nobody has a result


class Final(IntEnum):
    """Which final round this is, if any."""

    NONE = 0
    KING = 1  # CK-72: the King was taken
    ROUNDS = 2  # CK-78: nobody took him in all the rounds


INNER = frozenset({Phase.KEEPING, Phase.USING, Phase.AIMING})
DICE = frozenset({Phase.ROLLING})

SEATS = 5


class State:
    seats: Annotated[Byte, EVERYONE]  # 2..5
    phase: Annotated[Byte, EVERYONE]
    reason: Annotated[Byte, EVERYONE]
    turn: Annotated[Byte, EVERYONE]  # the seat whose turn it is
    rounds: Annotated[Byte, EVERYONE]  # which round it is: 1..41; 0 before the start player is drawn
    starter: Annotated[Byte, EVERYONE]  # who holds the start marker
    played: Annotated[Byte, EVERYONE]  # turns of this round that are over
    final: Annotated[Byte, EVERYONE]  # which final round: Final
    display: Annotated[Bytes, CHARACTERS, EVERYONE]  # cards left to gain, per character
    owned: Annotated[Bytes, (SEATS, CHARACTERS), EVERYONE]  # cards per seat and character
    # the King's round and the final round
    leader: Annotated[Byte, EVERYONE]  # who has the best result, and with it the King: seat + 1; 0: nobody
    best_count: Annotated[Byte, EVERYONE]  # the best result's value (CK-74): so many equal dice
    best_face: Annotated[Byte, EVERYONE]  # of this face
    results: Annotated[Bytes, (SEATS, FACES), EVERYONE]  # of the final round, dice per seat and face
    # the turn
    ready: Annotated[Bytes, POWERS, EVERYONE]  # 1 for a power that may still be used this turn
    in_hand: Annotated[Byte, EVERYONE]  # dice before the first roll; 0 after it
    rolling: Annotated[Byte, EVERYONE]  # dice that chance has yet to roll
    active: Annotated[Bytes, FACES, EVERYONE]  # dice rolled or added and not set aside, per face
    aside: Annotated[Bytes, FACES, EVERYONE]  # dice set aside, per face
    duty: Annotated[Byte, EVERYONE]  # 1 after a roll until a die is set aside (CK-22)
    # inside an action; all 0 outside
    power: Annotated[Byte, EVERYONE]  # the power in use
    picks: Annotated[Bytes, 3, EVERYONE]  # faces chosen, 0 beyond; of any number: the last
    aim: Annotated[Byte, EVERYONE]  # the first new face of the Alchemist's three
    lifted: Annotated[Bytes, FACES, EVERYONE]  # dice that Lady or Nobleman turned up, per new face
