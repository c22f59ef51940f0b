"""Copies and exports of the database, beside or instead of a running server."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from regalia.server import views
from regalia.server.ports import StorageError, StoredEvent, SystemClock
from regalia.server.protocol import Status
from regalia.server.store.file import reason_of
from regalia.server.store.migrate import HEAD
from regalia.server.store.sqlite import bring_up_to_date
from regalia.server.table import Table

FORMAT = "regalia export 1"


class UpkeepError(Exception):
    """A locale key with its values says what is wrong."""

    def __init__(self, key: str, **values: object) -> None:
        super().__init__(key)
        self.key = key
        self.values = values


def connect(path: Path) -> sqlite3.Connection:
    if not path.is_file():
        raise UpkeepError("server.cli.no_file", path=path)
    connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=rw", uri=True, timeout=10)
    try:
        connection.execute("SELECT version_num FROM alembic_version").fetchone()
        sound = connection.execute("PRAGMA quick_check").fetchone()[0] == "ok"
    except sqlite3.DatabaseError as error:
        connection.close()
        raise UpkeepError(reason_of(error), path=path) from error
    if not sound:
        connection.close()
        raise UpkeepError("server.cli.damaged", path=path)
    return connection


def back_up(database: Path, target: Path, force: bool = False) -> None:
    """A consistent copy, also while the server runs. It appears under its name only when it is whole."""
    if target.exists() and not force:
        raise UpkeepError("server.cli.file_exists", path=target)
    part = target.with_name(target.name + ".part")
    part.unlink(missing_ok=True)
    with closing(connect(database)) as source, closing(sqlite3.connect(part)) as copy:
        source.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")
    part.replace(target)


def restore(backup: Path, database: Path, force: bool = False) -> None:
    """Put a copy in the database's place. The server must not be running."""
    with closing(connect(backup)):
        pass
    if database.exists():
        if not force:
            raise UpkeepError("server.cli.file_exists", path=database)
        check_unused(database)
    part = database.with_name(database.name + ".part")
    database.parent.mkdir(parents=True, exist_ok=True)
    part.unlink(missing_ok=True)
    with closing(connect(backup)) as source, closing(sqlite3.connect(part)) as copy:
        source.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")
    for rest in ("-wal", "-shm"):
        database.with_name(database.name + rest).unlink(missing_ok=True)
    part.replace(database)


def check_unused(database: Path) -> None:
    """No other process has the database open: only then can it leave WAL mode."""
    try:
        with closing(sqlite3.connect(database, timeout=0.2)) as connection:
            connection.execute("PRAGMA locking_mode=EXCLUSIVE")
            connection.execute("PRAGMA journal_mode=DELETE")
    except sqlite3.OperationalError as error:
        raise UpkeepError("server.cli.in_use", path=database) from error
    except sqlite3.DatabaseError:
        return  # not a database at all: nothing is lost by replacing it


def export(database: Path, finished_only: bool = True) -> Iterator[dict[str, Any]]:
    """Every match as one object: who played, how it ended, its transcript and the proof of its dice.

    Matches that still run are left out, or told as a spectator may see them.
    """
    with up_to_date(database) as connection:
        connection.execute("BEGIN")  # one moment for everything
        for (name,) in connection.execute("SELECT id FROM tables ORDER BY updated_ms, id").fetchall():
            table = Table.read(name, read_log(connection, name), SystemClock())
            if table.status is Status.ENDED or (table.status is Status.RUNNING and not finished_only):
                yield told(table)


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
                raise UpkeepError("server.cli.no_database", path=database) from error
            with closing(sqlite3.connect(copy)) as target:
                yield target


def read_log(connection: sqlite3.Connection, name: str) -> list[StoredEvent]:
    rows = connection.execute("SELECT * FROM events WHERE table_id = ? ORDER BY seq", (name,))
    columns = [column[0] for column in rows.description]
    return [StoredEvent(**dict(zip(columns, row, strict=True))) for row in rows]


def told(table: Table) -> dict[str, Any]:
    """What an export says of a table: a spectator's knowledge, and after the end everything."""
    over = table.status is Status.ENDED
    summary = json.loads(msgspec.json.encode(views.summary(table)))
    has_rules = table.match is not None
    return {
        "format": FORMAT,
        **summary,
        "rules": table.created.rules,
        "transcript": views.text(table, views.Viewer(None, None)) if has_rules else None,
        "proof": json.loads(msgspec.json.encode(views.proof(table))) if over and has_rules else None,
    }
