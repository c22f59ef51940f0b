"""The rules of a game as they are read: chapters, clauses, our readings."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from typing import Any

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from regalia.core.errors import SetupError
from regalia.core.game import Game
from regalia.locale import has, say


@dataclass(frozen=True)
class Clause:
    id: str
    text: str
    chapter: str  # its slug
    decided: bool  # where the rulebook is silent: our reading


@dataclass(frozen=True)
class Chapter:
    slug: str
    title: str
    clauses: tuple[Clause, ...]


def chapters(game: Game, language: str) -> list[Chapter]:
    """In the order of the law: a clause belongs to the last chapter that begins at or before it."""
    starts = dict(pair.split(":")[::-1] for pair in say(language, f"{game.id}.chapters").split())
    decided = set(say(language, f"{game.id}.decided").split())
    found: dict[str, list[Clause]] = {}
    slug = next(iter(starts.values()))
    for clause in clause_ids(game):
        slug = starts.get(clause, slug)
        text = say(language, f"{game.id}.clause.{clause}")
        found.setdefault(slug, []).append(Clause(clause, text, slug, clause in decided))
    return [
        Chapter(slug, say(language, f"{game.id}.chapter.{slug}"), tuple(clauses))
        for slug, clauses in found.items()
    ]


def clause_ids(game: Game) -> list[str]:
    text = (game.folder / "clauses.md").read_text("utf-8")
    return re.findall(r"^(?:- |\| )([A-Z]{2}-X?\d+)\b", text, re.MULTILINE)


def find(game: Game, language: str, clause: str) -> Clause:
    for chapter in chapters(game, language):
        for found in chapter.clauses:
            if found.id.casefold() == clause.casefold():
                return found
    allowed = clause_ids(game)
    raise SetupError("cli.error.clause", game=game.id, clause=clause, first=allowed[0], last=allowed[-1])


def search(game: Game, language: str, text: str) -> list[Clause]:
    """The clauses in which all words occur."""
    words = text.casefold().split()
    return [
        clause
        for chapter in chapters(game, language)
        for clause in chapter.clauses
        if all(word in f"{clause.id} {clause.text}".casefold() for word in words)
    ]


# --- On the screen ---


def page(game: Game, language: str, wanted: str = "") -> RenderableType:
    """Nothing: the chapters. A clause's number: that clause. Words: the clauses that have them."""
    if not wanted:
        lines = [
            f"{chapter.title}  {chapter.clauses[0].id} … {chapter.clauses[-1].id}"
            for chapter in chapters(game, language)
        ]
        return Group(*(Text("  " + line) for line in lines), Text(say(language, "cli.rules.ask"), "dim"))
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


def data(game: Game, language: str, clauses: list[Clause]) -> dict[str, Any]:
    return {"game": game.id, "language": language, "clauses": [asdict(clause) for clause in clauses]}
