"""`regalia games`: what can be played."""

from __future__ import annotations

import json
from typing import Any

import typer

from regalia import GAMES
from regalia.cli.arguments import AsJson, Language
from regalia.cli.language import language_of
from regalia.core.game import Game


def games(as_json: AsJson = False, language: Language = None) -> None:
    language = language_of(language)
    if as_json:
        typer.echo(json.dumps({"games": [facts(game) for game in GAMES.values()]}, ensure_ascii=False))
        return
    from rich.table import Table

    from regalia.cli.screen import Screen

    screen = Screen(language)
    table = Table(box=None, padding=(0, 2, 0, 0))
    for key in ("id", "title", "seats", "minutes", "options"):
        table.add_column(screen.words(f"cli.games.{key}"))
    for game in GAMES.values():
        table.add_row(
            game.id,
            game.titles[language],
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
