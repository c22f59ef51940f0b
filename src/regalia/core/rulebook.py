"""The rules of a game as they are read: chapters, clauses, our readings.

The law is the game's `clauses.md`. A heading that carries a key, `## Material and set-up {setup}`, begins a chapter;
a list item or a row of a table that begins with a number, `- RK-1 …`, is a clause, and `[D…]` in it marks our reading
where the rulebook is silent. The words that people read are the game's own: `chapter.setup`, `clause.RK-1`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from regalia.core.errors import SetupError
from regalia.core.game import Game
from regalia.locale import say

HEADING = re.compile(r"#+ .*?(?:\{(\w+)\})?\s*")
CLAUSE = re.compile(r"(?:- |\| )([A-Z]{2}-X?\d+)\b")
OUR_READING = "[D"


@dataclass(frozen=True)
class Law:
    """A clause as clauses.md has it."""

    id: str
    chapter: str  # its key
    decided: bool  # where the rulebook is silent: our reading


@dataclass(frozen=True)
class Clause:
    id: str
    text: str
    chapter: str
    decided: bool


@dataclass(frozen=True)
class Chapter:
    key: str
    title: str
    clauses: tuple[Clause, ...]


@cache
def laws(game: Game) -> tuple[Law, ...]:
    """All clauses in the order of the law."""
    return read((game.folder / "clauses.md").read_text("utf-8"))


def read(text: str) -> tuple[Law, ...]:
    clauses: dict[str, Law] = {}
    chapter = ""
    current = None  # the clause that a line belongs to
    for line in text.splitlines():
        heading, clause = HEADING.fullmatch(line), CLAUSE.match(line)
        if heading is not None:
            chapter, current = heading[1] or chapter, None
        elif clause is not None:
            current = clause[1]
            clauses[current] = Law(current, chapter, OUR_READING in line)
        elif current is not None and line.startswith(" ") and OUR_READING in line:
            clauses[current] = Law(current, chapter, True)
    return tuple(clauses.values())


def chapters(game: Game, language: str) -> list[Chapter]:
    """The whole of it, in a language."""
    by_key: dict[str, list[Clause]] = {}
    for law in laws(game):
        text = say(language, f"{game.id}.clause.{law.id}")
        by_key.setdefault(law.chapter, []).append(Clause(law.id, text, law.chapter, law.decided))
    return [
        Chapter(key, say(language, f"{game.id}.chapter.{key}"), tuple(clauses))
        for key, clauses in by_key.items()
    ]


def find(game: Game, language: str, clause: str) -> Clause:
    for chapter in chapters(game, language):
        for candidate in chapter.clauses:
            if candidate.id.casefold() == clause.casefold():
                return candidate
    first, *_, last = laws(game)
    raise SetupError("error.clause", game=game.id, clause=clause, first=first.id, last=last.id)


def search(game: Game, language: str, text: str) -> list[Clause]:
    """The clauses in which all words occur."""
    words = text.casefold().split()
    return [
        clause
        for chapter in chapters(game, language)
        for clause in chapter.clauses
        if all(word in f"{clause.id} {clause.text}".casefold() for word in words)
    ]
