"""`regalia backup`: a copy of the database."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from regalia.cli.arguments import AnyDatabase, Force, place_of
from regalia.cli.language import fail, speak


def backup(
    target: Annotated[Path, typer.Argument(help="Where the copy goes.")],
    database: AnyDatabase = None,
    force: Force = False,
) -> None:
    """A copy of the database, also while the server runs.

    Example: regalia backup regalia-2026-01-31.sqlite3
    """
    from regalia.server.store.backup import BackupError, back_up

    try:
        back_up(place_of(database), target, force)
    except BackupError as error:
        fail(error.key, **error.values)
    typer.echo(speak("server.cli.backed_up", path=target))
