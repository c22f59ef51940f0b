"""Directions in every language."""

from __future__ import annotations

import pytest

from games.rose_king.test_rules import at
from regalia.games.rose_king.components import CARD_NAMES, DIRECTIONS
from regalia.games.rose_king.notation import STEP_OF
from regalia.locale import LANGUAGES, say


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_card_is_read_as_the_language_writes_it(language: str) -> None:
    for card, name in enumerate(CARD_NAMES):
        shown = say(language, f"rose_king.short.{name[:-1]}") + name[-1]
        assert STEP_OF[shown.casefold()] == card


def test_no_letters_mean_two_directions() -> None:
    words = {
        direction: {say(language, f"rose_king.short.{direction}") for language in LANGUAGES}
        for direction in DIRECTIONS
    }
    everything = [letters for spellings in words.values() for letters in spellings]
    assert len(everything) == len(set(everything))


def test_records_keep_the_english_letters() -> None:
    match = at(red="SE1 N2")
    assert match.play(0, "zo1").action == "SE1"
    assert "NO" not in match.transcript()
