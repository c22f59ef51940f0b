"""SQLite and PostgreSQL behind the `EventStore` port."""

from __future__ import annotations

from pathlib import Path

from regalia.server.store.file import Unusable
from regalia.server.store.sql import SqlStore
from regalia.server.store.sqlite import SqliteStore

__all__ = ["SqlStore", "SqliteStore", "open_store"]


def open_store(database: Path | str) -> SqlStore:
    """The store of a file, or of an address of PostgreSQL. Raises `Unusable`."""
    if isinstance(database, Path):
        return SqliteStore(database)
    try:
        from regalia.server.store.postgres import PostgresStore
    except ImportError as error:
        raise Unusable("server.cli.no_psycopg", database) from error
    return PostgresStore(database)
