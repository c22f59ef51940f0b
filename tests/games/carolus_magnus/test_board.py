"""The table in the terminal."""

from __future__ import annotations

import random

import pytest
from rich.console import Console

from games.carolus_magnus.play import choose
from games.carolus_magnus.table import counter_attack, play, table
from regalia import Match
from regalia.games.carolus_magnus.cli.board import render
from regalia.locale import LANGUAGES


def drawn(match: Match, seat: int | None, language: str = "en", width: int = 100) -> str:
    console = Console(width=width, color_system=None)
    with console.capture() as captured:
        console.print(render(match.view(seat), language))
    return captured.get()


def test_the_ring_the_courts_and_every_move_are_shown() -> None:
    match = play(counter_attack([4, 3]), "yellow>court", "yellow>court", "yellow>4")
    text = drawn(match, 1)
    assert "1 (1-2) ♔" in text
    assert "▲▲▲" in text
    assert "7r* 8p* 6b 7y* 3g" in text
    assert "move 2   place 4   6:7   White takes over 3, joins 3, 7" in text
    assert "move 3   place 7   0:2   nothing changes" in text
    assert "Move the emperor clockwise" in text
    assert "seat 1 is moving the emperor" in drawn(match, 0)


def test_what_is_due_is_counted_and_an_end_is_told() -> None:
    assert "still due: 3" in drawn(table(), 0)
    match = table(
        2, "emperor", ring={"2-5": "black", "7-11": "black"}, courts=["r", ""], reserves=["rpby"] * 2
    )
    assert "the game ends" in drawn(match, 0)
    assert "A side has placed its last castle." in drawn(play(match, "move 1"), None)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_position_of_a_game_can_be_drawn_in_every_language(seats: int) -> None:
    rng = random.Random(1)
    match = Match.new("carolus_magnus", seats=seats, chance="manual")
    while match.actors and match.ply < 60:
        if match.ply < 3 or rng.random() < 0.1:
            assert all(
                len(drawn(match, seat, language, 80)) > 500 for seat in (None, 0) for language in LANGUAGES
            )
        seat = match.actors[0]
        match.play(seat, rng.choice(match.actions(seat)) if seat == 7 else choose(match, seat, rng))
