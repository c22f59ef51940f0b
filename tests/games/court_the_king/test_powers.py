"""The characters one by one: what they cost and what they do."""

from __future__ import annotations

from itertools import combinations_with_replacement

import pytest

from games.court_the_king.table import Match, dice, play, takes, turn, uses
from regalia import IllegalAction

# Results that just pay for a character, and results that just do not; with the cards that bring so many dice.
FOUR, FIVE, SIX, SEVEN = "farmer", "charlatan charlatan", "general farmer", "general charlatan charlatan"
COSTS = [
    ("CK-50", "fool", "", "1 2 4", None),
    ("CK-52", "farmer", "", "1 4 4", "1 2 4"),
    ("CK-53", "maid", "", "1 3 5", "1 3 4"),
    ("CK-54", "philosopher", "", "2 4 6", "2 4 5"),
    ("CK-55", "laborer", "", "4 5 6", "4 5 5"),
    ("CK-56", "guard", "", "2 2 2", "2 2 3"),
    ("CK-57", "astronomer", FOUR, "1 1 6 6", "1 1 5 6"),
    ("CK-57", "astronomer", FOUR, "3 3 3 3", "3 3 3 4"),
    ("CK-58", "merchant", FOUR, "4 4 6 6", "4 4 5 6"),
    ("CK-59", "hunter", FOUR, "6 6 6 6", "5 6 6 6"),
    ("CK-60", "pawnbroker", SIX, "4 4 5 5 6 6", "3 4 5 5 6 6"),
    ("CK-61", "knight", FIVE, "1 1 1 1 1", "1 1 1 1 2"),
    ("CK-62", "magician", FIVE, "1 2 3 4 5", "1 2 3 4 6"),
    ("CK-62", "magician", FIVE, "2 3 4 5 6", "2 2 3 4 5"),
    ("CK-63", "lady", FIVE, "1 1 2 2 2", "1 1 2 2 3"),
    ("CK-63", "lady", FIVE, "4 4 4 4 4", "4 4 4 4 5"),
    ("CK-64", "alchemist", SIX, "1 2 3 4 5 6", "1 2 3 4 5 5"),
    ("CK-65", "bishop", SIX, "1 1 2 2 3 3", "1 1 2 2 3 4"),
    ("CK-65", "bishop", SIX, "1 1 1 1 3 3", "1 1 1 1 3 4"),
    ("CK-65", "bishop", SIX, "5 5 5 5 5 5", "5 5 5 5 5 6"),
    ("CK-66", "nobleman", SIX, "1 1 1 2 2 2", "1 1 1 1 2 2"),
    ("CK-66", "nobleman", SIX, "1 1 1 1 1 1", "1 1 1 1 1 2"),
    ("CK-67", "general", "charlatan charlatan farmer", "1 1 1 1 1 1", "1 1 1 1 1 2"),
    ("CK-69", "king", SEVEN, "3 3 3 3 3 3 3", "3 3 3 3 3 3 4"),
]


def refused(match: Match, text: str) -> str | None:
    with pytest.raises(IllegalAction) as caught:
        match.play(match.actors[0], text)
    return caught.value.clause


@pytest.mark.plain
@pytest.mark.parametrize("clause, name, own, enough, not_enough", COSTS)
@pytest.mark.clause(
    "CK-50", "CK-52", "CK-53", "CK-54", "CK-55", "CK-56", "CK-57", "CK-58", "CK-59", "CK-60", "CK-61"
)
@pytest.mark.clause("CK-62", "CK-63", "CK-64", "CK-65", "CK-66", "CK-67", "CK-69")
def test_a_result_pays_for_a_character(
    clause: str, name: str, own: str, enough: str, not_enough: str | None
) -> None:
    courts = ["", "", ""]
    assert name in takes(turn(own, aside=enough, courts=courts))
    assert name in turn(own, aside=enough, courts=courts).view()["paid"]
    if not_enough is None:
        return
    match = turn(own, aside=not_enough, courts=courts)
    assert name not in takes(match)
    assert name not in match.view()["paid"]
    assert refused(match, f"take {name}") == ("CK-70" if name == "king" else clause)


@pytest.mark.clause("CK-50")
def test_the_fool_rerolls_any_one_active_die() -> None:
    match = turn("fool laborer", active="2 2 5")
    assert uses(match, "fool") == ["2", "5"]
    assert refused(match, "use fool 2 5") == "CK-50"
    play(match, "use laborer", "use fool 1", "4")  # also one that was added
    assert dice(match) == ("2 2 4 5", "")


