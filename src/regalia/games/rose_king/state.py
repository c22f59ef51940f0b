"""Everything that is true in a game of The Rose King at one moment."""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated

from regalia.core.layout import EVERYONE, Byte, Bytes
from regalia.games.rose_king.components import CARDS, CELLS, HAND


class Phase(IntEnum):
    DEAL = 0  # chance deals the ten cards of the start
    TURN = 1  # a player plays or draws
    DRAW = 2  # chance turns up the drawn card
    OVER = 3


class Reason(IntEnum):
    RUNNING = 0
    STONES = 1  # RK-50
    BLOCKED = 2  # RK-51


INNER: frozenset[Phase] = frozenset()
DICE: frozenset[Phase] = frozenset()


class State:
    seats: Annotated[Byte, EVERYONE]  # 2
    phase: Annotated[Byte, EVERYONE]
    reason: Annotated[Byte, EVERYONE]
    turn: Annotated[Byte, EVERYONE]  # the seat to act, or for whom a card is turned up
    crown: Annotated[Byte, EVERYONE]  # its cell: 0..80
    supply: Annotated[Byte, EVERYONE]  # stones left: 0..52
    heroes: Annotated[Bytes, 2, EVERYONE]  # hero cards left per seat: 0..4
    held: Annotated[Bytes, 2, EVERYONE]  # cards in each hand: 0..5
    hands: Annotated[Bytes, (2, HAND), EVERYONE]  # the cards held, ascending; 0 beyond them
    left: Annotated[Byte, EVERYONE]  # cards in the pile
    # A card in no hand and not in the pile is discarded.
    pile: Annotated[
        Bytes, CARDS, EVERYONE
    ]  # the cards there, ascending (their order is not known); 0 beyond them
    stones: Annotated[Bytes, CELLS + 1, EVERYONE]  # owner of each cell: 0, 1 or NONE; EDGE for the cell OFF
