"""`regalia export`: finished matches as data."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, TextIO

import typer

from regalia.cli.arguments import AnyDatabase, Force, place_of
from regalia.cli.language import fail, speak


def export(
    target: Annotated[Path, typer.Argument(help="A file of JSON lines; - is stdout.")],
    database: AnyDatabase = None,
    running: Annotated[
        bool, typer.Option("--running", help="Also matches that still run, as a spectator sees them.")
    ] = False,
    force: Force = False,
) -> None:
    """Finished matches as JSON lines, each with its transcript and the proof of its dice.

    Example: regalia export matches.jsonl
    """
    from regalia.server.store.backup import BackupError
    from regalia.server.store.export import export as matches_of

    to_stdout = str(target) == "-"
    if target.exists() and not force and not to_stdout:
        fail("server.cli.file_exists", path=target)
    matches = matches_of(place_of(database), finished_only=not running)
    part = target.with_name(target.name + ".part")
    try:
        if to_stdout:
            write_lines(matches, sys.stdout)
            return
        with part.open("w", encoding="utf-8") as file:
            count = write_lines(matches, file)
        part.replace(target)
    except BackupError as error:
        fail(error.key, **error.values)
    finally:
        part.unlink(missing_ok=True)
    typer.echo(speak("server.cli.exported", count=count, path=target))


def write_lines(matches: Iterable[dict[str, Any]], file: TextIO) -> int:
    """A match a line, each as soon as it is read; returns how many."""
    count = 0
    for match in matches:
        file.write(json.dumps(match, ensure_ascii=False) + "\n")
        count += 1
    return count
