"""Texts and positions: every spelling, and everything that is refused."""

from __future__ import annotations

from typing import Any

import pytest

from games.court_the_king.table import CHANCE, Match, play, turn
from regalia import IllegalAction, NotationError

UNREADABLE = [
    "keep",
    "keep two",
    "keep 2,5",
    "take",
    "take everything",
    "use",
    "use jester 4",
    "use laborer 1",
    "use fool",
    "use maid 2",
    "use maid 2-1",
    "use philosopher 5>1",
    "use magician 4",
    "use alchemist 2 5 5",
    "use queen 1 2",
    "roll 3",
    "pass now",
    "win",
]


@pytest.mark.parametrize("text", UNREADABLE)
def test_what_cannot_be_read_is_said_with_examples(text: str) -> None:
    match = turn("fool maid", active="2 5 6")
    with pytest.raises(NotationError, match="keep 2 5 5") as caught:
        match.play(0, text)
    assert caught.value.key == "court_the_king.unread"


@pytest.mark.plain
def test_order_case_and_spaces_do_not_matter_where_they_have_no_meaning() -> None:
    own = "merchant lady nobleman maid philosopher alchemist magician farmer"
    for text, canonical in (
        ("KEEP 5  2", "keep 2 5"),
        ("use Lady 5 2", "use lady 2 5"),
        ("use nobleman 4 2", "use nobleman 2 4"),
        ("use merchant 6 5 4 2", "use merchant 2 4 5 6"),
        ("use maid 2 + 3", "use maid 2+3"),
        ("use magician 2 = 6", "use magician 2=6"),
        ("use philosopher 4 - 1 > 2", "use philosopher 4-1>2"),
        ("use philosopher 6-3>2", "use philosopher 6-1>2"),
        ("use philosopher 5-1>2", "use philosopher 5-1>2"),
        ("use alchemist 6 2=5 3", "use alchemist 2 6 = 3 5"),
        ("use alchemist 6 2 4 = 3 4 5", "use alchemist 2 6 = 3 5"),
    ):
        match = turn(own, active="2 4 5 6")
        play(match, text)
        assert match.records[-1].action == canonical


@pytest.mark.plain
def test_every_listed_action_reads_back_and_gives_its_own_dice() -> None:
    """All powers at once on dice with much choice: each effect exactly once."""
    own = "fool maid philosopher astronomer merchant magician lady alchemist nobleman farmer charlatan"
    match = turn(own, active="1 2 2 5", aside="4", duty=False, courts=["", "", "", ""])
    actions = match.actions(0)
    after = set()
    for text in actions:
        twin = match.copy()
        twin.play(0, text)
        assert twin.records[-1].action == text
        position = twin.position()
        after.add(str([position[key] for key in ("active", "aside", "rolling", "used", "duty")]))
    assert len(after) == len(actions) == len(set(actions))


def test_dice_may_be_typed_one_by_one_or_together_but_not_wrongly() -> None:
    match = play(turn("farmer"), "roll")
    for wrong in ("7", "0", "seat 1", "x", "1 2 3 4 5"):
        with pytest.raises(NotationError):
            match.play(CHANCE, wrong)
    play(match, "1", "2 3", "4")
    lot = Match.new("court_the_king", seats=2, chance="manual")
    for wrong in ("seat 2", "3", "seat"):
        with pytest.raises(NotationError):
            lot.play(CHANCE, wrong)
    assert play(lot, "SEAT 1").actors == (1,)


def test_refused_texts_are_in_every_language() -> None:
    with pytest.raises(IllegalAction) as caught:
        turn("maid", active="2 5 6").play(0, "use maid 5+3")
    assert caught.value.text("en").endswith("(CK-53)")
    assert caught.value.text("de") != caught.value.text("nl") != caught.value.text("en")


# --- Positions ---


def edited(match: Match, **changes: Any) -> dict[str, Any]:
    return {**match.position(), **changes}


