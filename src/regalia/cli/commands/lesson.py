"""`regalia lesson`: learning a game by playing it."""

from __future__ import annotations

from typing import Annotated

import typer

from regalia.cli.arguments import GameName, Language
from regalia.cli.language import language_of, word
from regalia.core import registry
from regalia.core.errors import SetupError


def lesson(
    game: GameName,
    step: Annotated[int | None, typer.Option(metavar="NUMBER", help=word("option.step"))] = None,
    language: Language = None,
) -> None:
    from regalia.cli.lesson import FIRST_OPPONENT, Guided, kept_place
    from regalia.cli.screen import Screen
    from regalia.study.guide import steps_of

    found = registry.find(game)
    steps = steps_of(found)
    if step is not None and not 1 <= step <= len(steps):
        raise SetupError("error.lesson_step", game=game, step=step, steps=len(steps))
    screen = Screen(language_of(language))
    with screen.console.status(screen.words("cli.play.loading")):
        guided = Guided(found, screen, kept_place(found) if step is None else step - 1)
    if guided.run() == "play":
        from regalia.cli.commands.play import begin

        begin(game, None, [FIRST_OPPONENT] * (found.seats[0] - 1), {}, None, None, screen.language)
