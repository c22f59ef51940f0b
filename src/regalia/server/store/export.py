"""The matches of a database as lines of JSON, for people and programs outside."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from regalia.server.model import views
from regalia.server.model.events import StoredEvent
from regalia.server.model.summary import summary_of
from regalia.server.model.table import Table
from regalia.server.model.values import Status
from regalia.server.ports import StorageError, SystemTime, read_time
from regalia.server.store.backup import BackupError, connect
from regalia.server.store.migrate import HEAD
from regalia.server.store.sqlite import bring_up_to_date

FORMAT = "regalia export 1"


def export(database: Path, finished_only: bool = True) -> Iterator[dict[str, Any]]:
    """Every match as one object: who played, how it ended, its transcript and the proof of its dice.

    Matches that still run are left out, or told as a spectator may see them.
    """
    with up_to_date(database) as connection:
        connection.execute("BEGIN")  # one moment for everything
        for (table_id,) in connection.execute("SELECT id FROM tables ORDER BY updated_ms, id").fetchall():
            table = Table.read(table_id, read_log(connection, table_id), read_time(SystemTime()))
            if table.status is Status.ENDED or (table.status is Status.RUNNING and not finished_only):
                yield export_of(table)


@contextmanager
def up_to_date(database: Path) -> Iterator[sqlite3.Connection]:
    """The database as this version knows it: itself, or a copy of one that no server of this version opened yet."""
    with closing(connect(database)) as connection:
        if connection.execute("SELECT version_num FROM alembic_version").fetchone() == (HEAD,):
            yield connection
            return
        with TemporaryDirectory(prefix="regalia-") as scratch:
            copy = Path(scratch) / database.name
            with closing(sqlite3.connect(copy)) as target:
                connection.backup(target)
            try:
                bring_up_to_date(copy)
            except StorageError as error:
                raise BackupError("server.cli.no_database", path=database) from error
            with closing(sqlite3.connect(copy)) as target:
                yield target


def read_log(connection: sqlite3.Connection, table_id: str) -> list[StoredEvent]:
    rows = connection.execute("SELECT * FROM events WHERE table_id = ? ORDER BY seq", (table_id,))
    columns = [column[0] for column in rows.description]
    return [StoredEvent(**dict(zip(columns, row, strict=True))) for row in rows]


def export_of(table: Table) -> dict[str, Any]:
    """What an export says of a table: a spectator's knowledge, and after the end everything."""
    is_over = table.status is Status.ENDED
    line = views.list_line(summary_of(table))
    has_rules = table.match is not None
    return {
        "format": FORMAT,
        **msgspec.to_builtins(line),
        "rules": table.created.rules,
        "transcript": views.text(table, None) if has_rules else None,
        "proof": msgspec.to_builtins(views.proof(table)) if is_over and has_rules else None,
    }
