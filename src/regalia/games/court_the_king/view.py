"""What a view of To Court the King holds. `Position` is read back by `restore`, `Derived` follows from it.

Dice are listed by their faces, ascending.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from regalia.games.court_the_king.components import CharacterName

FinalRound = Literal["none", "king", "rounds"]
ReasonName = Literal["running", "king", "rounds", "all_passed"]


class Best(Struct, frozen=True):
    """The best result so far of the King's round and the final round."""

    seat: int  # who has it
    count: int  # so many equal dice
    face: int  # of this face


class Position(Struct, frozen=True):
    turn: int  # the seat whose turn it is
    round: int  # 1 … 41; 0 before the start player is drawn
    starter: int  # who holds the start marker
    final: FinalRound  # which final round this is: the King was taken, or the rounds were over
    characters: list[list[CharacterName]]  # the cards of each seat
    best: Best | None
    results: list[list[int] | None]  # the dice of each seat in the final round
    used: list[CharacterName]  # whose powers are spent this turn
    in_hand: int  # dice before the first roll
    rolling: int  # dice that chance has yet to roll
    active: list[int]  # dice rolled or added and not set aside
    aside: list[int]  # dice set aside
    duty: bool  # whether a die must be set aside before the next roll
    reason: ReasonName  # why the match is over


class Equal(Struct, frozen=True):
    """The most equal dice of a result."""

    count: int
    face: int


class Derived(Struct, frozen=True):
    display: dict[CharacterName, int]  # cards left to gain
    order: list[int]  # who is still to play in this round
    dice: int  # how many the player in turn has
    total: int  # the sum of the dice as they lie
    equal: Equal
    ready: list[CharacterName]  # whose powers may still be used this turn
    usable: list[CharacterName]  # whose powers may be used now
    paid: list[CharacterName]  # for whom the dice as they lie would do
    takeable: list[CharacterName]  # who may be taken now
