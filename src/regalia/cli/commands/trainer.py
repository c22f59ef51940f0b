"""`regalia trainer`: endless hands with exact answers."""

from __future__ import annotations

import random
from typing import Annotated

import typer

from regalia.cli.arguments import GameName, Language
from regalia.cli.language import language_of, word
from regalia.core import registry

NUMBERS = 1_000_000
ENDLESS = 1_000_000


def trainer(
    game: GameName,
    level: Annotated[str, typer.Option(metavar="LEVEL", help=word("option.trainer_level"))] = "",
    hand: Annotated[int | None, typer.Option(metavar="NUMBER", min=0, help=word("option.hand"))] = None,
    language: Language = None,
) -> None:
    from regalia.cli.screen import Screen
    from regalia.cli.trainer import Training
    from regalia.study.trainer import checked_level, trainer_of

    found = registry.find(game)
    known = trainer_of(found)
    chosen = checked_level(known, level or known.LEVELS[0])
    number = random.SystemRandom().randrange(NUMBERS) if hand is None else hand
    Training(found, Screen(language_of(language)), chosen, number).run(ENDLESS)
