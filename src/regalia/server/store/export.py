"""The matches of a database as lines of JSON, for people and programs outside."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from regalia.server.model import views
from regalia.server.model.summary import summary_of
from regalia.server.model.table import Table
from regalia.server.model.values import Status
from regalia.server.ports import SystemTime, read_time
from regalia.server.store.whole import tables_of

FORMAT = "regalia export 1"


def export(database: Path | str, finished_only: bool = True) -> Iterator[dict[str, Any]]:
    """Every match as one object: who played, how it ended, its transcript and the proof of its dice.

    Matches that still run are left out, or told as a spectator may see them.
    """
    for stored in tables_of(database):
        table = Table.read(stored.id, stored.log, read_time(SystemTime()))
        if table.status is Status.ENDED or (table.status is Status.RUNNING and not finished_only):
            yield export_of(table)


def export_of(table: Table) -> dict[str, Any]:
    """What an export says of a table: a spectator's knowledge, and after the end everything."""
    is_over = table.status is Status.ENDED
    line = views.list_line(summary_of(table))
    has_rules = table.match is not None
    is_proved = is_over and has_rules and views.has_proof(table)
    return {
        "format": FORMAT,
        **msgspec.to_builtins(line),
        "rules": table.created.rules,
        "transcript": views.text(table, None) if has_rules else None,
        "proof": msgspec.to_builtins(views.proof(table)) if is_proved else None,
    }
