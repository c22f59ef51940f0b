"""Positions as data: every one that play reaches is read back to the same bytes, and others are refused by name."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from games.long_live_the_king.table import counts, describe, play, table
from regalia import CHANCE, Match, NotationError

GAME = "long_live_the_king"
BOARD = "0 Stadford 1, 1 Wigemor 2, 1 Man 1, 2 Lideforde 2, 2 Sarisberie 1, 3 Lundonia 2, 3 Rouecestre 1"
TIED = "0 Sedberouie 1, 1 Wigemor 1, 2 Sarisberie 1, 3 Rouecestre 1"


def restored(position: dict[str, Any]) -> Match:
    return Match.from_position(GAME, position, chance="manual")


@pytest.mark.plain
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_every_position_of_a_match_can_be_written_and_read_back(seats: int) -> None:
    rng = random.Random(seats)
    phases = set()
    match = Match.new(GAME, seats, options={"dice_by_hand": seats != 4}, chance="manual")
    for _ in range(1200):
        position = json.loads(json.dumps(match.position()))
        assert restored(position).state_bytes() == match.state_bytes()
        phases.add(match.phase)
        if not match.actors:
            break
        seat = rng.choice(match.actors)
        match.play(seat, rng.choice(match.actions(seat)))
    assert len(phases) >= 12


def test_a_match_goes_on_from_its_position() -> None:
    match = play(table(4, areas=BOARD), "move Wigemor", "1: stake x1 x2")
    twin = restored(match.position())
    for each in (match, twin):
        play(each, "0: stake x1", "2: stake x1", "3: stake x1", "3", "1 1", "1", "2")
    assert twin.position() == match.position()
    assert restored(Match.replay(twin.transcript()).position()).state_bytes() == twin.state_bytes()


def test_what_a_seat_knows_is_no_whole_position() -> None:
    match = table(4, areas=BOARD)
    with pytest.raises(NotationError, match="hands"):
        restored(match.position(0))


# --- Positions to spoil ---


def turn() -> Match:
    return table(4, areas=BOARD)


def deal() -> Match:
    match = table(4, areas=BOARD, hands=["1 0 0"])
    return play(match, "place", "roll x1", "1", "end", "6 6 6 6 6", "6 6 6 6 5", "x1")


def late() -> Match:
    """After an election, with an unknown card in a hand and one face down."""
    known = ["12 7 1", "12 7 1", "11 7 1", "11 7 1"]
    return table(
        4,
        areas=BOARD,
        hands=["12 7 1", "12 7 1", "12 7 1", "11 7 1"],
        known=known,
        pile="1 0 0",
        bonus=[4, 3, 2, 1],
    )


def start() -> Match:
    return play(Match.new(GAME, 4, chance="manual"), "Man", "Tateshale")


def entered() -> Match:
    return play(turn(), "move Loncastre" if "move Loncastre" in turn().actions(0) else "move Tateshale")


def failed() -> Match:
    return play(entered(), "move Loncastre x1", "1")


def moving_on() -> Match:
    return play(entered(), "move Loncastre x1")


def placing() -> Match:
    return play(turn(), "place")


def courting() -> Match:
    return play(placing(), "roll x1")


def stakes() -> Match:
    return play(turn(), "move Wigemor", "1: stake x1 x2")


def roll() -> Match:
    return play(turn(), "move Wigemor", "stake x1 x1", "stake x1", "stake x1", "stake x1", "3 4", "2")


def dice() -> Match:
    return play(
        table(4, areas=BOARD, dice_by_hand=True),
        "move Wigemor",
        "stake x1 x2",
        "stake x1",
        "stake x1",
        "stake x1",
        "3 4",
    )


def banish() -> Match:
    return play(turn(), "move Wigemor", *["stake x1"] * 4, "6", "1", "1", "2")


def winning() -> Match:
    return play(banish(), "banish Man")


def reclaim() -> Match:
    match = play(turn(), "move Wigemor", "stake x1 x1", "stake x1 x2", "stake x1", "stake x1")
    return play(match, "1 5", "1 6", "1", "1", "banish Stadford", "end", "reclaim 1")


def tie() -> Match:
    return play(table(4, areas=TIED, quiet=79), "end", "1 2 3")


def crown() -> Match:
    return play(table(4, areas=TIED, quiet=79, bonus=[18, 10, 18, 14]), "end", "1 2 3 4 5", "5 5 5")


def over() -> Match:
    areas = "0 Tateshale 1, 0 Wigemor 1, 0 Oxeneford 1, 1 Stadford 1, 2 Lincolia 1, 3 Sarisberie 1"
    return play(table(4, areas=areas, bonus=[12, 10, 9, 9], quiet=79), "end")


def change(**words: Any) -> Callable[[dict[str, Any]], None]:
    """Entries given by name; `dispute__winner` is one inside another."""

    def spoil(position: dict[str, Any]) -> None:
        for name, value in words.items():
            *path, last = name.split("__")
            place = position
            for step in path:
                place = place[step]
            place[last] = value

    return spoil


SPOILT: list[tuple[Callable[[], Match], str, dict[str, Any]]] = [
    (turn, "areas", {"areas": []}),
    (turn, "areas", {"areas": {"Atlantis": {"seat": 0, "courtiers": 1}}}),
    (turn, "courtiers", {"areas__Man": {"seat": 1, "courtiers": 3}}),
    (turn, "seat", {"areas__Man": {"seat": 4, "courtiers": 1}}),
    (turn, "king", {"areas__Man": {"seat": 1, "courtiers": 1, "king": 1}}),
    (turn, "areas", {"areas__Oxeneford": {"seat": 0, "courtiers": 0}}),
    (turn, "nobles", {"nobles": ["Stadford", "Wigemor", "Lideforde", None]}),
    (turn, "nobles", {"nobles": ["Stadford", "Wigemor", "Lideforde", "London"]}),
    (turn, "nobles", {"nobles": ["Lideforde", "Wigemor", "Lideforde", "Lundonia"]}),
    (turn, "turn", {"turn": 4}),
    (turn, "active", {"active": 1}),
    (turn, "due", {"due": 1}),
    (turn, "entered", {"entered": ["London"]}),
    (turn, "turn", {"entered": ["Man"]}),
    (turn, "turn", {"placed": True}),
    (turn, "placed", {"placed": 1}),
    (turn, "turn", {"spent": True}),
    (turn, "quiet", {"quiet": 80}),
    (turn, "cards", {"cards": [20, 20, 20, 19]}),
    (turn, "cards", {"discards": counts("1 0 0")}),
    (turn, "discards", {"discards": {"x1": 0, "x2": 0}}),
    (turn, "hands", {"hands": [None] * 4}),
    (
        turn,
        "hands",
        {"hands": [counts(text) for text in ("13 7 1", "11 7 1", "12 7 1", "12 7 1")], "known": "hands"},
    ),
    (turn, "known", {"known": [counts("11 7 1")] * 4}),
    (turn, "known", {"known": [counts("13 7 1")] * 4}),
    (turn, "sealed", {"sealed": [["x1"], [], [], []]}),
    (turn, "sealed", {"sealed": [["x4"], [], [], []]}),
    (turn, "favour", {"favour": {"card": "x1", "area": None}}),
    (turn, "card", {"favour": {"card": "x4", "area": None}}),
    (turn, "bonus", {"bonus": [1, 1, 1, 1]}),
    (turn, "bonus", {"bonus": [9, 1, 0, 0], "elections": 1}),
    (turn, "standing", {"standing": [1, 0, 0, 0]}),
    (turn, "reason", {"reason": "elected"}),
    (turn, "reason", {"reason": "tired"}),
    (turn, "dispute", {"phase": "stakes"}),
    (turn, "bonus", {"phase": "tie"}),
    (turn, "election", {"election": {"deciding": "bonus", "winner": None, "sums": [0] * 4}}),
    (turn, "due", {"phase": "deal"}),
    (turn, "due", {"phase": "roll"}),
    (turn, "phase", {"phase": "putting"}),
    (turn, "placed", {"phase": "placing"}),
    (turn, "entered", {"phase": "entered"}),
    (turn, "unknown", {"king": 0}),
    (late, "face_down", {"face_down": 2}),
    (late, "known", {"known": [counts("12 7 1"), counts("12 7 1"), counts("12 7 1"), counts("12 7 1")]}),
    (late, "known", {"elections": 0, "bonus": [0] * 4}),
    (
        late,
        "face_down",
        {"pile": counts("1 0 0"), "face_down": 1, "known": "hands", "elections": 0, "bonus": [0] * 4},
    ),
    (deal, "cards", {"discards": counts("1 0 0")}),
    (deal, "due", {"due": 40}),
    (deal, "active", {"active": 1}),
    (deal, "quiet", {"quiet": 3}),
    (start, "nobles", {"nobles": ["Man", "Wigemor", None, None]}),
    (start, "phase", {"due": 1}),
    (start, "phase", {"turn": 0}),
    (entered, "entered", {"entered": ["Man"]}),
    (entered, "active", {"active": 2}),
    (failed, "spent", {"spent": False}),
    (moving_on, "spent", {"spent": False}),
    (moving_on, "favour", {"favour": {"card": "x1", "area": "Lundonia"}}),
    (moving_on, "favour", {"favour": {"card": "x1", "area": "Tateshale"}}),
    (moving_on, "area", {"favour": {"card": "x1", "area": "London"}}),
    (moving_on, "why", {"favour": {"card": "x1", "area": "Loncastre", "why": 1}}),
    (moving_on, "entered", {"entered": []}),
    (placing, "placed", {"placed": False}),
    (courting, "favour", {"areas__Stadford": {"seat": 0, "courtiers": 3}}),
    (stakes, "owing", {"dispute__owing": []}),
    (stakes, "sealed", {"dispute__owing": [0, 1, 2, 3]}),
    (stakes, "sealed", {"dispute__owing": [0, 2]}),
    (stakes, "sealed", {"sealed": [[], ["x3", "x3"], [], []]}),
    (stakes, "stakes", {"dispute__totals": [1, 0, 0, 0]}),
    (stakes, "active", {"active": 1}),
    (stakes, "defender", {"dispute__defender": 2}),
    (stakes, "defender", {"dispute__defender": 0}),
    (stakes, "from", {"dispute__from": "Lundonia"}),
    (stakes, "winner", {"dispute__winner": 1}),
    (stakes, "area", {"dispute__area": "London"}),
    (stakes, "nobles", {"nobles": ["Stadford", "Wigemor", "Lideforde", "Lundonia"]}),
    (stakes, "defender", {"entered": []}),
    (stakes, "placed", {"placed": True}),
    (stakes, "dispute", {"dispute": None, "nobles": ["Stadford", "Wigemor", "Lideforde", "Lundonia"]}),
    (roll, "due", {"due": 0}),
    (roll, "dice", {"due": 2}),
    (roll, "owing", {"dispute__owing": [0, 2, 3]}),
    (roll, "owing", {"dispute__owing": []}),
    (roll, "active", {"dispute__owing": [3]}),
    (roll, "totals", {"dispute__totals": [10, 8, 0, 0]}),
    (roll, "totals", {"dispute__totals": [9, 8, 1, 0]}),
    (roll, "dice", {"dispute__dice": [[3, 4], [2], [1], []]}),
    (roll, "dice", {"dispute__dice": [[3, 7], [2], [], []]}),
    (roll, "dice", {"dispute__dice": ["34", [2], [], []]}),
    (roll, "stakes", {"dispute__stakes": [["x1"] * 6, ["x1"], ["x1"], ["x1"]]}),
    (dice, "phase", {"options": {"dice_by_hand": "false"}}),
    (dice, "totals", {"dispute__totals": [20, 6, 0, 0]}),
    (banish, "winner", {"dispute__winner": 2}),
    (banish, "winner", {"dispute__winner": 1}),
    (banish, "totals", {"dispute__totals": [8, 8, 1, 2]}),
    (banish, "dice", {"dispute__dice": [[6, 6], [1], [1], [2]]}),
    (banish, "winner", {"active": 1}),
    (banish, "nobles", {"areas__Man": {"seat": 2, "courtiers": 1}}),
    (winning, "active", {"active": 1}),
    (winning, "placed", {"placed": True}),
    (winning, "nobles", {"nobles": ["Wigemor", "Wigemor", "Lideforde", "Lundonia"]}),
    (winning, "favour", {"phase": "die", "favour": {"card": "x1", "area": None}, "spent": True}),
    (reclaim, "active", {"active": 2}),
    (reclaim, "dice", {"dispute__dice": [[1, 5], [1, 6], [1, 1], [1]]}),
    (tie, "standing", {"standing": [0, 1, 2, 3]}),
    (tie, "standing", {"active": 1}),
    (tie, "sums", {"election__sums": [2, 0, 0, 0]}),
    (tie, "sums", {"election__sums": [6, 0, 5, 0]}),
    (tie, "due", {"due": 6}),
    (tie, "deciding", {"election__deciding": "crown"}),
    (tie, "deciding", {"election__deciding": "luck"}),
    (tie, "winner", {"election__winner": 1}),
    (tie, "election", {"election": None}),
    (crown, "deciding", {"election__deciding": "bonus"}),
    (crown, "winner", {"election__deciding": "ranking"}),
    (crown, "standing", {"election__deciding": "ranking", "election__winner": 2, "standing": [1, 1, 2, 3]}),
    (over, "standing", {"standing": [0, 0, 1, 2]}),
    (over, "standing", {"standing": [1, 0, 2, 3]}),
    (over, "standing", {"standing": [0, 3, 1, 2]}),
    (over, "reason", {"reason": "running"}),
]


@pytest.mark.plain
@pytest.mark.parametrize(
    "make, field, words",
    SPOILT,
    ids=[f"{make.__name__}-{number}" for number, (make, _, _) in enumerate(SPOILT)],
)
def test_a_position_that_cannot_exist_is_refused_by_the_name_of_a_field(
    make: Callable[[], Match], field: str, words: dict[str, Any]
) -> None:
    position = copy.deepcopy(make().position())
    restored(position)
    if words.get("known") == "hands":
        words = {**words, "known": words.get("hands", position["hands"])}
    change(**words)(position)
    with pytest.raises(NotationError, match=field):
        restored(position)


@pytest.mark.clause("LK-82")
def test_a_player_without_cards_may_have_a_turn_only_when_the_pile_is_too_small() -> None:
    with pytest.raises(NotationError, match="LK-82"):
        table(4, areas=BOARD, hands=["0 0 0"])
    assert (
        CHANCE
        not in table(
            4,
            areas=BOARD,
            hands=["0 0 0", "37 20 3", "5 3 1", "5 5 0"],
            known=["0 0 0"] * 4,
            bonus=[1, 2, 3, 4],
        ).actors
    )


@pytest.mark.clause("LK-3", "LK-4")
def test_nobody_has_more_than_seventeen_courtiers_besides_the_one_for_bonus_votes() -> None:
    full = "0 Tateshale 4, 0 Wigemor 4, 0 Oxeneford 4, 0 Grentebrige 4, 0 Stadford"
    others = "1 Lundonia 2, 2 Lideforde 2, 3 Man 2"
    assert table(4, areas=f"{full} 1, {others}").view()["supply"][0] == 0
    with pytest.raises(NotationError, match="LK-3"):
        table(4, areas=f"{full} 2, {others}")


def test_sizes_and_options_are_checked() -> None:
    position = describe(4, areas=BOARD)
    for wrong in ({"seats": 6}, {"options": {"dice_by_hand": "maybe"}}, {"phase": "lunch"}):
        with pytest.raises(ValueError, match=r"."):
            restored({**position, **wrong})
