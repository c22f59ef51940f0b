"""The events of a table's log, as stored. What a player sees of them is made in `views.py`.

A table is the fold of its events, from `Created` on; nothing else about it needs to be kept. New fields need
defaults, so that old logs stay readable.
"""

from __future__ import annotations

from dataclasses import dataclass

import msgspec
from msgspec import Struct

from regalia.server.model.values import ByHand, ChatScope, Result, SeatKind, TimeControl


class Event(Struct, frozen=True, omit_defaults=True):
    pass


class Created(Event, tag="created", frozen=True):
    game: str
    rules: int
    seats: int
    options: dict[str, str]
    host: str
    host_name: str
    server_seed: str  # secret until the end
    invite: str  # secret of the invitation link
    clock: TimeControl = TimeControl()
    is_public: bool = True
    hotseat: bool = False
    undo: bool = True
    hints: bool = True
    autostart: bool = True
    start: str | None = None  # a transcript: where it begins
    previous: str | None = None
    proof: int = 1  # the format of the proof of its dice
    watch_key: str = ""  # secret of the link to watch; not in logs of version 0.1
    is_imported: bool = False  # `start` is a whole match: there is nothing to play here, only to look at
    by_hand: ByHand = ByHand.NOTHING  # what is rolled and dealt at a real table, and typed
    odds: bool | None = None  # whether odds are told, to all or to nobody; None: where there are hints


class Sat(Event, tag="sat", frozen=True):
    seat: int
    kind: SeatKind
    name: str
    player: str = ""
    bot: str = ""
    seed: str = ""  # the seat's share in the dice
    awaits_seed: bool = False  # its player's client is yet to send it
    is_account: bool = False  # the name is the player's own


class Seeded(Event, tag="seeded", frozen=True):
    """A player's client sent its share in the dice."""

    seats: tuple[int, ...]
    seed: str


class Left(Event, tag="left", frozen=True):
    seat: int


class Started(Event, tag="started", frozen=True):
    transcript: str  # at the first decision, the set-up's draws included
    drawn: int  # how many draws of the table's dice are in it


class Played(Event, tag="played", frozen=True):
    """A record, in the order of arrival."""

    seat: int
    action: str
    outcomes: tuple[str, ...] = ()
    left_ms: tuple[int, ...] = ()  # on every seat's clock afterwards
    fallback: str = ""  # why the bot's own choice was not used


class Rolled(Event, tag="rolled", frozen=True):
    """What fell or was dealt at a real table, typed: outcomes behind the last record."""

    outcomes: tuple[str, ...]
    seat: int | None = None  # whose roll it was
    drawn: int = 0  # so many of the outcomes, the last ones, the table's own dice drew


class Dealt(Event, tag="dealt", frozen=True):
    """What a seat was dealt secretly from real cards, typed by its player. All count when the last one is typed."""

    seat: int
    outcomes: tuple[str, ...]


class Miscounted(Event, tag="miscounted", frozen=True):
    """What all typed cannot have been dealt: they type it again."""


class Proposed(Event, tag="proposed", frozen=True):
    """Somebody wants to amend what was typed: the record at `ply`, or its outcomes from a number on."""

    player: str
    name: str
    ply: int
    outcomes: int | None = None  # None: the action goes as well


class Agreed(Event, tag="agreed", frozen=True):
    player: str


class Kept(Event, tag="kept", frozen=True):
    """Somebody does not agree, and nothing is amended."""

    name: str


class Amended(Event, tag="amended", frozen=True):
    """The match went back into what was typed wrongly; what came after it is played and typed again."""

    name: str
    ply: int
    outcomes: int | None = None
    drawn: int = 0  # how many draws the table's dice had made there
    left_ms: tuple[int, ...] = ()


class Undone(Event, tag="undone", frozen=True):
    seat: int
    ply: int  # the match went back to it
    left_ms: tuple[int, ...] = ()
    drawn: int | None = None  # how many draws the table's dice had made there; None: as many as now
    is_practice: bool = False  # it went back over bots' answers or over chance


class Said(Event, tag="said", frozen=True):
    text: str
    name: str
    seat: int | None = None
    audience: ChatScope = ChatScope.TABLE


class TakenOver(Event, tag="taken_over", frozen=True):
    seat: int
    bot: str


class Reclaimed(Event, tag="reclaimed", frozen=True):
    seat: int


class Offered(Event, tag="offered", frozen=True):
    seat: int


class Declined(Event, tag="declined", frozen=True):
    seat: int


class Resigned(Event, tag="resigned", frozen=True):
    """Out, by will or by time; with more than two seats a bot plays on."""

    seat: int
    by_time: bool = False
    bot: str = ""
    left_ms: tuple[int, ...] = ()  # on every seat's clock then; not in old logs


class Ended(Event, tag="ended", frozen=True):
    result: Result


class Rematched(Event, tag="rematched", frozen=True):
    seat: int
    next: str
    commitment: str = ""  # to the server's seed of the next table


class Closed(Event, tag="closed", frozen=True):
    pass


AnyEvent = (
    Created
    | Sat
    | Seeded
    | Left
    | Started
    | Played
    | Rolled
    | Dealt
    | Miscounted
    | Proposed
    | Agreed
    | Kept
    | Amended
    | Undone
    | Said
    | TakenOver
    | Reclaimed
    | Offered
    | Declined
    | Resigned
    | Ended
    | Rematched
    | Closed
)


@dataclass(frozen=True)
class StoredEvent:
    """One line of a table's log. (table_id, seq) is its key; (table_id, player, command) exists once."""

    table_id: str
    seq: int
    at_ms: int
    body: bytes  # an event, written
    player: str = ""  # who did it; empty: the server itself
    command: str | None = None  # its name, on the first of the events it led to
    fingerprint: bytes | None = None  # of what was commanded


_encoder = msgspec.json.Encoder()
_decoder: msgspec.json.Decoder[AnyEvent] = msgspec.json.Decoder(AnyEvent)


def write(event: AnyEvent) -> bytes:
    return _encoder.encode(event)


def read(body: bytes) -> AnyEvent:
    return _decoder.decode(body)
