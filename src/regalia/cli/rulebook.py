"""A game's rulebook on the screen."""

from __future__ import annotations

import re

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from regalia.cli import boards
from regalia.core.game import Game
from regalia.core.rulebook import Clause, chapters, find, laws, search
from regalia.core.viewers import SPECTATOR
from regalia.locale import has, say
from regalia.study.examples import Example
from regalia.study.glossary import terms_of


def page(game: Game, language: str, wanted: str = "") -> RenderableType:
    """Nothing: the chapters. A clause's number: that clause. Words: the clauses that have them."""
    if not wanted:
        lines = [
            f"{chapter.title}  {chapter.clauses[0].id} … {chapter.clauses[-1].id}"
            for chapter in chapters(game, language)
        ]
        ask = say(language, "cli.rules.ask", clause=laws(game)[0].id)
        return Group(*(Text("  " + line) for line in lines), Text(ask, "dim"))
    if re.fullmatch(r"[A-Za-z]{2}-[Xx]?\d+", wanted):
        return show([find(game, language, wanted)], language)
    found = search(game, language, wanted)
    return show(found, language, wanted) if found else Text(say(language, "ui.rules.nothing"))


def show(clauses: list[Clause] | tuple[Clause, ...], language: str, marked: str = "") -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column()
    for clause in clauses:
        text = Text(clause.text)
        text.highlight_words(marked.split(), "bold yellow", case_sensitive=False)
        if clause.decided:
            text.append(f"  [{say(language, 'ui.rules.ours')}]", "italic dim")
        table.add_row(Text(clause.id, "bold cyan"), text)
    return table


def book(game: Game, language: str) -> RenderableType:
    """The whole of it."""
    parts: list[RenderableType] = [Rule(Text(say(language, f"{game.id}.title"), "bold"))]
    parts += [Text(say(language, f"{game.id}.{key}")) for key in ("tagline", "about", "how")]
    if has(f"{game.id}.notation"):
        parts.append(Text(say(language, f"{game.id}.notation"), "italic"))
    for chapter in chapters(game, language):
        parts += [Text(f"\n{chapter.title}", "bold"), Padding(show(chapter.clauses, language), (0, 0, 0, 1))]
    return Group(*parts, Text(), Text(say(language, f"{game.id}.decisions"), "italic dim"))


def terms(game: Game, language: str) -> Table:
    """The words of the game."""
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column()
    for term in terms_of(game):
        text = Text(term.text(game, language)).append(f"  {' '.join(term.clauses)}", "cyan")
        table.add_row(Text(term.name(game, language), "bold"), text)
    return table


def stepped(game: Game, example: Example, language: str) -> RenderableType:
    """An example with its board before and after each action."""
    parts: list[RenderableType] = [show([find(game, language, example.clause)], language)]
    for moment, match in enumerate(example.moments(game)):
        if moment:
            parts.append(Text("\n" + boards.tell(match, match.ply - 1, SPECTATOR, language), "bold"))
        parts.append(boards.render(match.view(SPECTATOR), language))
    return Group(*parts)
