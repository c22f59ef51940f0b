"""Actions in the terminal's sentences."""

from __future__ import annotations

from games.rose_king.test_rules import at, row
from regalia import CHANCE, Match
from regalia.cli import boards


def told(match: Match, language: str = "en") -> str:
    return boards.tell(match, match.ply - 1, None, language)


def test_a_card_is_told_with_where_the_crown_went() -> None:
    match = at()
    match.play(0, "NE2")
    assert told(match) == "NE2  Lancaster plays NE2: the crown moves to g7, onto a new stone."


def test_a_hero_is_told_with_the_stone_that_was_turned() -> None:
    match = at(row(6, "....w....", row(5, "....r....")))
    match.play(0, "N1*")
    assert told(match) == "N1*  Lancaster plays N1 with a hero: the stone on e6 is turned over."


def test_a_draw_is_told_with_its_card() -> None:
    match = at(red="N1 N2")
    match.play(0, "draw")
    match.play(CHANCE, "W1")
    assert told(match) == "draw / W1  Lancaster draws W1."


def test_cards_are_told_in_the_letters_of_the_language() -> None:
    match = at(red="SE1 N2")
    match.play(0, "SE1")
    assert told(match, "de").startswith("SO1  Lancaster spielt SO1: ")
    assert told(match, "nl").startswith("ZO1  Lancaster speelt ZO1: ")
