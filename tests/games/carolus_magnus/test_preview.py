"""The preview of every move of the emperor comes from the rules: what it says is what happens."""

from __future__ import annotations

import random

import pytest

from games.carolus_magnus.play import choose
from games.carolus_magnus.table import SEVEN_ALL, counter_attack, play, table
from regalia import Match

pytestmark = pytest.mark.plain


@pytest.mark.clause("CM-X4", "CM-31")
def test_the_counter_attack_is_seen_before_it_is_played() -> None:
    match = counter_attack([4, 3])
    attack = match.view(1)["previews"][1]
    assert (attack["place"], attack["strengths"], attack["takes"]) == (4, {"black": 9, "white": 3}, None)
    play(match, "yellow>court", "yellow>court", "yellow>4")
    one, two, three = match.view(1)["previews"]
    assert one == {
        "action": "move 1",
        "place": 3,
        "strengths": {"black": 2, "white": 1},
        "takes": "black",
        "loses": "white",
        "castles": 1,
        "merges": [1, 4],
        "region": [1, 2, 3, 4, 5, 6],
        "ends": None,
        "winners": [],
    }
    assert two == {
        "action": "move 2",
        "place": 4,
        "strengths": {"black": 6, "white": 7},
        "takes": "white",
        "loses": "black",
        "castles": 3,
        "merges": [3, 7],
        "region": [3, 4, 5, 6, 7],
        "ends": None,
        "winners": [],
    }
    assert (three["place"], three["takes"], three["castles"], three["merges"]) == (7, None, 0, [])
    assert match.view(0)["previews"] == [one, two, three]


@pytest.mark.clause("CM-56", "CM-60", "CM-61")
def test_a_preview_tells_that_the_game_would_end_and_who_would_have_won() -> None:
    ring = {"1-3": "white rrr", "5-8": "black", "10-13": "black"}
    match = table(4, "emperor", ring=ring, courts=["", "", "r", ""], reserves=["rpby"] * 4)
    (last,) = match.view(0)["previews"]
    assert (last["takes"], last["loses"], last["castles"], last["merges"]) == ("black", "white", 2, [])
    assert (last["ends"], last["winners"]) == ("castles", [0, 2])
    match = table(2, "emperor", ring=SEVEN_ALL, emperor=1, courts=["y", "r"], reserves=["rpby"] * 2)
    (last,) = match.view(0)["previews"]
    assert (last["ends"], last["winners"], last["merges"]) == ("regions", [0, 1], [1, 5])


def test_everyone_sees_the_moves_of_who_is_about_to_move_the_emperor() -> None:
    match = table()
    assert [move["action"] for move in match.view(0)["previews"]] == ["move 1"]
    assert match.view(1)["previews"] == match.view(0)["previews"]
    match = table(2, "disc")
    assert match.view(0)["previews"] == []


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_what_a_preview_says_is_what_happens(seats: int) -> None:
    """Over whole games, for every move and not only the one played."""
    rng = random.Random(seats)
    match = Match.new("carolus_magnus", seats=seats, seed=2)
    for _ in range(150):
        if not match.actors:
            break
        seat = match.actors[0]
        before = match.view(seat)
        for move in before["previews"] if match.phase == "emperor" else []:
            after = match.preview(seat, move["action"])
            place = next(place for place in after["ring"] if place["place"] == after["emperor"])
            stop = next(place for place in before["ring"] if move["place"] == place["place"])
            assert move["place"] in place["provinces"]
            assert move["region"] == place["provinces"]
            assert (place["owner"] != stop["owner"]) == (move["takes"] is not None)
            assert len(before["ring"]) - len(after["ring"]) == len(move["merges"])
            gains = [
                new["castles"] - old["castles"]
                for new, old in zip(after["sides"], before["sides"], strict=True)
            ]
            assert sum(gains) == (move["castles"] if move["takes"] and not move["loses"] else 0)
            assert max(gains) == move["castles"]
            assert (after["outcome"] is not None) == (move["ends"] is not None)
        match.play(seat, choose(match, seat, rng))
