"""All tables of a database, one after the other and as of one moment, beside a running server or without one."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy import select

from regalia.server.model.events import StoredEvent
from regalia.server.ports import StorageError
from regalia.server.store import schema
from regalia.server.store.backup import connect
from regalia.server.store.file import BackupError
from regalia.server.store.migrate import HEAD
from regalia.server.store.sqlite import bring_up_to_date

ALL = "SELECT id, seq FROM tables ORDER BY updated_ms, id"
VERSION = "SELECT version_num FROM alembic_version"


@dataclass(frozen=True)
class StoredTable:
    id: str
    seq: int  # of its last event, as its row says
    log: list[StoredEvent]


def tables_of(database: Path | str) -> Iterator[StoredTable]:
    """Raises BackupError. Nothing is changed: a file of an older version is read from a copy."""
    if isinstance(database, str):
        yield from in_postgres(database)
        return
    with up_to_date(database) as connection:
        connection.execute("BEGIN")  # one moment for everything
        for table_id, seq in connection.execute(ALL).fetchall():
            yield StoredTable(table_id, seq, read_log(connection, table_id))


def rows_of(database: Path | str, table: str) -> list[dict[str, Any]]:
    """All rows of a table of the schema. Raises BackupError."""
    question = select(schema.metadata.tables[table])
    if isinstance(database, str):
        with closing(connect_postgres(database)) as connection:
            rows = connection.execute(str(question))
            columns = [column.name for column in rows.description or ()]
            return [dict(zip(columns, row, strict=True)) for row in rows]
    with up_to_date(database) as file:
        found = file.execute(str(question))
        return [dict(zip([column[0] for column in found.description], row, strict=True)) for row in found]


@contextmanager
def up_to_date(database: Path) -> Iterator[sqlite3.Connection]:
    """The database as this version knows it: itself, or a copy of one that no server of this version opened yet."""
    with closing(connect(database)) as connection:
        if connection.execute(VERSION).fetchone() == (HEAD,):
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
    return [event_of([column[0] for column in rows.description], row) for row in rows]


def event_of(columns: list[str], row: Any) -> StoredEvent:
    return StoredEvent(**dict(zip(columns, row, strict=True)))


def in_postgres(url: str) -> Iterator[StoredTable]:
    with closing(connect_postgres(url)) as connection:
        shown = postgres().without_password(url)
        try:
            version = connection.execute(VERSION).fetchone()
        except postgres().psycopg.errors.UndefinedTable as error:
            raise BackupError("server.cli.no_database", path=shown) from error
        if version != (HEAD,):
            facts = {"path": shown, "version": version and version[0], "head": HEAD}
            raise BackupError("server.cli.to_migrate", **facts)
        for table_id, seq in connection.execute(ALL).fetchall():
            rows = connection.execute("SELECT * FROM events WHERE table_id = %s ORDER BY seq", (table_id,))
            columns = [column.name for column in rows.description or ()]
            yield StoredTable(table_id, seq, [event_of(columns, row) for row in rows])


def postgres() -> Any:
    """The module, if what it needs is there."""
    try:
        from regalia.server.store import postgres as module
    except ImportError as error:
        raise BackupError("server.cli.no_psycopg") from error
    return module


def connect_postgres(url: str) -> Any:
    """A connection that changes nothing and sees one moment."""
    module = postgres()
    try:
        connection = module.connect(url, options="")
    except module.psycopg.Error as error:
        try:
            shown = module.without_password(url)
        except module.psycopg.Error:
            raise BackupError("server.cli.bad_url") from error
        reason = str(error).strip().splitlines()
        raise BackupError(
            "server.cli.unreachable", path=shown, reason=reason[-1] if reason else ""
        ) from error
    connection.isolation_level = module.psycopg.IsolationLevel.REPEATABLE_READ
    connection.read_only = True
    return connection
