"""`regalia check`: whether everything that is kept is whole."""

from __future__ import annotations

import json
from dataclasses import asdict

import typer

from regalia.cli.arguments import AnyDatabase, AsJson, place_of
from regalia.cli.language import fail, speak


def check(database: AnyDatabase = None, as_json: AsJson = False) -> None:
    """Fold every match of the database anew, and verify its numbers and dice; also while the server runs.

    Example: regalia check --database postgresql://user@host/regalia
    """
    from regalia.server.store import check as checks
    from regalia.server.store.backup import BackupError

    try:
        report = checks.check(place_of(database))
    except BackupError as error:
        fail(error.key, **error.values)
    if as_json:
        typer.echo(json.dumps(asdict(report)))
    else:
        for mistake in report.mistakes:
            typer.echo(mistake, err=True)
        if report.mistakes:
            typer.echo(speak("server.cli.check_failed", count=len(report.mistakes)), err=True)
        else:
            facts = {"tables": report.tables, "events": report.events, "draws": report.draws}
            typer.echo(speak("server.cli.checked", **facts))
    if report.mistakes:
        raise typer.Exit(1)