@pytest.mark.clause("CK-51", "CK-52", "CK-67")
def test_charlatan_farmer_and_general_bring_dice_by_themselves() -> None:
    assert turn("charlatan").position()["in_hand"] == turn("farmer").position()["in_hand"] == 4
    assert turn("general").position()["in_hand"] == 5
    assert turn("charlatan farmer general").view(0)["ready"] == []


@pytest.mark.clause("CK-53")
def test_the_maid_adds_up_to_three_but_never_above_six() -> None:
    match = turn("maid", active="2 5 6")
    assert uses(match, "maid") == ["2+1", "2+2", "2+3", "5+1"]
    for text in ("use maid 5+2", "use maid 2+4", "use maid 6+1"):
        assert refused(match, text) == "CK-53"
    assert dice(play(match, "use maid 2+3")) == ("5 5 6", "")
    assert uses(turn("maid", active="6 6 6"), "maid") == []
    assert refused(turn("maid", active="6 6 6"), "use maid 6+1") == "CK-53"


@pytest.mark.plain
@pytest.mark.clause("CK-54")
def test_the_philosopher_moves_pips_between_two_dice() -> None:
    match = turn("philosopher", active="2 2 5")
    assert sorted(uses(match, "philosopher")) == ["2-1>2", "2-1>5", "5-1>2"]
    assert refused(match, "use philosopher 2-2>5") == "CK-54"
    assert refused(match, "use philosopher 5-5>2") == "CK-54"
    assert refused(match, "use philosopher 5-1>5") == "CK-26"
    assert dice(play(match.copy(), "use philosopher 2-1>2")) == ("1 3 5", "")
    play(match, "use philosopher 5 - 2 > 2")  # more pips do the same as one
    assert match.records[-1].action == "use philosopher 5-1>2"
    assert dice(match) == ("2 3 4", "")
    assert (
        refused(turn("philosopher farmer", active="4", aside="1 2 3", duty=True), "use philosopher 4-1>2")
        == "CK-54"
    )


@pytest.mark.clause("CK-X3")
def test_marc_makes_three_threes_of_five_three_and_one() -> None:
    assert dice(play(turn("philosopher", active="5 3 1"), "use philosopher 5-2>1")) == ("3 3 3", "")


@pytest.mark.parametrize(
    "name, face",
    [("laborer", 1), ("guard", 2), ("hunter", 3), ("pawnbroker", 4), ("knight", 5), ("bishop", 6)],
)
@pytest.mark.clause("CK-55", "CK-56", "CK-59", "CK-60", "CK-61", "CK-65")
def test_some_characters_add_a_die_of_their_face(name: str, face: int) -> None:
    match = play(turn(name, active="1 1 1"), f"use {name}")
    assert match.position()["active"] == sorted([1, 1, 1, face])
    assert match.position()["duty"]


@pytest.mark.plain
@pytest.mark.clause("CK-57")
def test_the_astronomer_turns_a_die_to_a_face_set_aside() -> None:
    match = turn("astronomer farmer charlatan", active="2 4 6", aside="2 5", duty=False, courts=["", ""])
    assert uses(match, "astronomer") == ["2=5", "4=2", "4=5", "6=2", "6=5"]
    assert refused(match, "use astronomer 4=3") == "CK-57"
    assert refused(match, "use astronomer 4=7") == "CK-57"
    assert refused(match, "use astronomer 2=2") == "CK-37"
    assert dice(play(match, "use astronomer 6=5")) == ("2 4 5", "2 5")
    assert refused(turn("astronomer", active="1 2 3"), "use astronomer 1=2") == "CK-57"
    only = turn("astronomer farmer", active="3 3 4", aside="3", duty=False)
    assert uses(only, "astronomer") == ["4=3"]
    assert refused(only, "use astronomer 3=4") == "CK-57"


@pytest.mark.clause("CK-X4")
def test_carl_turns_a_one_into_a_three() -> None:
    match = turn("astronomer", active="1", aside="3 3", duty=True)
    assert dice(play(match, "use astronomer 1=3")) == ("3", "3 3")


@pytest.mark.clause("CK-58")
def test_the_merchant_rerolls_any_number_of_dice_once() -> None:
    match = turn("merchant farmer", active="1 1 3 6")
    assert "1 1 3" in uses(match, "merchant")
    assert len(uses(match, "merchant")) == 3 * 2 * 2 - 1
    play(match, "use merchant 3 1 1")
    assert match.position()["rolling"] == 3
    assert match.records[-1].action == "use merchant 1 1 3"
    play(match, "6 5 4")
    assert dice(match) == ("4 5 6 6", "")
    assert refused(match, "use merchant 4") == "CK-25"


