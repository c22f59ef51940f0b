"""`regalia restore`: a copy put back."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from regalia.cli.arguments import AnyDatabase, Force, place_of
from regalia.cli.language import fail, speak


def restore(
    source: Annotated[Path, typer.Argument(help="A copy made by `regalia backup`.")],
    database: AnyDatabase = None,
    force: Force = False,
) -> None:
    """Put a copy in the place of the database. Stop the server first.

    Example: regalia restore regalia-2026-01-31.sqlite3 --force
    """
    from regalia.server.store import backup

    try:
        backup.restore(source, place_of(database), force)
    except backup.BackupError as error:
        fail(error.key, **error.values)
    typer.echo(speak("server.cli.restored", path=source))
