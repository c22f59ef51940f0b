"""Everything that is true in a game of Long Live the King at one moment."""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated

from regalia.core.layout import EVERYONE, NOBODY, OWNER, Byte, Bytes, Word
from regalia.games.long_live_the_king.components import AREAS, FACES, SEATS, VALUES


class Phase(IntEnum):
    """Chance acts in those up to DEAL, players in those from TURN to STAKES."""

    START = 0  # chance deals the start areas, seat by seat
    DIE = 1  # the one die of a favour roll
    ROLL = 2  # the dice of a dispute
    TIE = 3  # the five dice each of an election's tie
    DEAL = 4  # cards after an election
    TURN = 5  # move, place or end
    ENTERED = 6  # an empty or own area: place, try to move on, or end
    FAILED = 7  # a roll to move on failed: again, or end
    PLACING = 8  # courtiers, the first one free
    DICE = 9  # put the dice on the cards
    PUTTING = 10  # some are put
    BANISH = 11
    RECLAIM = 12
    STAKES = 13  # all who hold cards choose at once
    OVER = 14


class Reason(IntEnum):
    RUNNING = 0
    ELECTED = 1  # LK-74, LK-75


class Election(IntEnum):
    """What the order of the seats decides."""

    NONE = 0
    CROWN = 1  # LK-75: who of those with enough votes wins
    BONUS = 2  # LK-76
    RANKING = 3  # LK-78: the places behind the winner


INNER = frozenset({Phase.PUTTING})
DICE = frozenset({Phase.DIE, Phase.ROLL, Phase.TIE})


class State:
    seats: Annotated[Byte, EVERYONE]  # 3..5
    dice_by_hand: Annotated[Byte, EVERYONE]  # option: 1 when players put their dice themselves
    phase: Annotated[Byte, EVERYONE]
    reason: Annotated[Byte, EVERYONE]
    turn: Annotated[Byte, EVERYONE]  # whose turn it is; in a dispute the intruder
    active: Annotated[Byte, EVERYONE]  # who decides, rolls or is dealt to; in STAKES and at the end as turn
    due: Annotated[Byte, EVERYONE]  # dice or cards that chance still owes in this roll or deal

    # --- The board ---
    nobles: Annotated[Bytes, SEATS, EVERYONE]  # the area of each noble
    owner: Annotated[
        Bytes, AREAS, EVERYONE
    ]  # whose area it is (LK-6): a seat or NO_ONE; the defender's until judged
    courtiers: Annotated[Bytes, AREAS, EVERYONE]  # how many of the owner's stand there: 0..4
    areas: Annotated[Bytes, SEATS, EVERYONE]  # how many areas each owns
    supply: Annotated[Bytes, SEATS, EVERYONE]  # courtiers left: 0..17
    bonus: Annotated[Bytes, SEATS, EVERYONE]  # bonus votes

    # --- Cards ---
    cards: Annotated[Bytes, SEATS, EVERYONE]  # how many each holds; sealed stakes still count
    known: Annotated[Bytes, (SEATS, VALUES), EVERYONE]  # of these, those everyone knows to be there
    hand: Annotated[Bytes, (SEATS, VALUES), OWNER]  # all of them, per value
    sealed: Annotated[Bytes, SEATS, OWNER]  # 1 + the stake chosen while others still choose; else 0
    discards: Annotated[Bytes, VALUES, EVERYONE]  # face up
    face_down: Annotated[
        Byte, EVERYONE
    ]  # the number of those face down: left over from the last deal, or being dealt
    pile: Annotated[Bytes, VALUES, NOBODY]  # and what they are

    # --- This turn ---
    entered: Annotated[Word, EVERYONE]  # a bit per area entered this turn (LK-13)
    placed: Annotated[Byte, EVERYONE]  # 1 after the free courtier
    paid: Annotated[Byte, EVERYONE]  # 1 + the card of the favour roll being rolled; else 0
    target: Annotated[Byte, EVERYONE]  # where it leads; NOWHERE when it is for a courtier
    spent: Annotated[Byte, EVERYONE]  # 1 when a card was discarded this turn
    quiet: Annotated[Byte, EVERYONE]  # turns in a row without a discard (LK-83)

    # --- A dispute ---
    disputed: Annotated[Byte, EVERYONE]  # the area, or NOWHERE
    origin: Annotated[Byte, EVERYONE]  # where the intruder came from, or NOWHERE
    defender: Annotated[Byte, EVERYONE]  # a seat, or NO_ONE
    winner: Annotated[
        Byte, EVERYONE
    ]  # of the dispute, or of the election while the others are ranked; or NO_ONE
    owing: Annotated[Byte, EVERYONE]  # a bit per seat that still has to stake, or to roll
    stakes: Annotated[Bytes, (SEATS, VALUES), EVERYONE]  # the cards on the table
    dice: Annotated[Bytes, (SEATS, FACES), EVERYONE]  # the last roll of each, per face
    totals: Annotated[Bytes, SEATS, EVERYONE]  # additions, and what the dice came to
    loose: Annotated[Bytes, FACES, EVERYONE]  # the dice that the active seat has still to put on cards
    laid: Annotated[Byte, EVERYONE]  # how many are put on cards
    least: Annotated[Byte, EVERYONE]  # the face below which none may be put next

    # --- An election ---
    elections: Annotated[Byte, EVERYONE]  # held so far, this one included
    election: Annotated[Byte, EVERYONE]  # what is being decided: an Election
    standing: Annotated[
        Bytes, SEATS, EVERYONE
    ]  # how many are better, as far as decided; in the end the final places
    sums: Annotated[Bytes, SEATS, EVERYONE]  # dice of the tie being rolled