KING = {"seat": 1, "count": 7, "face": 2}
MIDDLE = {"own": "fool laborer farmer", "active": "1 2", "aside": "3 3", "duty": False}
WRONG: list[tuple[dict[str, Any], dict[str, Any]]] = [
    (MIDDLE, {"turn": 2}),
    (MIDDLE, {"round": 0}),
    (MIDDLE, {"round": 41}),
    (MIDDLE, {"starter": "0"}),
    (MIDDLE, {"final": "soon"}),
    (MIDDLE, {"final": "rounds"}),
    (MIDDLE, {"final": "king"}),
    (MIDDLE, {"reason": "king"}),
    (MIDDLE, {"duty": 1}),
    (MIDDLE, {"active": [1, 7]}),
    (MIDDLE, {"active": "12"}),
    (MIDDLE, {"active": [1] * 13}),
    (MIDDLE, {"active": [1, 2, 3]}),
    (MIDDLE, {"aside": [3]}),
    (MIDDLE, {"in_hand": 1, "active": [1]}),
    (MIDDLE, {"rolling": 1, "active": [1]}),
    (MIDDLE, {"aside": [], "active": [1, 2, 3, 3]}),
    (MIDDLE, {"phase": "take"}),
    (MIDDLE, {"phase": "final"}),
    (MIDDLE, {"phase": "keeping"}),
    (MIDDLE, {"phase": "rolling"}),
    (MIDDLE, {"phase": "over"}),
    (MIDDLE, {"phase": "over", "used": ["fool"]}),
    (MIDDLE, {"phase": "start"}),
    (MIDDLE, {"used": ["farmer"]}),
    (MIDDLE, {"used": ["maid"]}),
    (MIDDLE, {"used": ["fool", "fool"]}),
    (MIDDLE, {"used": ["jester"]}),
    (MIDDLE, {"used": "fool"}),
    (MIDDLE, {"characters": [["fool"]]}),
    (MIDDLE, {"characters": [["fool", "laborer", "farmer"], "fool"]}),
    (MIDDLE, {"characters": [["fool", "laborer", "farmer"], ["jester"]]}),
    (MIDDLE, {"characters": [["fool", "laborer", "farmer", "farmer"], []]}),
    (MIDDLE, {"characters": [["fool", "laborer", "farmer"], ["charlatan", "fool"]]}),
    (MIDDLE, {"characters": [["fool", "laborer", "farmer"], ["queen"]]}),
    (MIDDLE, {"characters": [["fool", "laborer", "farmer"], ["king", "queen"]]}),
    (MIDDLE, {"best": {"seat": 1, "count": 3, "face": 3}}),
    (MIDDLE, {"best": [1, 3, 3]}),
    (MIDDLE, {"results": [None, [1, 2, 3]]}),
    (MIDDLE, {"results": [None]}),
    (MIDDLE, {"surplus": 1}),
    ({"own": "fool"}, {"used": ["fool"]}),
    ({"own": "fool"}, {"duty": True}),
    ({"own": "", "aside": "1 2 3"}, {"duty": True}),
    # the King is taken: his holder has the best result, played before, and is not asked again with the Queen
    (
        {"own": "", "active": "1 2 3", "courts": ["king queen"], "best": KING, "turn": 0, "starter": 1},
        {"starter": 0},
    ),
    (
        {"own": "", "active": "1 2 3", "courts": ["king queen"], "best": KING, "turn": 0, "starter": 1},
        {"best": {"seat": 0, "count": 7, "face": 2}},
    ),
    (
        {"own": "", "active": "1 2 3", "courts": ["king queen"], "best": KING, "turn": 0, "starter": 1},
        {"best": {"seat": 1, "count": 6, "face": 2}},
    ),
    (
        {"own": "", "courts": ["king queen"], "best": KING, "final": "king", "phase": "final"},
        {"turn": 1, "characters": [[], ["king", "queen"]]},
    ),
    ({"own": "", "courts": ["king queen"], "best": KING, "final": "king", "phase": "final"}, {"round": 1}),
    (
        {"own": "", "courts": ["king queen"], "best": KING, "final": "king", "phase": "final"},
        {"phase": "turn"},
    ),
    (
        {"own": "", "courts": ["king queen"], "best": KING, "final": "king", "phase": "final"},
        {"results": [[1], None]},
    ),
    (
        {"own": "", "round": 41, "final": "rounds", "phase": "final"},
        {"best": {"seat": 1, "count": 2, "face": 2}},
    ),
    (
        {"own": "", "round": 41, "final": "rounds", "phase": "final", "turn": 1, "results": [[2, 2, 3], None]}
        | {"best": {"seat": 0, "count": 2, "face": 2}},
        {"best": {"seat": 1, "count": 2, "face": 2}},
    ),
]


@pytest.mark.plain
@pytest.mark.parametrize("facts, changes", WRONG)
def test_a_position_that_cannot_be_is_refused(facts: dict[str, Any], changes: dict[str, Any]) -> None:
    position = edited(turn(**facts), **changes)
    with pytest.raises(NotationError):
        Match.from_position("court_the_king", position, chance="manual")


def test_a_position_without_a_field_is_refused() -> None:
    position = turn(**MIDDLE).position()
    for key in set(position) - {"game", "rules", "seats", "options"}:
        with pytest.raises(NotationError):
            Match.from_position("court_the_king", {k: v for k, v in position.items() if k != key})


@pytest.mark.plain
def test_positions_of_every_phase_go_round() -> None:
    match = Match.new("court_the_king", seats=3, chance="manual")
    for text in ("", "seat 1", "roll", "2 2", "5", "keep 2", "roll", "4 4", "keep 4 4", "take farmer"):
        if text:
            play(match, text)
        again = Match.from_position("court_the_king", match.position(), chance="manual")
        assert again.state_bytes() == match.state_bytes()
    over = turn("", courts=["king queen"], best=KING, final="king", phase="final")
    play(over, "pass")
    assert Match.from_position("court_the_king", over.position()).outcome == over.outcome
    with pytest.raises(NotationError):
        Match.from_position("court_the_king", edited(over, turn=1))


@pytest.mark.plain
def test_views_add_the_display_the_order_and_what_the_dice_are_worth() -> None:
    view = turn("fool laborer farmer", active="1 5", aside="5 5", duty=False, courts=["guard"]).view(0)
    assert view["display"]["guard"] == 1
    assert view["order"] == [0, 1]
    assert (view["dice"], view["total"], view["equal"]) == (4, 16, {"count": 3, "face": 5})
    assert view["paid"] == ["fool", "charlatan", "farmer", "maid", "laborer", "guard"]
    assert view["ready"] == view["usable"] == ["fool", "laborer"]
    assert view["takeable"] == []
    assert turn("fool laborer").view(0)["usable"] == ["laborer"]
    assert turn("fool laborer").view(0)["paid"] == []
    assert turn("laborer farmer", aside="5 5 5 5").view(0)["usable"] == []
    assert turn("farmer", aside="5 5 5 5").view(0)["takeable"][:3] == ["fool", "maid", "laborer"]
