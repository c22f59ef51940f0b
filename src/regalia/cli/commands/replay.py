"""`regalia replay`: a transcript, step by step or as data."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from regalia.cli import files
from regalia.cli.arguments import AsJson, Language
from regalia.cli.language import language_of, word
from regalia.core.errors import SetupError
from regalia.core.viewers import EVERYTHING

if TYPE_CHECKING:
    from regalia.cli.screen import Screen
    from regalia.core.match import Match


def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help=word("argument.file"))],
    to: Annotated[int | None, typer.Option(metavar="N", help=word("option.to"))] = None,
    seat: Annotated[int | None, typer.Option(help=word("option.seat"))] = None,
    chapter: Annotated[int | None, typer.Option(metavar="N", help=word("option.chapter"))] = None,
    as_json: AsJson = False,
    language: Language = None,
) -> None:
    language = language_of(language)
    match = files.read_match(file, chapter)
    if to is not None and not 1 <= to <= match.ply:
        raise SetupError("cli.error.ply", ply=to, last=match.ply)
    last = match.ply if to is None else to
    view = match.at(last).view(seat)  # refuses a seat that is not at the table before anything is written
    if as_json:
        typer.echo(json.dumps(data(match, view, last, seat), ensure_ascii=False))
        return
    from regalia.cli.screen import Screen

    reader = Reader(match, seat, Screen(language))
    if sys.stdin.isatty() and sys.stdout.isatty():
        reader.browse(1 if to is None else to)
    else:
        reader.summarise(last)


def data(match: Match, view: dict[str, Any], to: int, seat: int | None) -> dict[str, Any]:
    """The records up to a ply, and the view there."""
    records = [record.seen_by(seat) if seat is not None else record for record in match.records[:to]]
    return {
        "game": match.game.id,
        "rules": match.game.rules,
        "seats": match.seats,
        "options": match.options,
        "plies": match.ply,
        "records": [
            {"ply": ply, "seat": record.seat, "action": record.action, "outcomes": list(record.outcomes)}
            for ply, record in enumerate(records)
        ],
        "view": view,
    }


class Reader:
    """A transcript open at one of its plies (1: after the set-up)."""

    def __init__(self, match: Match, seat: int | None, screen: Screen) -> None:
        self.match = match
        self.seat = seat
        self.screen = screen

    def browse(self, ply: int) -> None:
        """Forward, back, or to a ply, until the reader leaves."""
        while True:
            self.show(ply)
            try:
                line = self.screen.ask(
                    self.screen.words("cli.replay.keys", ply=ply, last=self.match.ply) + " "
                )
            except (EOFError, KeyboardInterrupt):
                self.screen.show("")
                return
            key = line.casefold()
            if key in ("q", "quit"):
                return
            if key in ("", "n"):
                ply = min(ply + 1, self.match.ply)
            elif key == "p":
                ply = max(ply - 1, 1)
            elif key.isdecimal() and 1 <= int(key) <= self.match.ply:
                ply = int(key)
            else:
                self.screen.error(self.screen.words("cli.error.ply", ply=line, last=self.match.ply))

    def summarise(self, to: int) -> None:
        """Every record in a line, then the position."""
        for ply in range(to):
            self.tell(ply)
        self.show(to, told=True)

    def show(self, ply: int, told: bool = False) -> None:
        from regalia.cli import boards
        from regalia.cli.session import show_outcome

        self.screen.show(boards.render(self.match.at(ply).view(self.seat), self.screen.language))
        if not told:
            self.tell(ply - 1)
        if ply == self.match.ply:
            show_outcome(self.match, self.screen)

    def tell(self, at: int) -> None:
        from rich.text import Text

        from regalia.cli import boards

        viewer = EVERYTHING if self.seat is None else self.seat
        sentence = boards.tell(self.match, at, viewer, self.screen.language)
        self.screen.show(Text(f"{at:>3} ", "dim").append(sentence, "not dim"))
