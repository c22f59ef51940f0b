"""What a change of a table looks like in the database."""

from __future__ import annotations

from typing import Any

import msgspec

from regalia.server import events as ev
from regalia.server import protocol as wire
from regalia.server import views
from regalia.server.decide import Player
from regalia.server.ports import Clock, StoredEvent
from regalia.server.protocol import Status, Tempo
from regalia.server.table import SPECTATOR_SEAT, Table


def must_stay(table: Table | None) -> bool:
    """A running live clock counts in memory."""
    return table is not None and bool(table.timer.running) and table.created.clock.tempo is Tempo.LIVE


def command_key(player: Player, command: wire.AnyCommand) -> tuple[int, str]:
    """Under which seat and name a command is remembered."""
    seat = getattr(command, "seat", None)
    if seat is None:
        return SPECTATOR_SEAT, f"{player.id}.{command.id}"
    return int(seat), command.id


def number(
    table: Table, events: list[ev.AnyEvent], at_ms: int, key: tuple[int, str] | None
) -> list[StoredEvent]:
    """The events as lines of the log; the first one bears the command."""
    lines = []
    for offset, event in enumerate(events):
        seat, command = key if key is not None and offset == 0 else (getattr(event, "seat", None), None)
        lines.append(StoredEvent(table.id, table.seq + 1 + offset, at_ms, ev.write(event), seat, command))
    return lines


def row_of(table: Table, clock: Clock) -> dict[str, Any]:
    """The table's row: what lists and the start of the server need."""
    deadline = table.timer.deadline()
    final = None
    if table.status is Status.ENDED and table.match is not None:
        seats = [*range(len(table.chairs)), None]
        final = msgspec.json.encode({"views": [table.match.view(seat) for seat in seats]})
    return {
        "id": table.id,
        "game": table.created.game,
        "status": str(table.status),
        "is_public": table.created.is_public,
        "seq": table.seq,
        "updated_ms": table.updated_ms,
        "summary": msgspec.json.encode(views.summary(table)),
        "deadline_ms": None if deadline is None else clock.wall_ms() + deadline - clock.steady_ms(),
        "bot_due": bool(table.bots_due()),
        "outcome": final,
    }


def seat_rows(table: str, events: list[ev.AnyEvent]) -> list[dict[str, Any]]:
    rows = []
    for event in events:
        if isinstance(event, ev.Sat):
            rows.append({"table_id": table, "seat": event.seat, "player": event.player})
        elif isinstance(event, ev.Left):
            rows.append({"table_id": table, "seat": event.seat, "player": ""})
    return rows


def kinds(events: list[ev.AnyEvent]) -> str:
    return " ".join(type(event).__name__.lower() for event in events)
