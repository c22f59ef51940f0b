"""`regalia migrate`: bring a database up to date, or say whether it is."""

from __future__ import annotations

from typing import Annotated

import typer

from regalia.cli.arguments import AnyDatabase, place_of
from regalia.cli.language import fail, speak


def migrate(
    database: AnyDatabase = None,
    check: Annotated[
        bool, typer.Option("--check", help="Change nothing; exit code 1 if there is something to do.")
    ] = False,
) -> None:
    """Bring the database up to date, as the start of the server would.

    Example: regalia migrate --check
    """
    from regalia.server.store.backup import BackupError
    from regalia.server.store.file import Unusable
    from regalia.server.store.migrate import HEAD
    from regalia.server.store.upgrade import bring_up_to_date, version_at

    try:
        shown, version = version_at(place_of(database))
        if version == HEAD:
            typer.echo(speak("server.cli.up_to_date", path=shown, version=version))
            return
        if not check:
            bring_up_to_date(place_of(database))
    except (BackupError, Unusable) as error:
        fail(error.key, **error.values)
    if check:
        typer.echo(speak("server.cli.to_migrate", path=shown, version=version or "-", head=HEAD), err=True)
        raise typer.Exit(1)
    typer.echo(speak("server.cli.migrated", path=shown, head=HEAD))
