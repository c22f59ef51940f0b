"""The words of a game that somebody must know: `glossary.json` in its folder, read strictly.

term      its name and the forms in which texts have it are the game's word `term.<term>`, separated by `|`;
          what it means is `term.<term>.text`
clauses   that say so
example   whose position shows it, `moment` of it (0 is before), with these `marks`
"""

from __future__ import annotations

from functools import cache

import msgspec
from msgspec import Struct

from regalia.core.errors import NotationError
from regalia.core.game import Game
from regalia.locale import say

FILE = "glossary.json"
BETWEEN_FORMS = "|"


class Term(Struct, frozen=True, forbid_unknown_fields=True):
    term: str
    clauses: tuple[str, ...]
    example: str
    moment: int = 0
    marks: tuple[str, ...] = ()

    def forms(self, game: Game, language: str) -> tuple[str, ...]:
        """As texts have it; the first is its name."""
        return tuple(say(language, f"{game.id}.term.{self.term}").split(BETWEEN_FORMS))

    def name(self, game: Game, language: str) -> str:
        return self.forms(game, language)[0]

    def text(self, game: Game, language: str) -> str:
        return say(language, f"{game.id}.term.{self.term}.text")


def read(text: bytes) -> tuple[Term, ...]:
    try:
        return msgspec.json.decode(text, type=tuple[Term, ...])
    except msgspec.DecodeError as error:  # and what does not fit
        raise NotationError("error.glossary", why=str(error)) from error


@cache
def terms_of(game: Game) -> tuple[Term, ...]:
    """A game may have none."""
    file = game.folder / FILE
    return read(file.read_bytes()) if file.is_file() else ()
