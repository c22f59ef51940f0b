"""The table in the terminal, and actions in sentences."""

from __future__ import annotations

import random

import pytest
from rich.console import Console

from games.long_live_the_king.play import choose
from games.long_live_the_king.table import play, table
from games.long_live_the_king.test_dispute import BOARD, entered, rolled, staked
from games.long_live_the_king.test_election import BOARD as AREAS
from games.long_live_the_king.test_election import crowned, last_card
from regalia import Match
from regalia.cli import boards
from regalia.core.viewers import SPECTATOR, Viewer
from regalia.games.long_live_the_king.cli.board import render
from regalia.locale import LANGUAGES


def told(match: Match, viewer: Viewer = SPECTATOR, language: str = "en") -> str:
    """The last record."""
    return boards.tell(match, match.ply - 1, viewer, language)


def test_moves_courtiers_and_favour_rolls_are_told() -> None:
    match = play(table(4), "move Stadford")
    assert told(match) == "move Stadford  ✚ Seat 0 moves to Stadford."
    assert told(play(match, "move Lincolia x2", "1")) == (
        "move Lincolia x2 / 1  ✚ Seat 0 discards x2 to move on to Lincolia. ✚ Seat 0 rolls 1 with x2: too little."
    )
    assert told(play(match, "end")) == "end  ✚ Seat 0 does nothing more."
    match = play(table(4), "place")
    assert told(match) == "place  ✚ Seat 0 places a courtier in Tateshale for free."
    assert told(play(match, "roll x1", "3")).endswith(
        "discards x1 for another courtier in Tateshale. ✚ Seat 0 rolls 3 with x1: it succeeds."
    )


def test_a_dispute_is_told_from_its_stakes_to_the_cards_taken_back() -> None:
    assert told(entered()).endswith("moves to Wigemor. ✚ Seat 0 disputes Wigemor with ☽ Seat 1.")
    match = play(entered(), "2: stake x1 x2")
    assert told(match) == "♣ Seat 2: ?"
    assert told(match, 2) == "stake x1 x2  ♣ Seat 2 stakes x1 x2."
    hands = ["38 21 2", "0 0 0", "2 1 1", "6 6 0"]
    match = entered(hands=hands, known=["0 0 0"] * 4, bonus=[1, 2, 3, 4])
    play(match, "0: stake x1", "2: stake x1", "3: stake x1", "4", "6", "1", "6", "3")
    assert told(match).endswith(
        "◆ Seat 3 stakes x1. ☽ Seat 1 has no cards and stakes none. ✚ Seat 0 rolls 4 and reaches 6. "
        "♣ Seat 2 rolls 6 and reaches 6. ◆ Seat 3 rolls 1 and reaches 1. Tied at 6: ✚ Seat 0, ♣ Seat 2 roll again. "
        "✚ Seat 0 rolls 6 and reaches 8. ♣ Seat 2 rolls 3 and reaches 3. ✚ Seat 0 wins Wigemor with 8."
    )
    play(match, "banish Man")
    assert told(match) == "banish Man  ✚ Seat 0 banishes the noble of ☽ Seat 1 to Man."
    match = play(rolled("6 1", "1", "1", "1", stakes=("x1 x1", "x1", "x1", "x1")), "banish Man", "end")
    assert told(play(match.copy(), "reclaim 1")).endswith("takes back 1 of the staked cards.")
    assert told(play(match, "reclaim 0")).endswith("takes no card back.")


def test_a_noble_that_goes_back_is_told() -> None:
    match = rolled("1", "6", "1", "1", areas=BOARD.replace("0 Stadford 1", "0 Stadford 0"))
    assert told(match).endswith("wins Wigemor with 12. The noble of ✚ Seat 0 goes back to Stadford.")


def test_dice_put_by_hand_are_told_in_one_sentence() -> None:
    match = play(staked("x1 x2", "x1", "x1", "x1", dice_by_hand=True), "4 6")
    assert told(match).endswith("◆ Seat 3 stakes x1.")
    assert told(play(match, "dice 4>x2 6>x1")).endswith("✚ Seat 0 places the dice: 4>x2 6>x1.")


def test_an_election_is_told_with_votes_dice_bonus_and_deal() -> None:
    assert told(last_card()).endswith(
        "✚ Seat 0 does nothing more. An election is held. ✚ Seat 0: area votes 10, bonus votes 0, total 10. "
        "(An empty hand costs 4 of them.) ☽ Seat 1: area votes 9, bonus votes 0, total 9. "
        "♣ Seat 2: area votes 5, bonus votes 0, total 5. ◆ Seat 3: area votes 2, bonus votes 0, total 2. "
        "✚ Seat 0 gets 4 bonus votes. ☽ Seat 1 gets 3 bonus votes. ♣ Seat 2 gets 2 bonus votes. "
        "◆ Seat 3 gets 1 bonus vote. Each player is dealt 5 cards."
    )
    match = play(table(3, quiet=59), "end", "1 1 1 1 1", "2 1 1 1 1", "3 1 1 1 1")
    assert "✚ Seat 0 rolls five dice for the tie: 5. ☽ Seat 1 rolls five dice for the tie: 6." in told(match)
    assert told(crowned(AREAS, [6, 12, 10, 12])).endswith("✚ Seat 0 is elected king. Long live the king!")


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_every_position_of_a_game_can_be_drawn_and_told_in_every_language(seats: int) -> None:
    rng = random.Random(1)
    match = Match.new("long_live_the_king", seats=seats, seed=4)
    while match.actors and match.ply < 80:
        for language in LANGUAGES:
            console = Console(width=100, color_system=None)
            with console.capture() as captured:
                console.print(render(match.view(0), language))
            assert len(captured.get()) > 500
            for viewer in (SPECTATOR, 0):
                sentence = told(match, viewer, language)
                assert sentence
                assert "{" not in sentence
        seat = match.actors[0]
        match.play(seat, choose(match, seat, rng))
