"""A trainer over HTTP: a number is a hand, and every answer is told with its odds."""

from __future__ import annotations

from typing import Any

from server.harness import Guest, Reply

PATH = "/api/games/court_the_king/trainer"


def ask(guest: Guest, level: str = "few", hand: int = 3, **more: Any) -> Reply:
    return guest.post(PATH, {"level": level, "hand": hand, **more})


def test_a_hand_is_asked_first_and_told_when_it_is_answered(ann: Guest) -> None:
    asked = ask(ann).json
    assert (asked["answer"], asked["rows"], asked["why"]) == (None, [], [])
    assert asked["view"]["you"] in asked["view"]["actors"]
    assert "roll" not in asked["view"]["actions"]
    told = ask(ann, answer=asked["view"]["actions"][-1].upper()).json
    assert told["answer"] == asked["view"]["actions"][-1]
    assert {row["action"] for row in told["rows"]} == {*asked["view"]["actions"]}
    odds = [row["odds"] for row in told["rows"]]
    assert odds == sorted(odds, reverse=True)
    assert told["view"] == asked["view"]
    assert ask(ann, level="").json == asked
    assert ask(ann, level="final").json["target"] == "best"


def test_what_cannot_be_answered_is_refused(ann: Guest) -> None:
    assert ask(ann, answer="roll").code == "illegal_action"
    assert ask(ann, answer="abracadabra").status >= 400
    assert ask(ann, level="hard").status == 404
    assert ask(ann, hand=-1).status == 422
    assert ann.post("/api/games/rose_king/trainer", {"level": "", "hand": 1}).status == 404
    assert ann.get("/api/games").json[0]["has_trainer"] in (True, False)
