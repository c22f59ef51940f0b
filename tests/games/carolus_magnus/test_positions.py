"""Positions are read strictly: what cannot exist is refused by name."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from games.carolus_magnus.play import choose
from games.carolus_magnus.table import DRAWS, SEVEN_ALL, counts, describe, make_ring, new, play, rolled, table
from regalia import CHANCE, Match, NotationError

Position = dict[str, Any]


@pytest.mark.plain
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_position_of_a_game_can_be_read_back(seats: int) -> None:
    rng = random.Random(seats)
    match = Match.new("carolus_magnus", seats=seats, chance="manual")
    for _ in range(250):
        again = Match.from_position("carolus_magnus", match.position(), chance="manual")
        assert again.state_bytes() == match.state_bytes()
        assert again.position() == match.position()
        if match.actors == (CHANCE,):
            match.play(CHANCE, rng.choice(match.actions(CHANCE)))
        elif match.actors:
            match.play(match.actors[0], choose(match, match.actors[0], rng))


def changed(position: Position, path: str, value: Any) -> Position:
    """The position with one entry changed: `players.0.disc`."""
    *keys, last = [int(key) if key.isdigit() else key for key in path.split(".")]
    part: Any = position
    for key in keys:
        part = part[key]
    part[last] = value
    return position


KNIGHTS: Position = describe()
LAST_RED = {"1": "36r37p37b37y37g"}  # one red knight in the supply, and nothing else
FOUR = {"1-4": "black", "5-8": "white", "9-12": "black", "13-15": "white"}


@pytest.mark.parametrize(
    "path, value",
    [
        ("round", -1),
        ("round", 101),
        ("round", True),
        ("round", 0),
        ("order", [0, 0]),
        ("order", [0]),
        ("order", [1, 0]),
        ("turn", None),
        ("turn", 2),
        ("due", 0),
        ("due", 4),
        ("due", 2),  # with seven in reserve at least one was brought, so at most six are left
        ("crowns", 1),
        ("brought", 1),
        ("emperor", None),
        ("emperor", 16),
        ("ring", []),
        ("ring", "red"),
        ("ring.0", 1),
        ("ring.0.place", 2),
        ("ring.0.provinces", []),
        ("ring.0.provinces", [1, 2]),
        ("ring.0.provinces", [1, 3]),
        ("ring.0.provinces", ["1"]),
        ("ring.0.knights.red", 0),
        ("ring.0.knights.red", 41),
        ("ring.0.knights.red", 40),
        ("ring.0.knights.pink", 1),
        ("ring.0.owner", "grey"),
        ("ring.0.owner", "black"),
        ("ring.0.castles", 1),
        ("ring.0.castles", 11),
        ("ring.0.more", 1),
        ("control.red", 2),
        ("control.pink", 0),
        ("control", []),
        ("players", []),
        ("players.0", 5),
        ("players.0.court", {}),
        ("players.0.court.red", 1),  # without control
        ("players.0.reserve.red", 3),
        ("players.0.disc", 6),
        ("players.0.disc", None),
        ("players.0.disc", 3),
        ("players.0.used", [1, 1]),
        ("players.0.used", [1, 2]),
        ("players.0.used", [2]),
        ("reason", "castles"),
        ("reason", "over"),
        ("more", 1),
    ],
)
def test_a_position_with_one_thing_wrong_is_refused(path: str, value: Any) -> None:
    Match.from_position("carolus_magnus", describe())
    with pytest.raises(NotationError):
        Match.from_position("carolus_magnus", changed(describe(), path, value))


@pytest.mark.parametrize("missing", sorted(KNIGHTS.keys() - {"options", "seats"}))
def test_a_position_with_something_missing_is_refused(missing: str) -> None:
    with pytest.raises(NotationError):
        Match.from_position(
            "carolus_magnus", {key: value for key, value in KNIGHTS.items() if key != missing}
        )


def final(reason: str, **words: Any) -> Position:
    """A finished game by that end."""
    if reason == "castles":
        match = table(
            2, "emperor", ring={"2-5": "black", "7-11": "black"}, courts=["r", ""], reserves=["rpby"] * 2
        )
        return play(match, "move 1").position()
    if reason == "regions":
        match = table(2, "emperor", ring=SEVEN_ALL, emperor=1, courts=["y", ""], reserves=["rpby"] * 2)
        return play(match, "move 1").position()
    rounds = 1 if reason == "standstill" else 100
    used = None if rounds == 1 else [[1, 2, 3, 4, 5]] * 2
    brought = reason == "rounds"
    match = table(
        2, "dice", round=rounds, used=used, turn=1, discs=[1, 2], brought=brought, reserves=["", ""]
    )
    return play(match, "red red red").position()


@pytest.mark.parametrize(
    "make, path, value",
    [
        # set-up
        (lambda: new().position(), "due", 14),
        (lambda: new().position(), "due", 0),
        (lambda: new().position(), "crowns", 1),
        (lambda: new().position(), "emperor", 1),
        (lambda: new().position(), "turn", 0),
        (lambda: new().position(), "round", 1),
        (lambda: new().position(), "brought", True),
        (lambda: new().position(), "order", [1, 0]),
        (lambda: new().position(), "control.red", 0),
        (lambda: new().position(), "players.0.used", [1]),
        (lambda: play(new(), "red").position(), "ring.0.knights.red", 0),
        (lambda: play(new(), "red").position(), "players.0.reserve.red", 1),
        (lambda: play(new(), "red").position(), "players.0.court.red", 1),
        (lambda: rolled().position(), "players.1.reserve.red", 0),
        (lambda: rolled().position(), "ring.0.knights", counts("p")),
        (lambda: play(new(), DRAWS, "province 1", "crown red").position(), "due", 4),
        (lambda: play(new(), DRAWS, "province 1", "crown " * 7).position(), "crowns", 6),
        (lambda: play(new(), DRAWS, "province 1", "crown " * 7).position(), "phase", "dice"),
        # the ring
        (lambda: describe(ring={"1-2": "black"}), "ring.0.owner", None),
        (lambda: describe(ring={"1-2": "black"}), "ring.0.castles", 1),
        (lambda: describe(ring={"1-2": "black"}), "emperor", 2),
        (lambda: describe(ring={"1": "black", "2": "white"}), "ring.1.owner", "black"),
        (lambda: describe(ring={"1-2": "black"}), "ring.0.knights.red", 0),
        (lambda: describe(ring={"1-2": "black"}), "ring.0.provinces", [2, 1]),
        (describe, "ring", [{**make_ring({"1-15": "black"})[0], "castles": 10}]),
        (lambda: describe(ring={"1": "r"}), "ring.0.knights", counts("yy")),
        (lambda: describe(ring={"1-6": "black", "8-12": "white"}), "ring.2.owner", "black"),
        # a running game is not over
        (lambda: describe(ring={"1-5": "black", "7-10": "black"}), "ring.1", make_ring({"6": "black"})[5]),
        (lambda: describe(ring=FOUR), "ring", make_ring({"1-4": "black", "5-8": "white", "9-15": "black"})),
        (lambda: describe(ring=FOUR), "ring", make_ring({"1-7": "black", "8-14": "white"})),
        # phases of a round
        (lambda: describe(2, "disc"), "brought", True),
        (lambda: describe(2, "disc"), "due", 1),
        (lambda: describe(2, "disc"), "players.0.disc", 1),
        (lambda: describe(2, "disc"), "round", 2),
        (lambda: describe(2, "emperor", reserves=["rpby"] * 2), "players.0.reserve.red", 2),
        (lambda: describe(2, "emperor", reserves=["rpby"] * 2), "due", 1),
        (lambda: describe(2, "dice", reserves=["rpby"] * 2), "due", 0),
        (lambda: describe(2, "dice", reserves=["rpby"] * 2), "due", 4),
        (lambda: describe(2, "dice", reserves=["rpby"] * 2), "players.0.reserve.red", 2),
        (lambda: describe(2, "dice", reserves=["rpby"] * 2), "crowns", 1),
        (lambda: describe(2, "crown", crowns=1, reserves=["rpby"] * 2), "crowns", 4),
        (lambda: describe(2, "crown", crowns=1, reserves=["rpby"] * 2), "crowns", 0),
        (lambda: describe(2, "crown", crowns=3, reserves=["rpby"] * 2), "players.0.reserve.red", 2),
        (lambda: describe(2, "crown", crowns=1, ring=LAST_RED, reserves=["", ""]), "ring.0.knights.red", 38),
        # ends
        (lambda: final("castles"), "reason", "regions"),
        (lambda: final("castles"), "reason", "running"),
        (lambda: final("castles"), "phase", "disc"),
        (lambda: final("castles"), "emperor", 15),
        (lambda: final("castles"), "due", 1),
        (lambda: final("regions"), "reason", "castles"),
        (lambda: final("regions"), "reason", "standstill"),
        (lambda: final("regions"), "emperor", 15),
        (lambda: final("standstill"), "brought", True),
        (lambda: final("standstill"), "turn", 0),
        (lambda: final("standstill"), "reason", "rounds"),
        (lambda: final("standstill"), "reason", "castles"),
        (lambda: final("rounds"), "brought", False),
        (lambda: final("rounds"), "turn", 0),
        (lambda: final("rounds"), "round", 95),
        (lambda: final("rounds"), "reason", "standstill"),
    ],
)  # fmt: skip
def test_other_positions_that_cannot_exist(make: Callable[[], Position], path: str, value: Any) -> None:
    Match.from_position("carolus_magnus", make())
    with pytest.raises(NotationError):
        Match.from_position("carolus_magnus", changed(make(), path, value))
