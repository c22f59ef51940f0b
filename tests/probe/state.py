"""Everything that is true in a game of the probe at one moment."""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated

from probe.components import FACES, SEATS, VALUES
from regalia.core.layout import EVERYONE, NOBODY, OWNER, Byte, Bytes


class Phase(IntEnum):
    DEAL = 0  # chance deals `due` more cards, the next to `receiver`
    STAKE = 1  # all seats choose at once
    ROLL = 2  # chance rolls `due` more dice
    TURN = 3
    PICK = 4  # inside `reroll`
    OVER = 5


class Reason(IntEnum):
    RUNNING = 0
    TARGET = 1
    ROUNDS = 2


INNER = frozenset({Phase.PICK})
DICE = frozenset({Phase.ROLL})


class State:
    seats: Annotated[Byte, EVERYONE]  # 4
    phase: Annotated[Byte, EVERYONE]
    reason: Annotated[Byte, EVERYONE]
    target: Annotated[Byte, EVERYONE]  # the option: 0 for 5 points, 1 for 3
    rounds: Annotated[Byte, EVERYONE]  # finished: 0..3
    due: Annotated[Byte, EVERYONE]  # cards or dice still to come
    receiver: Annotated[Byte, EVERYONE]  # who is dealt the next card
    leader: Annotated[Byte, EVERYONE]  # whose turn it is
    chosen: Annotated[Byte, EVERYONE]  # a bit per seat that has staked
    rerolled: Annotated[Byte, EVERYONE]  # 1 after a re-roll this turn
    last: Annotated[Byte, EVERYONE]  # the last face added to the re-roll being made
    marks: Annotated[Bytes, FACES, EVERYONE]  # faces marked this turn
    dice: Annotated[Bytes, FACES, EVERYONE]  # dice on the table, per face
    points: Annotated[Bytes, 2, EVERYONE]  # per team
    held: Annotated[Bytes, SEATS, EVERYONE]  # cards of each seat, a sealed stake included
    spent: Annotated[Bytes, VALUES, EVERYONE]  # stakes revealed so far, per value
    shown: Annotated[Bytes, SEATS, EVERYONE]  # the last stakes revealed, 1..3; 0 before
    hand: Annotated[Bytes, (SEATS, VALUES), OWNER]  # cards held, per value, a sealed stake excluded
    stake: Annotated[Bytes, (SEATS, 1), OWNER]  # the sealed stake, 1..3; 0: none
    deck: Annotated[Bytes, VALUES, NOBODY]  # cards not dealt, per value
