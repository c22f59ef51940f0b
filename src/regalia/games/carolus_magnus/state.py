"""Everything that is true in a game of Carolus Magnus at one moment."""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated

from regalia.core.layout import EVERYONE, Byte, Bytes
from regalia.games.carolus_magnus.components import FAMILIES, MOST_SEATS, PROVINCES, SIDES


class Phase(IntEnum):
    SPREAD = 0  # chance lays a knight into each province
    ARRIVAL = 1  # chance says where the emperor starts
    DICE = 2  # chance rolls for the reserve of the player in turn
    START = 3  # chance says who lays the first disc
    DISC = 4  # a player lays a disc
    KNIGHTS = 5  # a player brings a knight into play
    EMPEROR = 6  # a player moves the emperor
    CROWN = 7  # a player chooses a colour for a crown
    OVER = 8


class Reason(IntEnum):
    RUNNING = 0
    CASTLES = 1  # CM-60
    REGIONS = 2  # CM-61
    STANDSTILL = 3  # CM-64: a round without a new knight
    ROUNDS = 4  # CM-64: round 100 is over


INNER: frozenset[Phase] = frozenset()
DICE: frozenset[Phase] = frozenset({Phase.DICE})


class State:
    seats: Annotated[Byte, EVERYONE]  # 2..4
    phase: Annotated[Byte, EVERYONE]
    reason: Annotated[Byte, EVERYONE]
    partners: Annotated[Byte, EVERYONE]  # the option, by index; 0 with 2 or 3 seats
    confer: Annotated[Byte, EVERYONE]  # likewise
    rounds: Annotated[Byte, EVERYONE]  # the number of the round: 1..100; 0 during the set-up
    order: Annotated[
        Bytes, MOST_SEATS, EVERYONE
    ]  # the seats as they lay discs, then as they act; 0 beyond them
    at: Annotated[Byte, EVERYONE]  # how far in that order: order[at] is in turn
    due: Annotated[Byte, EVERYONE]  # knights to lay out or to bring into play, or dice to roll, by phase
    crowns: Annotated[Byte, EVERYONE]  # crowns for which a colour is still to be chosen
    brought: Annotated[Byte, EVERYONE]  # 1 when a knight came into play this round
    discs: Annotated[Bytes, MOST_SEATS, EVERYONE]  # the disc each seat laid this round: 1..5, 0 for none
    used: Annotated[Bytes, MOST_SEATS, EVERYONE]  # the discs each seat has used: bit d for disc d + 1
    emperor: Annotated[Byte, EVERYONE]  # the place it stands in
    place: Annotated[Bytes, PROVINCES, EVERYONE]  # the place each province belongs to: its lowest province
    knights: Annotated[
        Bytes, (PROVINCES, FAMILIES), EVERYONE
    ]  # per place and colour; 0 where no place begins
    castles: Annotated[Bytes, PROVINCES, EVERYONE]  # per place
    owner: Annotated[Bytes, PROVINCES, EVERYONE]  # the side whose castles stand there, or NONE
    stock: Annotated[Bytes, len(SIDES), EVERYONE]  # castles not on the table, per side
    control: Annotated[Bytes, FAMILIES, EVERYONE]  # the seat that controls a colour, or NONE
    courts: Annotated[Bytes, (MOST_SEATS, FAMILIES), EVERYONE]
    reserves: Annotated[Bytes, (MOST_SEATS, FAMILIES), EVERYONE]
    supply: Annotated[Bytes, FAMILIES, EVERYONE]
