"""What a view of the probe holds. Lists without another word are per seat; what a viewer may not know is None."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

ReasonName = Literal["running", "target", "rounds"]


class Position(Struct, frozen=True):
    rounds: int  # finished
    due: int  # cards or dice still to come
    receiver: int  # who is dealt the next card
    leader: int  # whose turn it is
    chosen: list[bool]  # who has staked
    rerolled: bool  # whether dice were rolled again this turn
    marks: list[int]  # faces marked this turn: 0 or 1 for each
    dice: list[int]  # dice on the table, per face
    points: list[int]  # per team
    spent: list[int]  # stakes revealed so far, per value
    shown: list[int]  # the last stakes revealed, 1 to 3; 0 before
    cards: list[int]  # how many each holds, a sealed stake included
    hands: list[list[int | None]]  # per value, a sealed stake excluded
    stakes: list[int | None]  # sealed, 1 to 3; 0 for none
    deck: list[int | None]  # cards not dealt, per value
    reason: ReasonName  # why the match is over


class Derived(Struct, frozen=True):
    teams: list[int]