@pytest.mark.clause("CK-62")
def test_the_magician_turns_a_die_to_any_face() -> None:
    match = turn("magician", active="1 4 4")
    assert uses(match, "magician") == ["1=2", "1=3", "1=4", "1=5", "1=6", "4=1", "4=2", "4=3", "4=5", "4=6"]
    assert refused(match, "use magician 4=7") == "CK-62"
    assert refused(match, "use magician 4=0") == "CK-62"
    assert dice(play(match, "use magician 4=6")) == ("1 4 6", "")


@pytest.mark.clause("CK-63")
def test_the_lady_adds_one_to_any_number_of_dice() -> None:
    match = turn("lady farmer", active="3 3 5 6")
    assert uses(match, "lady") == ["3", "3 3", "3 3 5", "3 5", "5"]
    assert refused(match, "use lady 3 6") == "CK-63"
    assert dice(play(match, "use lady 3 3 5")) == ("4 4 6 6", "")
    assert refused(turn("lady", active="6 6 6"), "use lady 6") == "CK-63"


@pytest.mark.plain
@pytest.mark.clause("CK-64", "CK-X5")
def test_the_alchemist_shifts_pips_among_two_or_three_dice() -> None:
    assert dice(play(turn("alchemist", active="2 5 5"), "use alchemist 2 5 5 = 4 4 4")) == ("4 4 4", "")
    assert dice(play(turn("alchemist", active="6 2 1"), "use alchemist 1 2 6 = 3 3 3")) == ("3 3 3", "")
    match = turn("alchemist", active="2 5 5")
    assert dice(play(match, "use alchemist 5 2 5 = 5 4 3")) == ("3 4 5", "")  # used like the Philosopher
    assert match.records[-1].action == "use alchemist 2 5 = 3 4"


@pytest.mark.clause("CK-64")
def test_the_alchemist_keeps_the_total_and_the_faces() -> None:
    match = turn("alchemist farmer", active="1 2 5 5")
    for text in ("1 2 = 1 3", "2 5 5 = 3 3 3 3", "1 2 5 5 = 3 3 3 4", "5 = 5", "5 5 = 3 7", "1 5 = 0 6"):
        assert refused(match, f"use alchemist {text}") == "CK-64"
    assert refused(match, "use alchemist 6 1 = 3 4") == "CK-26"
    assert refused(turn("alchemist", active="1 1 1"), "use alchemist 1 1 = 1 1") == "CK-64"


@pytest.mark.clause("CK-64", "CK-54")
def test_dice_without_room_for_pips_can_be_neither_mixed_nor_evened() -> None:
    """Over all handfuls of two to four dice, against a search for a real effect."""
    for size, own in ((2, "farmer"), (3, ""), (4, "farmer")):
        for active in combinations_with_replacement(range(1, 7), size):
            possible = any(4 <= low + high <= 10 for i, low in enumerate(active) for high in active[i + 1 :])
            text = " ".join(map(str, active))
            aside = "1 1" if size == 2 else ""
            match = turn(f"alchemist philosopher {own}", active=text, aside=aside, duty=True)
            assert bool(uses(match, "alchemist")) == bool(uses(match, "philosopher")) == possible


@pytest.mark.clause("CK-66")
def test_the_nobleman_adds_two_to_any_number_of_dice() -> None:
    match = turn("nobleman", active="1 4 5")
    assert uses(match, "nobleman") == ["1", "1 4", "4"]
    assert refused(match, "use nobleman 5") == "CK-66"
    assert dice(play(match, "use nobleman 1 4")) == ("3 5 6", "")


@pytest.mark.plain
@pytest.mark.clause("CK-68")
def test_the_queen_adds_a_die_of_any_face() -> None:
    best = {"seat": 1, "count": 8, "face": 1}
    match = turn("queen", "1 2 3", courts=["king"], final="king", best=best, starter=1)
    assert uses(match, "queen") == ["1", "2", "3", "4", "5", "6"]
    assert refused(match, "use queen 7") == "CK-68"
    assert refused(match, "use queen") == "CK-68"
    assert dice(play(match, "use queen 4")) == ("1 2 3 4", "")


@pytest.mark.clause("CK-69")
def test_the_king_has_no_power() -> None:
    assert refused(turn("", "1 2 3"), "use king") == "CK-69"
