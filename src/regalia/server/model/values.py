"""The types that a table's log is made of, and that clients are told as they are.

What is stored has these shapes for ever: new fields need defaults, and no member of a set may go.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from msgspec import Meta, Struct


class Status(StrEnum):
    """A table's life."""

    OPEN = "open"  # seats are being filled
    RUNNING = "running"
    ENDED = "ended"
    CLOSED = "closed"  # given up before it began


class SeatKind(StrEnum):
    OPEN = "open"  # nobody yet
    HUMAN = "human"
    HOTSEAT = "hotseat"  # a person who holds several seats of this table
    BOT = "bot"


class Tempo(StrEnum):
    """How time is kept."""

    NONE = "none"
    LIVE = "live"  # a reserve and an increment, in seconds and minutes; stands still while the server is down
    TURNS = "turns"  # the same in hours and days, running on


class ChatScope(StrEnum):
    """Whom a chat line reaches."""

    TABLE = "table"
    PARTNERS = "partners"  # only where the rules let partners talk (CM-9)


class SeedSource(StrEnum):
    """Whose a seat's share in the dice is."""

    PLAYER = "player"  # sent by its player after the commitment was told
    BOT = "bot"  # follows from the commitment
    NONE = "none"  # its player sent none, and is not protected against the server


class NoticeKind(StrEnum):
    """What can happen at a table, besides records."""

    CREATED = "created"
    SAT = "sat"
    LEFT = "left"
    STARTED = "started"
    UNDONE = "undone"
    CHAT = "chat"
    TAKEN_OVER = "taken_over"  # a bot plays the seat now
    RECLAIMED = "reclaimed"  # its player plays the seat again
    OFFERED = "offered"  # a draw
    DECLINED = "declined"
    RESIGNED = "resigned"
    FLAGGED = "flagged"  # out of time
    ENDED = "ended"
    REMATCH = "rematch"  # `text` is the id of the next table
    CLOSED = "closed"
    MISCOUNTED = "miscounted"  # the hands that were typed cannot all be: they are typed again
    PROPOSED = "proposed"  # somebody wants to amend what was typed
    KEPT = "kept"  # somebody does not: it stays as it is
    AMENDED = "amended"  # the match went back to what was typed wrongly


class ByHand(StrEnum):
    """What people with the box do themselves, and type."""

    NOTHING = ""  # the program rolls and deals
    DICE = "dice"  # they roll; the program deals
    ALL = "manual"  # they roll, draw and deal


class TimeControl(Struct, frozen=True):
    """Time per seat: `reserve_ms` at the start and `increment_ms` after each action."""

    tempo: Tempo = Tempo.NONE
    reserve_ms: Annotated[int, Meta(ge=0, le=60 * 86_400_000)] = 0
    increment_ms: Annotated[int, Meta(ge=0, le=14 * 86_400_000)] = 0


class Result(Struct, frozen=True):
    """How it ended for everyone. `ranks[seat]` = 1 + the number of better sides."""

    ranks: tuple[int, ...]
    points: tuple[int, ...]
    reason: str  # the game's own reason, or resigned, time, draw


class Notice(Struct, frozen=True):
    """One thing that happened at the table besides records, as people read it."""

    seq: int
    at_ms: int
    kind: NoticeKind
    seat: int | None
    name: str
    text: str  # what was said; the bot's name; the reason of the end; the next table
    audience: ChatScope = ChatScope.TABLE
