"""What a change of a table looks like in the database."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from typing import Any

import msgspec
from msgspec import Raw, Struct

from regalia.server import protocol as wire
from regalia.server.model import events as ev
from regalia.server.model import summary, views
from regalia.server.model.clock import Now
from regalia.server.model.commands import start
from regalia.server.model.events import StoredEvent
from regalia.server.model.table import Table
from regalia.server.model.values import Status
from regalia.server.ports import Append, Write


@dataclass(frozen=True)
class Cause:
    """What led to some events: a player's command, or something that the server does by itself."""

    player: str = ""  # empty: the server
    command: str | None = None
    fingerprint: bytes | None = None

    @classmethod
    def of(cls, player: str, command: wire.AnyCommand | wire.NewTable, name: str) -> Cause:
        return cls(player, name, fingerprint(command))


def fingerprint(command: wire.AnyCommand | wire.NewTable) -> bytes:
    """The same for the same content, also in a later version whose commands have more fields."""
    content = [
        (name, value)
        for name, default in defaults_of(type(command)).items()
        if (value := getattr(command, name)) != default
    ]
    return hashlib.sha256(
        msgspec.json.encode([type(command).__name__, *content], order="deterministic")
    ).digest()[:16]


@cache
def defaults_of(kind: type[Struct]) -> dict[str, Any]:
    """A command's fields but for its id. msgspec works them out anew each time, which would cost more than a play."""
    return {field.name: field.default for field in msgspec.structs.fields(kind) if field.name != "id"}


def to_stored(table: Table, events: list[ev.AnyEvent], at_ms: int, cause: Cause) -> list[StoredEvent]:
    """The events as lines of the log; the first one bears the command."""
    return [
        StoredEvent(
            table.id,
            table.seq + 1 + offset,
            at_ms,
            ev.write(event),
            cause.player,
            cause.command if offset == 0 else None,
            cause.fingerprint if offset == 0 else None,
        )
        for offset, event in enumerate(events)
    ]


class FinalViews(Struct):
    """What each seat, and last a spectator, saw at the end."""

    views: tuple[Raw, ...]


def read_final_views(column: bytes) -> tuple[bytes, ...]:
    return tuple(bytes(view) for view in msgspec.json.decode(column, type=FinalViews).views)


def row_of(table: Table, now: Now, before: Status) -> dict[str, Any]:
    """The table's row: what lists and the start of the server need. `before` is its status until now."""
    deadline = table.timer.deadline()
    final = None
    if table.status is Status.ENDED and before is not Status.ENDED:
        seats = [*range(len(table.chairs)), None]
        views_of = tuple(Raw(views.position(table, seat)) for seat in seats)
        final = msgspec.json.encode(FinalViews(views_of))
    return {
        "id": table.id,
        "game": table.created.game,
        "status": str(table.status),
        "is_public": table.created.is_public,
        "seq": table.seq,
        "updated_ms": table.updated_ms,
        "summary": summary.write(summary.summary_of(table)),
        "deadline_ms": None if deadline is None else now.wall_ms + deadline - now.steady_ms,
        "bot_due": bool(table.bots_due()),
        "final_views": final,
    }


def seat_rows(table_id: str, events: list[ev.AnyEvent]) -> list[dict[str, Any]]:
    rows = []
    for event in events:
        if isinstance(event, ev.Sat):
            rows.append({"table_id": table_id, "seat": event.seat, "player": event.player})
        elif isinstance(event, ev.Left):
            rows.append({"table_id": table_id, "seat": event.seat, "player": ""})
    return rows


def event_names(events: list[ev.AnyEvent]) -> str:
    return " ".join(type(event).__name__.lower() for event in events)


def from_first_events(table_id: str, first: list[ev.AnyEvent], cause: Cause, now: Now) -> tuple[Table, Write]:
    """A new table, and what is written of it; it starts at once when only bots play."""
    table = Table(table_id)
    stored: list[StoredEvent] = []

    def take(events: list[ev.AnyEvent], cause: Cause) -> None:
        lines = to_stored(table, events, now.wall_ms, cause)
        for line in lines:
            table.take(line, now.steady_ms)
        table.remember(lines)
        stored.extend(lines)

    take(first, cause)
    is_ready = table.created.autostart and all(chair.is_ready for chair in table.chairs)
    if table.status is Status.OPEN and is_ready:
        take(start(table, []), Cause(cause.player))
    row = row_of(table, now, Status.OPEN)
    return table, Write([Append(row, stored, seat_rows(table_id, first))])
