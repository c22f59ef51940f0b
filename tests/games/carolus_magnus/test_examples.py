"""The examples of the rulebook, with exactly their numbers."""

from __future__ import annotations

from typing import Any

import pytest

from games.carolus_magnus.table import controllers, counter_attack, held, play, show, strengths, table

pytestmark = pytest.mark.plain


@pytest.mark.clause("CM-X1")
def test_barbara_with_disc_2_acts_before_andreas_with_disc_3() -> None:
    match = play(table(2, "disc"), "disc 3", "disc 2")
    assert match.actors == (1,)
    play(match, "red>1", "red>1", "blue>1")
    assert match.actions(1) == ["move 1", "move 2"]
    play(match, "move 1", "red red red", "red>1", "red>1", "blue>1")
    assert match.actions(0) == ["move 1", "move 2", "move 3"]


@pytest.mark.clause("CM-X2")
def test_whoever_wins_green_over_takes_the_province_of_its_knights() -> None:
    match = table(ring={"1": "black gg"}, courts=["3g", "r3g"], discs=[2, 1])
    assert strengths(match, 1) == {"black": 3, "white": 1}
    play(match, "green>court")
    assert strengths(match, 1) == {"black": 1, "white": 3}
    play(match, "red>9", "red>9", "move 1")
    assert show(match, 1) == "1 white 1 rgg"


@pytest.mark.clause("CM-X3")
def test_a_province_between_two_own_ones_makes_a_region_of_three() -> None:
    a, b, c = "3", "4", "5"
    ring = {a: "white r", b: "black y", c: "white p"}
    match = table(2, "emperor", ring=ring, emperor=3, courts=["", "y"], discs=[2, 1], reserves=["rpby"] * 2)
    play(match, "move 1")
    assert show(match, 4) == "3-5 white 3 rpbyyg"


@pytest.mark.clause("CM-X4")
def test_a_counter_attack_takes_region_c_and_joins_b_and_d_to_it() -> None:
    match = counter_attack([4, 3])
    assert controllers(match) == {"red": 1, "purple": 1, "blue": 0, "yellow": 0, "green": 0}
    assert show(match, 4) == "4-6 black 3 rrpbyyygg"
    assert strengths(match, 4) == {"black": 9, "white": 3}
    assert strengths(match, 3) == {"black": 2, "white": 1}
    play(match, "yellow>court", "yellow>court")
    assert [court.count("y") for court in held(match, "court")] == [6, 7]
    assert controllers(match)["yellow"] == 1
    play(match, "yellow>4")
    assert strengths(match, 4) == {"black": 6, "white": 7}
    assert match.actions(1) == ["move 1", "move 2", "move 3"]
    play(match, "move 2")
    assert show(match, 4) == "3-7 white 5 rrppbbbyyyygg"
    assert match.view()["scores"] == [2, 5]
    assert match.position()["emperor"] == 3


@pytest.mark.clause("CM-X5")
def test_were_it_blacks_turn_a_b_and_c_would_be_one_region_of_six_castles() -> None:
    match = counter_attack([2, 3])
    play(match, "purple>11", "blue>11", "yellow>11", "move 1")
    assert show(match, 3) == "1-6 black 6 rrrppbbbyyygg"


@pytest.mark.clause("CM-X6")
@pytest.mark.parametrize(
    "added, courts, controller", [(3, (9, 10), 1), (2, (9, 9), 1), (1, (9, 8), 0), (0, (9, 7), 0)]
)
def test_white_holds_red_by_adding_as_many_as_it_takes(
    added: int, courts: tuple[int, int], controller: int
) -> None:
    words: dict[str, Any] = {"courts": ["6r", "7r"], "reserves": ["rrrpbyg", "rrrpppp"], "discs": [2, 1]}
    match = table(**words)
    play(match, *["red>court"] * added, *["purple>9"] * (3 - added), "move 1", "green green green")
    play(match, *["red>court"] * 3)
    assert tuple(court.count("r") for court in held(match, "court")) == courts
    assert controllers(match)["red"] == controller


@pytest.mark.clause("CM-X7")
def test_one_red_knight_in_court_and_the_emperor_at_another_make_a_castle() -> None:
    match = table()
    play(match, "red>court", "blue>9", "green>9")
    assert controllers(match) == {"red": 0}
    assert show(play(match, "move 1"), 1) == "1 black 1 r"


@pytest.mark.clause("CM-X8")
def test_partners_may_act_four_times_running() -> None:
    match = table(4, "dice", discs=[3, 1, 4, 2], turn=3, reserves=["rpbygrp", "rpbygrp", "rpbygrp", "rpby"])
    assert match.position()["order"] == [1, 3, 0, 2]
    play(match, "red red red")
    acted = []
    for _ in range(4):
        if match.phase == "disc":
            assert match.position()["order"] == [1, 3, 0, 2]
            play(match, "disc 4", "disc 5", "disc 1", "disc 2")
        acted += match.actors
        colours = [action.split(">")[0] for action in match.actions(acted[-1]) if action.endswith(">court")]
        play(match, *[f"{colour}>9" for colour in colours[:3]], "move 1", "red green blue")
    assert acted == [0, 2, 0, 2]
