"""`regalia review`: what decided a match, what was luck, what could have been better."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from regalia.cli import files
from regalia.cli.arguments import AsJson, Language
from regalia.cli.language import language_of, word
from regalia.cli.progress import progress
from regalia.locale import say
from regalia.study.levels import LEVELS


def review(
    file: Annotated[Path, typer.Argument(metavar="FILE", help=word("argument.file"))],
    level: Annotated[str, typer.Option(help=word("option.level", levels=", ".join(LEVELS)))] = "normal",
    seat: Annotated[int | None, typer.Option(help=word("option.knew"))] = None,
    as_json: AsJson = False,
    html: Annotated[Path | None, typer.Option(metavar="FILE", help=word("option.html"))] = None,
    svg: Annotated[Path | None, typer.Option(metavar="FILE", help=word("option.svg"))] = None,
    annotated: Annotated[Path | None, typer.Option(metavar="FILE", help=word("option.annotated"))] = None,
    language: Language = None,
) -> None:
    language = language_of(language)
    match = files.read_match(file, None)
    import regalia
    from regalia.study.report import lines

    with progress() as bar:
        task = bar.add_task(file.name, total=None)
        made = regalia.review(match, seat, level, lambda done, of: bar.update(task, completed=done, total=of))
    written = []
    for path, write in ((html, made.html), (svg, made.svg), (annotated, lambda _language: made.annotated())):
        if path is not None:
            files.write(path, write(language))
            written.append(path)
    if as_json:
        typer.echo(json.dumps(made.data(), ensure_ascii=False))
        return
    for path in written:
        typer.echo(say(language, "cli.render.wrote", file=path))
    if not written:
        typer.echo("\n".join(lines(made, language)))
