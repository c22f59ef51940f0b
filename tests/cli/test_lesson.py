"""Guides in the terminal, with the lines a learner would type."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from regalia import GAMES
from regalia.cli import app, files
from regalia.cli.lesson import kept_place, place_file
from regalia.study.guide import Answer, has_guide, steps_of
from regalia.study.lessons import Lesson, answer_to

GUIDES = [name for name, game in GAMES.items() if has_guide(game)]


def learn(*arguments: str, lines: list[str]) -> Result:
    text = "".join(line + "\n" for line in lines)
    return CliRunner().invoke(app, ["lesson", *arguments], input=text, catch_exceptions=False)


@pytest.mark.parametrize("name", GUIDES)
def test_a_guide_is_played_to_its_end(name: str) -> None:
    game = GAMES[name]
    lines = []
    for step in steps_of(game):
        lesson = Lesson(game, step)
        for task in step.tasks:
            answer = answer_to(task, lesson.match)
            lesson.answer(answer)
            expected = task.expected
            lines.append(str(expected.answers.index(answer) + 1) if isinstance(expected, Answer) else answer)
        lines.append("")
    shown = learn(name, lines=lines).stdout
    count = len(steps_of(game))
    assert f"Step {count} of {count}" in shown
    assert "✗" not in shown
    assert "That was the whole guide." in shown
    assert f"regalia play {name} --bots page" in shown
    assert kept_place(game) == 0  # the next time it begins anew


def test_the_place_is_kept_and_can_be_chosen() -> None:
    shown = learn("rose_king", lines=["3", "", "NE2", "", "quit"]).stdout
    assert "Your place is kept: step 3." in shown
    assert "Step 3 of 11 · Karten" not in learn("rose_king", lines=[]).stdout
    assert "Step 3 of 11 · Cards never turn" in learn("rose_king", lines=[]).stdout
    assert (
        "Schritt 10 von 11 · Der Held" in learn("rose_king", "--step", "10", "--lang", "de", lines=[]).stdout
    )
    assert "Step 10 of 11" in learn("rose_king", lines=["back"]).stdout
    place_file().write_text("[]")
    assert "Step 1 of 11" in learn("rose_king", lines=["next"]).stdout
    assert "Step 2 of 11" in learn("rose_king", lines=[]).stdout


def test_an_answer_is_judged_and_explained() -> None:
    lines = ["help", "8", "", "rules RK-61", "rules RK-99", "1", "show", "3", "", "castle", "actions", "draw"]
    shown = learn("rose_king", lines=lines).stdout
    assert "show            what the guide asks for" in shown
    assert "Type the number of your answer." in shown
    assert "RK-61  A region of n fields scores n × n points." in shown
    assert "rose_king has no clause RK-99" in shown
    assert "Not one point a field: eight times eight." in shown
    assert "What the guide asks for: 64 points" in shown
    assert "castle cannot be read" in shown
    assert "You may draw, but that comes later." in shown


def test_what_is_forbidden_may_be_tried() -> None:
    shown = learn("rose_king", "--step", "4", lines=["W2", "E3"]).stdout
    assert "Try: E3" in shown
    assert "That would be allowed. Try the forbidden one first: E3." in shown
    assert "Refused, as it should be." in shown
    assert "The crown would leave the board. (RK-21)" in shown
    assert "The crown may not leave the board." in shown


def test_a_match_may_be_begun_at_every_step() -> None:
    shown = learn("rose_king", lines=["play", "quit"]).stdout
    assert "Lancaster (red) > " in shown
    saved = files.saves()[0].read_text()
    assert files.players_of(saved) == ["me", "page"]
    assert "Lancaster (red) > " in learn("rose_king", lines=["3", "play", "quit"]).stdout


@pytest.mark.parametrize(
    "arguments, why",
    [
        (["chess"], "There is no game called chess."),
        (["rose_king", "--step", "12"], "The guide to rose_king has no step 12; there are 11."),
        (["rose_king", "--step", "0"], "The guide to rose_king has no step 0; there are 11."),
        (["rose_king", "--lang", "fr"], "There is no language fr."),
    ],
)
def test_bad_input_is_one_clear_line(arguments: list[str], why: str, tmp_path: Path) -> None:
    result = learn(*arguments, lines=[])
    assert result.exit_code == 2
    assert why in result.stderr
    assert result.stderr.count("\n") == 1
