"""Brings a database up to date. Alembic is only loaded when there is something to do."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection, inspect, text

from regalia.server.ports import StorageError

HEAD = "0005"  # the newest revision in migrations/versions
FOLDER = Path(__file__).parent / "migrations"


class Newer(StorageError):
    """The database is of a version that this program does not know."""


def is_up_to_date(connection: Connection) -> bool:
    return version_of(connection) == HEAD


def version_of(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    version: str | None = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return version


def migrate(connection: Connection) -> None:
    """Within a transaction of the caller, that nobody else has at the same time."""
    version = version_of(connection)
    if version == HEAD:
        return
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    config.attributes["connection"] = connection
    known = {revision.revision for revision in ScriptDirectory.from_config(config).walk_revisions()}
    if version is not None and version not in known:
        raise Newer(version)
    command.upgrade(config, "head")
