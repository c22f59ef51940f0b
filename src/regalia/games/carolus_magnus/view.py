"""What a view of Carolus Magnus holds. `Position` is read back by `restore`, `Derived` follows from it.

Places are numbered 1 to 15 by their lowest province and run clockwise, as provinces do.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from regalia.games.carolus_magnus.components import Family, Side

ReasonName = Literal["running", "castles", "regions", "standstill", "rounds"]


class Counts(Struct, frozen=True):
    """Knights per family."""

    red: int
    purple: int
    blue: int
    yellow: int
    green: int


class Control(Struct, frozen=True):
    """The seat that controls each family."""

    red: int | None
    purple: int | None
    blue: int | None
    yellow: int | None
    green: int | None


class Place(Struct, frozen=True):
    """A province, or a region of several."""

    place: int  # its lowest province
    provinces: list[int]  # clockwise
    knights: Counts
    owner: Side | None  # whose castles stand there
    castles: int


class Player(Struct, frozen=True):
    court: Counts
    reserve: Counts
    disc: int | None  # laid this round: 1 … 5
    used: list[int]  # discs laid since all five were last taken back


class Position(Struct, frozen=True):
    round: int  # 1 … 100; 0 during the set-up
    order: list[int]  # the seats as they lay discs, then as they act
    turn: int | None  # the seat in turn
    due: int  # knights or dice still to come, by phase
    crowns: int  # crowns for which a family is still to be chosen
    brought: bool  # whether a knight came into play this round
    emperor: int | None  # the place it stands in
    ring: list[Place]  # clockwise
    control: Control
    players: list[Player]  # per seat
    reason: ReasonName  # why the match is over


class Team(Struct, frozen=True):
    """A side, and how it stands."""

    side: Side
    seats: list[int]
    castles: int  # on the ring
    stock: int  # castles not yet built
    colours: list[Family]  # the families it controls


class Stop(Struct, frozen=True):
    """A move of the emperor and what it would do."""

    action: str  # its text: `move 2`
    place: int  # where the emperor would stop, by its number before the move
    strengths: dict[Side, int]  # of every side there
    takes: Side | None  # the side that would build or take over
    loses: Side | None  # the side whose castles would leave
    castles: int  # how many would be built or change hands
    merges: list[int]  # the places that would join it
    region: list[int]  # the provinces of the place afterwards, clockwise
    ends: ReasonName | None  # why the game would end
    winners: list[int]  # the seats that would have won, [] if it goes on


class Derived(Struct, frozen=True):
    supply: Counts
    scores: list[int]  # castles per seat: those of its side
    sides: list[Team]
    strengths: list[dict[Side, int]]  # of every side at the table, per place of the ring
    previews: list[Stop]  # the emperor's moves of the player in turn, as things stand
