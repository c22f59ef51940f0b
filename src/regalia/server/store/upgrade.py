"""Which version a database has, and bringing it up to date, for both kinds."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from regalia.server.store import sqlite
from regalia.server.store.backup import connect
from regalia.server.store.whole import VERSION, connect_postgres, postgres


def version_at(database: Path | str) -> tuple[str, str | None]:
    """The database as it may be shown, and its version; None: it is empty. Raises BackupError."""
    if isinstance(database, Path):
        with closing(connect(database)) as connection:
            return str(database), connection.execute(VERSION).fetchone()[0]
    with closing(connect_postgres(database)) as connection:
        shown = postgres().without_password(database)
        there = connection.execute("SELECT to_regclass('alembic_version')").fetchone()
        if there == (None,):
            return shown, None
        found = connection.execute(VERSION).fetchone()
        return shown, found and found[0]


def bring_up_to_date(database: Path | str) -> None:
    """Raises Unusable."""
    if isinstance(database, Path):
        sqlite.bring_up_to_date(database)
    else:
        postgres().bring_up_to_date(database)
