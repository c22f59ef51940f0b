"""The table in the terminal, actions in sentences, and `regalia odds court_the_king`."""

from __future__ import annotations

import json
import random

import pytest
from rich.console import Console
from typer.testing import CliRunner, Result

from games.court_the_king.play import choose_in
from games.court_the_king.table import Match, play, turn
from regalia.cli import app, boards
from regalia.locale import LANGUAGES


def drawn(match: Match, seat: int | None, language: str = "en", width: int = 80) -> str:
    console = Console(width=width, color_system=None)
    with console.capture() as captured:
        console.print(boards.render(match.view(seat), language))
    return captured.get()


def told(match: Match, language: str = "en") -> str:
    return boards.tell(match, match.ply - 1, None, language)


def test_the_court_the_players_and_the_dice_are_shown() -> None:
    match = turn(
        "fool farmer charlatan", active="2 5 6", aside="5 5", used="fool", duty=False, courts=["guard", ""]
    )
    text = drawn(match, 0)
    assert "Round 2 · Seat 0 started this round." in text
    assert "1 Guard           x x x" in text
    assert "✓" in text
    assert "▶ Seat 0 5 dice" in text
    assert "(Fool), Charlatan, Farmer" in text
    assert "  Seat 1 3 dice" in text
    assert "Nobody at court yet" in text
    assert "Set aside:         5   5" in text
    assert "Active dice:       2   5   6   total 23" in text
    assert "Your turn: roll, set dice aside, or use a character." in text
    assert "It is Seat 0" in drawn(match, 1)
    assert "4 dice to roll" in drawn(turn("farmer"), 0)


def test_the_final_round_and_the_end_are_told() -> None:
    best = {"seat": 2, "count": 7, "face": 2}
    match = turn("", courts=["charlatan", "king queen"], final="king", phase="final", best=best)
    assert "started this round. · The final round\nBest so far: Seat 2 with 7 times 2." in drawn(match, 0)
    play(match, "roll", "1 2 3", "keep 1 2 3", "pass")
    text = drawn(match, None)
    assert "result 1-2-3" in text
    assert "the King stays with the one who holds him" in " ".join(text.split())


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_position_and_action_of_a_game_can_be_told(language: str) -> None:
    rng = random.Random(2)
    match = Match.new("court_the_king", seats=4, seed=2)
    while match.actors:
        match.play(match.actors[0], choose_in("eager", match, match.actors[0], rng))
        assert told(match, language).startswith(match.records[-1].action)
        if rng.random() < 0.1:
            lines = drawn(match, rng.choice([None, *range(4)]), language, 100).split("\n")
            assert max(map(len, lines)) <= 100


def test_actions_are_told_in_sentences() -> None:
    own = "laborer maid philosopher alchemist magician merchant lady farmer"
    for action, sentence in (
        ("keep 2 5", "Seat 0 sets aside 2-5."),
        ("use laborer", "Seat 0 uses the Laborer: one more die, showing 1."),
        ("use maid 2+3", "Seat 0 uses the Maid and adds 3 to a 2."),
        ("use philosopher 5-1>2", "Seat 0 uses the Philosopher, takes 1 off a 5 and adds it to a 2."),
        ("use alchemist 2 5 5 = 4 4 4", "Seat 0 uses the Alchemist and turns 2-5-5 into 4-4-4."),
        ("use magician 2=6", "Seat 0 uses the Magician and turns a 2 into a 6."),
        ("use merchant 2 5", "Seat 0 uses the Merchant and re-rolls 2-5."),
        ("use lady 2 5", "Seat 0 uses the Lady-in-waiting: +1 on 2-5."),
    ):
        match = play(turn(own, active="2 5 5 6"), action)
        assert told(match) == f"{action}  {sentence}"
    match = play(turn("laborer fool"), "use laborer")
    assert told(match).endswith("Seat 0 uses the Laborer: one more die to roll.")
    assert told(play(match, "roll")).endswith("Seat 0 rolls.")
    assert told(play(match, "6 2 2 1")) == "roll / 6 2 2 1  Seat 0 rolls 1-2-2-6."
    assert told(play(match, "use fool 6")) == "use fool 6  Seat 0 uses the Fool and re-rolls a 6."
    assert told(play(turn(aside="2 2 2"), "take guard")) == "take guard  Seat 0 wins over the Guard."


# --- regalia odds court_the_king ---


def odds(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["odds", "court_the_king", *arguments])


def test_odds_are_printed_as_a_table() -> None:
    result = odds()
    assert result.exit_code == 0, result.output
    assert "Guard" in result.output
    assert "13.84 %" in result.output
    german = odds("--own", "farmer,fool", "--active", "2 5 5 6", "--target", "guard", "--lang", "de")
    assert "Die besten Aktionen für" in german.output
    assert "keep 5 5" in german.output


def test_odds_as_json_are_nothing_but_json() -> None:
    dice = ("--aside", "5", "--active", "5 6 6", "--free")
    result = json.loads(
        odds("--own", "farmer fool", "--used", "fool", *dice, "--target", "guard", "--json").stdout
    )
    assert (result["seat"], result["target"], result["exact"]) == (0, "guard", True)
    assert {row["action"] for row in result["actions"]} >= {"roll", "keep 6 6"}
    assert set(result["actions"][0]) == {"action", "odds"}
    done = json.loads(odds("--aside", "5 5 5", "--json").stdout)
    assert [row["odds"] for row in done["targets"] if row["target"] == "guard"] == [1.0]


def test_a_lower_bound_is_marked() -> None:
    own = "general,charlatan*2,laborer,guard,hunter,pawnbroker"
    assert "≥" in odds("--own", own, "--limit", "1").output


@pytest.mark.parametrize(
    "arguments",
    [
        ("--own", "jester"),
        ("--own", "farmer*9"),
        ("--own", "farmer,farmer"),
        ("--own", "charlatan*5,fool"),
        ("--own", "charlatan*5,farmer,general,laborer,guard", "--used", "laborer,guard"),
        ("--used", "fool"),
        ("--own", "farmer", "--used", "farmer"),
        ("--active", "2 5 7"),
        ("--active", "2 5"),
        ("--aside", "2", "--active", "2 5 5"),
        ("--target", "queen"),
        ("--target", "jester"),
        ("--lang", "fr"),
        ("--limit", "0"),
    ],
)
def test_wrong_input_gives_one_line_and_status_two(arguments: tuple[str, ...]) -> None:
    result = odds(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert len(result.stderr.strip().split("\n")) == 1
