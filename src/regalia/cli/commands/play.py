"""`regalia play`: at one keyboard, or against bots."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from regalia import GAMES
from regalia.cli import files
from regalia.cli.arguments import A_GAME, Language, pairs
from regalia.cli.language import language_of, word
from regalia.cli.progress import prepare
from regalia.core import registry, transcript
from regalia.core.errors import SetupError

if TYPE_CHECKING:
    from regalia.core.match import Match


def play(
    game: Annotated[str | None, A_GAME] = None,
    seats: Annotated[int | None, typer.Option(help=word("option.seats"))] = None,
    bots: Annotated[str, typer.Option(metavar="BOT,…", help=word("option.bots"))] = "",
    option: Annotated[
        list[str] | None, typer.Option(metavar="NAME=VALUE", help=word("option.option"))
    ] = None,
    seed: Annotated[int | None, typer.Option(help=word("option.seed"))] = None,
    source: Annotated[Path | None, typer.Option("--from", metavar="FILE", help=word("option.from"))] = None,
    language: Language = None,
) -> None:
    begin(
        game, seats, bots.split(",") if bots else [], pairs(option or []), seed, source, language_of(language)
    )


def begin(
    game: str | None,
    seats: int | None,
    bots: Sequence[str],
    options: dict[str, str],
    seed: int | None,
    source: Path | None,
    language: str,
) -> None:
    """Set a match up or take one up again, and play it. Whatever is wrong is said before anything is played."""
    from regalia.cli.screen import Screen

    if game is None and source is None:
        raise SetupError("cli.error.no_game", allowed=", ".join(GAMES))
    screen = Screen(language)
    text = None if source is None else files.read(source)
    if text is None:
        found = registry.find(game or "")
        found.checked_options(found.checked_seats(seats), options)
    else:
        found = registry.find(transcript.read(text)[0].game)
    prepare(found, language, with_bots=bool(bots or files.players_of(text or "")))
    with screen.console.status(screen.words("cli.play.loading")):
        from regalia.cli.session import Session

        match = (
            start(game, seats, options, seed) if text is None else resume(text, game, seats, options, seed)
        )
        players = seated(bots or files.players_of(text or ""), match.seats)
        files.prune()
        session = Session(match, players, screen, files.new_save(match.game.id), seed)
    session.run()


def start(game: str | None, seats: int | None, options: dict[str, str], seed: int | None) -> Match:
    import regalia

    return regalia.Match.new(game or "", seats, seed, options)


def resume(
    text: str, game: str | None, seats: int | None, options: dict[str, str], seed: int | None
) -> Match:
    """A match goes on as it began: what is said about it besides must agree."""
    import regalia

    match = regalia.Match.replay(text, seed)
    if game is not None and regalia.Match.find(game) is not match.game:
        raise SetupError("cli.error.other_game", game=game, found=match.game.id)
    if seats is not None and seats != match.seats:
        raise SetupError("cli.error.other_seats", seats=seats, found=match.seats)
    for name, value in options.items():
        if match.options.get(name) != value:
            raise SetupError("cli.error.other_option", option=f"{name}={value}")
    return match


def seated(bots: Sequence[str], seats: int) -> list[str]:
    """Who sits where: bots take the last seats, people the others; `me` among the bots is a person."""
    from regalia.bots import BOTS
    from regalia.cli.session import PERSON

    names = [name.strip() for name in bots]
    for name in names:
        if name not in (*BOTS, PERSON):
            raise SetupError("error.bot", bot=name or "''", allowed=", ".join(BOTS))
    if len(names) > seats:
        raise SetupError("cli.error.many_bots", count=len(names), seats=seats)
    return [PERSON] * (seats - len(names)) + names
