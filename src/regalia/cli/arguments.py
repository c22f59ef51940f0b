"""Arguments and options that several commands have."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from regalia import GAMES
from regalia.cli.language import word
from regalia.core.errors import SetupError
from regalia.locale import LANGUAGES


def game_names() -> list[str]:
    return list(GAMES)


A_GAME = typer.Argument(
    metavar="GAME", autocompletion=game_names, help=word("argument.game", games=", ".join(GAMES))
)
GameName = Annotated[str, A_GAME]
Language = Annotated[
    str | None, typer.Option("--lang", metavar="|".join(LANGUAGES), help=word("option.lang"))
]
AsJson = Annotated[bool, typer.Option("--json", help=word("option.json"))]
AnyDatabase = Annotated[
    str | None,
    typer.Option(
        "--database",
        envvar="REGALIA_DATABASE",
        help="A file, by default in the data folder; or postgresql://user@host/name.",
    ),
]
Force = Annotated[bool, typer.Option("--force", help="Replace a file that exists.")]


def place_of(database: str | None) -> Path | str:
    """What `AnyDatabase` names."""
    from regalia.server.settings import database_at, default_database

    return database_at(database) if database else default_database()


def pairs(texts: Sequence[str]) -> dict[str, str]:
    """Options of a game, each written NAME=VALUE."""
    result = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not (name and equals and value):
            raise SetupError("cli.error.pair", text=text)
        result[name] = value
    return result
