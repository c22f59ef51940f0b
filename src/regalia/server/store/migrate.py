"""Brings a database up to date. Alembic is only loaded when there is something to do."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection, text
from sqlalchemy.exc import OperationalError

from regalia.server.ports import StorageError

HEAD = "0002"  # the newest revision in migrations/versions
FOLDER = Path(__file__).parent / "migrations"


class Newer(StorageError):
    """The database is of a version that this program does not know."""


def version_of(connection: Connection) -> str | None:
    try:
        return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    except OperationalError as error:
        if "no such table" in str(error):
            return None
        raise


def migrate(connection: Connection) -> None:
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
    connection.exec_driver_sql("BEGIN IMMEDIATE")
    try:
        command.upgrade(config, "head")
        connection.exec_driver_sql("COMMIT")
    except BaseException:
        connection.exec_driver_sql("ROLLBACK")
        raise
