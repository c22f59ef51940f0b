"""`regalia render`: a transcript as pictures."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from regalia.cli import files
from regalia.cli.arguments import Language
from regalia.cli.language import language_of, word
from regalia.core.errors import SetupError
from regalia.core.viewers import SPECTATOR
from regalia.locale import say
from regalia.pictures import THEMES, WIDTH, svg
from regalia.pictures.files import MOVING, STILL, kind_of, moving, still


def render(
    file: Annotated[Path, typer.Argument(metavar="FILE", help=word("argument.file"))],
    output: Annotated[
        Path, typer.Option("--output", "-o", help=word("option.output", kinds=", ".join(STILL + MOVING)))
    ],
    ply: Annotated[int | None, typer.Option(metavar="N", help=word("option.ply"))] = None,
    every: Annotated[bool, typer.Option("--every", help=word("option.every"))] = False,
    seat: Annotated[int | None, typer.Option(help=word("option.seat"))] = None,
    chapter: Annotated[int | None, typer.Option(metavar="N", help=word("option.chapter"))] = None,
    theme: Annotated[str, typer.Option(help=word("option.theme", themes=", ".join(THEMES)))] = THEMES[0],
    width: Annotated[int, typer.Option(help=word("option.width"))] = WIDTH,
    language: Language = None,
) -> None:
    language = language_of(language)
    kind = kind_of(output)
    if every and ply is not None:
        raise SetupError("cli.error.every_ply")
    match = files.read_match(file, chapter)
    viewer = SPECTATOR if seat is None else seat

    def picture(at: int | None) -> str:
        return svg(match, at, viewer, theme=theme, language=language, width=width)

    if kind in MOVING and ply is None:
        pictures = {output: moving((picture(at) for at in range(1, match.ply + 1)), kind)}
    elif every:
        digits = len(str(match.ply))
        pictures = {
            output.with_stem(f"{output.stem}-{at:0{digits}}"): still(picture(at), kind)
            for at in range(1, match.ply + 1)
        }
    else:
        one = picture(ply)
        pictures = {output: moving([one], kind) if kind in MOVING else still(one, kind)}
    for path, content in pictures.items():
        files.write_bytes(path, content)
        typer.echo(say(language, "cli.render.wrote", file=path))
