"""`regalia rules` and `regalia games`: what one can look up."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from regalia import GAMES
from regalia.cli.play import GameName
from regalia.cli.speech import AsJson, Language, chosen, word
from regalia.core.errors import SetupError
from regalia.core.game import Game


def rules(
    game: GameName,
    clause: Annotated[str | None, typer.Argument(metavar="CLAUSE", help=word("argument.clause"))] = None,
    search: Annotated[str | None, typer.Option(metavar="WORD", help=word("option.search"))] = None,
    as_json: AsJson = False,
    language: Language = None,
) -> None:
    tongue = chosen(language)
    law = find(game)
    from regalia.cli import lawbook
    from regalia.cli.screen import Screen

    if clause is not None:
        clauses = [lawbook.find(law, tongue, clause)]
    elif search is not None:
        clauses = lawbook.search(law, tongue, search)
    else:
        clauses = [found for chapter in lawbook.chapters(law, tongue) for found in chapter.clauses]
    screen = None if as_json else Screen(tongue)
    if screen is None:
        typer.echo(json.dumps(lawbook.data(law, tongue, clauses), ensure_ascii=False))
    elif clause is None and search is None:
        screen.show(lawbook.book(law, tongue))
    elif clauses:
        screen.show(lawbook.show(clauses, tongue, search or ""))
    else:
        screen.say("ui.rules.nothing")


def find(game: str) -> Game:
    if game not in GAMES:
        raise SetupError("error.game", game=game, allowed=", ".join(GAMES))
    return GAMES[game]


def games(as_json: AsJson = False, language: Language = None) -> None:
    tongue = chosen(language)
    if as_json:
        typer.echo(json.dumps({"games": [facts(game) for game in GAMES.values()]}, ensure_ascii=False))
        return
    from rich.table import Table

    from regalia.cli.screen import Screen

    screen = Screen(tongue)
    table = Table(box=None, padding=(0, 2, 0, 0))
    for key in ("id", "title", "seats", "minutes", "options"):
        table.add_column(screen.words(f"cli.games.{key}"))
    for game in GAMES.values():
        table.add_row(
            game.id,
            game.titles[tongue],
            f"{game.seats[0]}–{game.seats[-1]}" if len(game.seats) > 1 else str(game.seats[0]),
            str(game.minutes or "–"),
            " ".join(f"{option.name}={'|'.join(option.values)}" for option in game.options) or "–",
        )
    screen.show(table)


def facts(game: Game) -> dict[str, Any]:
    return {
        "id": game.id,
        "rules": game.rules,
        "titles": dict(game.titles),
        "designer": game.designer,
        "published": game.published,
        "seats": list(game.seats),
        "minutes": game.minutes,
        "options": [
            {
                "name": option.name,
                "values": list(option.values),
                "default": option.values[0],
                "seats": None if option.seats is None else list(option.seats),
            }
            for option in game.options
        ],
    }
