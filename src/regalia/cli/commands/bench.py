"""`regalia bench`: how fast the program is."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from regalia.cli.arguments import AsJson, Language
from regalia.cli.language import language_of, word
from regalia.cli.progress import progress


def bench(
    rows: Annotated[list[str] | None, typer.Argument(metavar="ROW", help=word("argument.rows"))] = None,
    as_json: AsJson = False,
    language: Language = None,
) -> None:
    language = language_of(language)
    from regalia.bench import chosen as checked
    from regalia.bench import run

    names = checked(rows or ())
    found: list[dict[str, Any]] = []
    with progress() as bar:
        task = bar.add_task("", total=len(names))
        for name in names:
            bar.update(task, description=name)
            found += run([name])["rows"]
            bar.advance(task)
    if as_json:
        typer.echo(json.dumps({"rows": found}))
    else:
        show_rows(found, language)


def show_rows(rows: list[dict[str, Any]], language: str) -> None:
    from rich.table import Table

    from regalia.cli.screen import Screen

    screen = Screen(language)
    table = Table(box=None, padding=(0, 2, 0, 0))
    for key in ("name", "ours", "peer", "ratio", "unit", "against"):
        table.add_column(
            screen.words(f"cli.bench.{key}"), justify="right" if key in ("ours", "peer", "ratio") else "left"
        )
    for row in rows:
        table.add_row(*(figure(row.get(key)) for key in ("name", "ours", "peer", "ratio", "unit", "against")))
    screen.show(table)


def figure(value: object) -> str:
    """Four digits say enough."""
    if value is None:
        return "–"
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"
    return f"{value:,}" if isinstance(value, int) else str(value)
