"""The table in the terminal, and actions in sentences."""

from __future__ import annotations

import random

import pytest
from rich.console import Console

from games.carolus_magnus.play import choose
from games.carolus_magnus.table import counter_attack, play, table
from regalia import CHANCE, Match
from regalia.cli import boards
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
    assert "move 2   place 4   6:7   White takes over 3 castles, joins 3, 7" in text
    assert "move 3   place 7   0:2   nothing changes" in text
    assert "Move the emperor clockwise" in text
    assert "seat 1 is moving the emperor" in drawn(match, 0)


def told(match: Match, ply: int, language: str = "en") -> str:
    return boards.tell(match, ply, None, language)


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
            assert all(told(match, match.ply - 1, language) for language in LANGUAGES)
        seat = match.actors[0]
        match.play(seat, rng.choice(match.actions(seat)) if seat == 7 else choose(match, seat, rng))


def test_knights_discs_and_the_emperor_are_told_in_sentences() -> None:
    match = counter_attack([4, 3])
    play(match, "yellow>court", "yellow>court", "yellow>4", "move 2")
    assert told(match, match.ply - 4) == "yellow>court  Seat 1 puts a yellow knight into court."
    assert told(match, match.ply - 2) == "yellow>4  Seat 1 puts a yellow knight into region 4–6."
    assert told(match, match.ply - 1) == (
        "move 2  Seat 1 moves the emperor 2 on, to region 4–6. Strength: White 7, Black 6. "
        "White takes over region 4–6 and replaces 3 castles. Provinces 3–7 are now one region."
    )
    match = table(2, "disc")
    assert told(play(match, match.actions(0)[0]), 1) == "disc 1  Seat 0 lays disc 1."
    match = table(reserves=["rrr", "rrr"])
    assert told(play(match, "red>court"), 1).endswith(
        "Seat 0 puts a red knight into court. Seat 0 now controls red."
    )


def test_a_move_that_builds_and_one_that_changes_nothing_are_told() -> None:
    match = table(2, "emperor", ring={"1": "r"}, courts=["r", ""], control={"red": 0}, reserves=["", ""])
    assert told(play(match, "move 1"), 1) == (
        "move 1  Seat 0 moves the emperor 1 on, to province 1. Strength: Black 2, White 0. "
        "Black builds a castle in province 1."
    )
    match = table(2, "emperor", reserves=["", ""])
    assert told(play(match, "move 1"), 1).endswith("to province 1. Black 0, White 0: nothing changes.")


def test_dice_and_courts_given_back_are_told_once() -> None:
    ring = {str(number): "r" * count for number, count in ((1, 12), (2, 12), (3, 9))}
    match = table(2, "emperor", ring=ring, courts=["rr", "rr"], reserves=["", ""])
    play(match, "move 1")
    match.play(CHANCE, "red")
    match.play(CHANCE, "blue")
    assert told(match, 1).endswith(
        "Seat 0 rolls red, blue. The supply of red is empty; 2 knights are put back from each court."
    )


def test_a_knight_for_a_crown_and_who_begins_are_told() -> None:
    match = Match.new("carolus_magnus", seats=2, seed=3)
    while match.phase != "disc":
        match.play(match.actors[0], match.actions(match.actors[0])[0])
    sentences = [told(match, ply) for ply in range(1, match.ply)]
    assert any("takes a red knight for a crown. Then the dice show" in sentence for sentence in sentences)
    assert sentences[-1].endswith(f"Seat {match.view()['order'][0]} lays the first disc.")
