"""What a view of The Rose King holds. `Position` is read back by `restore`, `Derived` follows from it."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

ReasonName = Literal["running", "stones", "blocked"]


class Position(Struct, frozen=True):
    turn: int  # the seat to act, or for whom a card is turned up
    board: list[str]  # nine rows from north (9) to south (1), a sign per field: r, w or .
    crown: str  # its field: a1 … i9
    hands: list[list[str]]  # cards per seat: N1 … NW3
    heroes: list[int]  # hero cards left per seat
    pile: list[str]  # the cards still to be drawn, in no order
    discards: list[str]
    reason: ReasonName  # why the match is over


class Region(Struct, frozen=True):
    """Stones of one colour that touch."""

    seat: int  # whose they are
    cells: list[str]  # their fields


class Derived(Struct, frozen=True):
    supply: int  # stones left
    scores: list[int]  # points per seat as it stands
    regions: list[Region]
    targets: dict[str, str]  # the field to which each card would lead, of those that stay on the board
