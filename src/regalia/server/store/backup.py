"""Copies of the database, beside or instead of a running server."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from regalia.server.store import postgres_backup
from regalia.server.store.file import BackupError, reason_of

# From now on the past is another one than clients may know: an outage without length says so.
BEGIN_EPOCH = """INSERT OR IGNORE INTO outages (from_ms, to_ms)
    SELECT ms, ms FROM (SELECT CAST(strftime('%s', 'now') AS INTEGER) * 1000 AS ms)"""

__all__ = ["BackupError", "back_up", "restore"]


def connect(path: Path) -> sqlite3.Connection:
    if not path.is_file():
        raise BackupError("server.cli.no_file", path=path)
    connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=rw", uri=True, timeout=10)
    try:
        connection.execute("SELECT version_num FROM alembic_version").fetchone()
        sound = connection.execute("PRAGMA quick_check").fetchone()[0] == "ok"
    except sqlite3.DatabaseError as error:
        connection.close()
        raise BackupError(reason_of(error), path=path) from error
    if not sound:
        connection.close()
        raise BackupError("server.cli.damaged", path=path)
    return connection


def back_up(database: Path | str, target: Path, force: bool = False) -> None:
    """A consistent copy, also while the server runs. It appears under its name only when it is whole."""
    if target.exists() and not force:
        raise BackupError("server.cli.file_exists", path=target)
    part = target.with_name(target.name + ".part")
    part.unlink(missing_ok=True)
    if isinstance(database, str):
        postgres_backup.dump(database, part)
        part.replace(target)
        return
    with closing(connect(database)) as source, closing(sqlite3.connect(part)) as copy:
        source.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")
    part.replace(target)


def restore(backup: Path, database: Path | str, force: bool = False) -> None:
    """Put a copy in the database's place. The server must not be running."""
    if isinstance(database, str):
        postgres_backup.restore(backup, database, force)
        return
    with closing(connect(backup)):
        pass
    if database.exists():
        if not force:
            raise BackupError("server.cli.file_exists", path=database)
        check_unused(database)
    part = database.with_name(database.name + ".part")
    database.parent.mkdir(parents=True, exist_ok=True)
    part.unlink(missing_ok=True)
    with closing(connect(backup)) as source, closing(sqlite3.connect(part)) as copy:
        source.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")
        if copy.execute("SELECT 1 FROM sqlite_master WHERE name = 'outages'").fetchone():
            copy.execute(BEGIN_EPOCH)
            copy.commit()
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
        raise BackupError("server.cli.in_use", path=database) from error
    except sqlite3.DatabaseError:
        return  # not a database at all: nothing is lost by replacing it
