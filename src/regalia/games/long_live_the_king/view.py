"""What a view of Long Live the King holds. `Position` is read back by `restore`, `Derived` follows from it.

Lists without another word are per seat. What a viewer may not know is None.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from regalia.games.long_live_the_king.components import AreaName, Value

ElectionName = Literal["crown", "bonus", "ranking"]
ReasonName = Literal["running", "elected"]


class Counts(Struct, frozen=True):
    """Influence cards per value."""

    x1: int
    x2: int
    x3: int


class Holding(Struct, frozen=True):
    """An area that belongs to somebody."""

    seat: int
    courtiers: int


class Favour(Struct, frozen=True):
    """A favour roll that is being rolled."""

    card: Value  # what is paid
    area: AreaName | None  # where it leads, unless it is for a courtier


class Dispute(Struct, frozen=True, rename={"origin": "from"}):
    area: AreaName
    origin: AreaName  # where the intruder came from
    defender: int
    winner: int | None
    owing: list[int]  # who still has to stake, or to roll
    stakes: list[list[Value]]  # the cards on the table
    dice: list[list[int]]  # the last roll of each
    totals: list[int]  # additions, and what the dice came to


class Election(Struct, frozen=True):
    deciding: ElectionName  # what the order of the seats decides
    winner: int | None  # while the others are ranked
    sums: list[int]  # dice of the tie being rolled


class Position(Struct, frozen=True):
    turn: int  # whose turn it is; in a dispute the intruder
    active: int  # who decides, rolls or is dealt to
    due: int  # dice or cards that chance still owes in this roll or deal
    areas: dict[AreaName, Holding]  # those that belong to somebody
    nobles: list[AreaName | None]
    bonus: list[int]  # bonus votes
    cards: list[int]  # how many each holds; sealed stakes still count
    known: list[Counts]  # of these, those everyone knows to be there
    hands: list[Counts | None]
    sealed: list[list[Value] | None]  # stakes chosen while others still choose; [] for none
    discards: Counts  # face up
    face_down: int  # cards face down: left over from the last deal, or being dealt
    pile: Counts | None  # and what they are
    entered: list[AreaName]  # areas entered this turn
    placed: bool  # whether the free courtier was placed
    favour: Favour | None
    spent: bool  # whether a card was discarded this turn
    quiet: int  # turns in a row without a discard
    dispute: Dispute | None
    elections: int  # held so far, this one included
    election: Election | None
    standing: list[int]  # how many are better, as far as decided; in the end the final places
    reason: ReasonName  # why the match is over


class Derived(Struct, frozen=True):
    supply: list[int]  # courtiers left
    area_votes: list[int]  # of all own areas, less a third without cards
    held_votes: list[int]  # of all own areas
    reduced_votes: list[int]  # what would be left of them without cards
    total_votes: list[int]  # with the bonus
    needed_votes: int  # to be elected
    unknown: list[int]  # cards of each that not everyone knows
    pool: Counts  # the cards among which these are
    favour_odds: dict[Value, float]  # how likely a favour roll with each card succeeds
    quiet_left: int  # turns without a discard until an election
    additions: list[int] | None  # what each adds to the dice of the dispute
    chosen: list[int] | None  # the seats that have staked
    banished: int | None  # whose noble goes next
    placing: AreaName | None  # where the active seat would place
