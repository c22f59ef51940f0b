"""The law as it is written: chapters by their keys, clauses, and which of them are our reading."""

from __future__ import annotations

import pytest

from driving import ALL_GAMES, name_of
from regalia import Game
from regalia.core.rulebook import Law, laws, read
from regalia.locale import LANGUAGES, say

LAW = """# Chess, as an example - clauses CH

## Set-up {setup}
- CH-1 White has sixteen pieces.
  So has black. [D] The board is turned.

## Moving
### The king {king}
Kings come first.
- CH-2 [D: the picture is lost] One step.
### The rook
| CH-3 | straight on |
- A remark, [D] but no clause.

## Notation
`e4`
"""


def test_a_clause_belongs_to_the_last_chapter_with_a_key_and_says_whether_it_is_our_reading() -> None:
    assert read(LAW) == (Law("CH-1", "setup", True), Law("CH-2", "king", True), Law("CH-3", "king", False))


@pytest.mark.parametrize("game", ALL_GAMES, ids=name_of)
def test_every_clause_of_a_game_stands_in_a_chapter(game: Game) -> None:
    assert [law for law in laws(game) if not law.chapter] == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", ALL_GAMES, ids=name_of)
def test_our_readings_are_notes_behind_what_a_clause_says(game: Game, language: str) -> None:
    note = say(language, "ui.rules.ours").casefold()
    for law in laws(game):
        assert not say(language, f"{game.id}.clause.{law.id}").casefold().startswith(note), law.id
