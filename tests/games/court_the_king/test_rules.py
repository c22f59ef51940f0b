"""Set-up, rounds, the turn and gaining characters, clause by clause."""

from __future__ import annotations

import pytest

from games.court_the_king.table import CHANCE, Match, dice, play, takes, turn, uses
from regalia import IllegalAction, NotYourTurn

LEVEL_OF = {
    1: ("farmer", "maid", "philosopher", "laborer", "guard"),
    2: ("astronomer", "merchant", "hunter"),
    3: ("pawnbroker", "knight", "magician", "lady"),
    4: ("alchemist", "bishop", "nobleman", "general"),
    5: ("king", "queen"),
}


def new(seats: int = 2) -> Match:
    return Match.new("court_the_king", seats=seats, chance="manual")


def refused(match: Match, text: str) -> str | None:
    with pytest.raises(IllegalAction) as caught:
        match.play(match.actors[0], text)
    return caught.value.clause


# --- Material and set-up ---


@pytest.mark.plain
@pytest.mark.clause("CK-1")
def test_five_players_use_all_sixty_cards() -> None:
    display = new(5).view()["display"]
    assert sum(display.values()) == 60
    assert (display["fool"], display["guard"], display["hunter"], display["lady"], display["general"]) == (
        5,
        4,
        3,
        3,
        3,
    )
    assert (display["king"], display["queen"]) == (1, 1)
    assert "charlatan" not in display


@pytest.mark.parametrize(
    "seats, copies",
    [(2, (2, 2, 1, 1, 1, 1)), (3, (3, 2, 2, 2, 2, 1)), (4, (4, 3, 3, 2, 2, 1)), (5, (5, 4, 3, 3, 3, 1))],
)
@pytest.mark.clause("CK-2")
def test_fewer_players_have_fewer_cards(seats: int, copies: tuple[int, ...]) -> None:
    display = new(seats).view()["display"]
    assert display["fool"] == copies[0]
    for level, names in LEVEL_OF.items():
        assert {display[name] for name in names} == {copies[level]}


@pytest.mark.clause("CK-X8")
def test_with_two_players_there_are_two_of_each_of_level_one() -> None:
    display = new(2).view()["display"]
    assert [display[name] for name in ("laborer", "guard", "maid", "philosopher", "farmer")] == [2] * 5


@pytest.mark.plain
@pytest.mark.clause("CK-3")
def test_a_thirteenth_die_is_refused() -> None:
    charlatans = "charlatan charlatan charlatan charlatan charlatan"
    match = turn(f"{charlatans} farmer general laborer guard hunter", courts=[""] * 4)
    assert match.position()["in_hand"] == 11
    play(match, "use laborer")
    assert match.position()["in_hand"] == 12
    assert uses(match, "guard") == []
    assert refused(match, "use guard") == "CK-3"
    play(match, "roll", "1 1 1 1 1 1 1 1 1 1 1 1", "keep 1")
    assert refused(match, "use hunter") == "CK-3"


@pytest.mark.plain
@pytest.mark.clause("CK-4")
def test_the_first_start_player_is_drawn_by_lot() -> None:
    match = new(3)
    assert match.actors == (CHANCE,)
    assert match.actions(CHANCE) == ["seat 0", "seat 1", "seat 2"]
    assert match.engine.odds(match.seen(None)).tolist()[:3] == [1, 1, 1]
    assert play(match, "seat 2").actors == (2,)


# --- Rounds ---


def pass_turn(match: Match) -> int:
    """A whole turn without thinking; returns whose it was."""
    seat = match.actors[0]
    play(match, "roll")
    rolling = match.position()["rolling"]
    play(match, " ".join("123456123456"[:rolling]))
    play(match, "keep " + dice(match)[0], "take none")
    return seat


@pytest.mark.clause("CK-10", "CK-11")
def test_who_plays_last_starts_the_next_round() -> None:
    match = play(new(4), "seat 0")
    turns = [pass_turn(match) for _ in range(12)]
    assert turns == [0, 1, 2, 3, 3, 0, 1, 2, 2, 3, 0, 1]
    assert match.position()["round"] == 4
    assert match.position()["starter"] == 1


@pytest.mark.clause("CK-10")
def test_out_of_turn_is_refused() -> None:
    match = play(new(3), "seat 1")
    with pytest.raises(NotYourTurn) as caught:
        match.play(0, "roll")
    assert caught.value.clause == "CK-10"
    assert match.view(0)["order"] == [1, 2, 0]


# --- A turn ---


@pytest.mark.clause("CK-20", "CK-42")
def test_a_turn_begins_with_three_dice_and_the_compulsory_ones() -> None:
    assert turn().position()["in_hand"] == 3
    assert turn("farmer").position()["in_hand"] == 4
    assert turn("charlatan charlatan").position()["in_hand"] == 5
    assert turn("general").position()["in_hand"] == 5
    assert turn("farmer charlatan general fool laborer").position()["in_hand"] == 7
    assert refused(turn("farmer"), "use farmer") == "CK-42"
    assert refused(turn("general"), "use general") == "CK-42"
    assert refused(turn("charlatan"), "use charlatan") == "CK-42"


@pytest.mark.plain
@pytest.mark.clause("CK-21")
def test_all_dice_in_hand_are_rolled_and_become_active() -> None:
    match = turn("farmer")
    assert match.actions(0) == ["roll"]
    assert refused(match, "keep 3") == "CK-21"
    play(match, "roll")
    assert match.actions(CHANCE) == ["1", "2", "3", "4", "5", "6"]
    play(match, "6 2", "2", "5")
    assert dice(match) == ("2 2 5 6", "")
    assert match.position()["in_hand"] == 0


@pytest.mark.clause("CK-22")
def test_a_die_must_be_set_aside_before_rolling_again() -> None:
    match = turn(active="2 5 5")
    assert "roll" not in match.actions(0)
    assert refused(match, "roll") == "CK-22"
    assert match.actions(0) == ["keep 2", "keep 2 5", "keep 2 5 5", "keep 5", "keep 5 5"]
    play(match, "keep 5")
    assert dice(match) == ("2 5", "5")
    play(match, "keep 5", "roll")
    assert match.position()["rolling"] == 1


@pytest.mark.clause("CK-22")
def test_setting_aside_may_be_mixed_with_powers() -> None:
    match = turn("maid", "1 2 2")
    play(match, "keep 2", "use maid 1+1", "keep 2", "keep 2")
    assert dice(match) == ("", "2 2 2")


@pytest.mark.clause("CK-23")
def test_a_turn_ends_only_when_every_die_is_set_aside() -> None:
    match = turn(active="1 3 6")
    play(match, "keep 6", "roll")
    assert match.position()["rolling"] == 2
    play(match, "6 4")
    assert dice(match) == ("4 6", "6")
    assert refused(match, "take none") == "CK-23"
    assert refused(match, "roll") == "CK-22"
    play(match, "keep 4 6")
    assert match.phase == "take"
    assert refused(match, "roll") == "CK-30"
    assert refused(match, "keep 4") == "CK-27"
    assert refused(match, "use fool 4") == "CK-27"


@pytest.mark.clause("CK-24", "CK-26")
def test_a_die_set_aside_is_final_and_powers_act_on_active_dice_only() -> None:
    match = turn("maid fool magician farmer", active="2 4 4", aside="5", duty=False)
    assert refused(match, "use maid 5+1") == "CK-24"
    assert refused(match, "use fool 5") == "CK-24"
    assert refused(match, "keep 5") == "CK-24"
    assert refused(match, "use magician 6=5") == "CK-26"
    assert refused(match, "keep 2 2") == "CK-26"
    assert refused(match, "keep 7") == "CK-26"
    assert refused(match, "keep 4 4 4 2") == "CK-26"


@pytest.mark.plain
@pytest.mark.clause("CK-25")
def test_before_the_first_roll_only_dice_can_be_added_without_a_face() -> None:
    own = "laborer guard hunter pawnbroker knight bishop fool maid merchant lady"
    match = turn(own)
    adding = ["bishop", "guard", "hunter", "knight", "laborer", "pawnbroker"]
    assert sorted(match.actions(0)) == ["roll", *(f"use {card}" for card in adding)]
    play(match, "use guard")
    assert match.position()["in_hand"] == 4
    assert refused(match, "use fool 1") == "CK-25"
    assert refused(match, "use guard") == "CK-25"
    assert refused(match, "use magician 1=2") == "CK-25"


@pytest.mark.plain
@pytest.mark.clause("CK-25", "CK-68")
def test_the_queen_names_no_face_before_the_first_roll() -> None:
    best = {"seat": 1, "count": 8, "face": 1}
    match = turn("queen", courts=["king"], final="king", phase="final", best=best, starter=1)
    assert match.actions(0) == ["roll", "pass", "use queen"]
    assert refused(match, "use queen 6") == "CK-25"
    play(match, "use queen")
    assert match.position()["in_hand"] == 4


@pytest.mark.clause("CK-25", "CK-29")
def test_each_card_helps_once_a_turn_and_is_ready_again_in_the_next() -> None:
    match = turn("fool", active="1 2 3", courts=[""], turn=0, starter=1, round=3)
    play(match, "use fool 1", "6")
    assert refused(match, "use fool 2") == "CK-25"
    assert match.view(0)["ready"] == []
    play(match, "keep 2 3 6", "take none")
    assert match.actors == (0,)  # seat 0 was last and starts the next round
    assert match.view(0)["ready"] == ["fool"]
    play(match, "roll", "1 2 3", "use fool 3", "3")


@pytest.mark.clause("CK-26")
def test_an_added_die_is_active_and_may_be_kept_changed_or_rolled() -> None:
    match = turn("laborer guard maid", active="3 4 6")
    play(match, "use laborer")
    assert dice(match) == ("1 3 4 6", "")
    play(match.copy(), "keep 1", "roll")
    play(match, "use maid 1+2", "use guard", "keep 2")
    assert dice(match) == ("3 3 4 6", "2")
    assert play(match, "roll").position()["rolling"] == 4


@pytest.mark.clause("CK-27")
def test_the_last_die_set_aside_makes_the_result_and_no_die_can_follow() -> None:
    match = turn("laborer farmer", active="6", aside="5 5 5", duty=True)
    play(match, "keep 6")
    assert match.phase == "take"
    assert dice(match) == ("", "5 5 5 6")
    assert refused(match, "use laborer") == "CK-27"


@pytest.mark.clause("CK-28")
def test_rerolls_neither_need_nor_create_the_duty_to_set_aside() -> None:
    match = turn("fool merchant farmer", active="1 2 3 4")
    play(match, "use fool 1", "5")
    assert refused(match, "roll") == "CK-22"
    play(match, "keep 5", "use merchant 2 3 4", "6 6 6")
    assert dice(match) == ("6 6 6", "5")
    assert match.position()["duty"] is False
    assert play(match, "roll").position()["rolling"] == 3


@pytest.mark.clause("CK-29")
def test_a_card_gained_works_from_the_next_turn_on() -> None:
    match = turn(aside="2 2 2")
    play(match, "take guard")
    assert match.position()["characters"][0] == ["guard"]
    assert match.actors == (1,)
    assert match.view(0)["ready"] == []


# --- Gaining a character ---


@pytest.mark.clause("CK-30")
def test_one_card_or_none_can_be_taken() -> None:
    match = turn(aside="1 2 4")
    assert takes(match) == {"fool", "none"}
    assert play(match.copy(), "take none").position()["characters"] == [[], []]
    play(match, "take fool")
    assert match.position()["characters"] == [["fool"], []]
    assert match.actors == (1,)
    assert match.view(0)["display"]["fool"] == 1


@pytest.mark.clause("CK-31", "CK-35")
def test_a_card_must_be_there_paid_for_and_not_owned() -> None:
    match = turn("guard farmer charlatan", aside="3 3 3 3 3", courts=["hunter"])
    assert refused(match, "take guard") == "CK-31"
    assert refused(match, "take farmer") == "CK-31"
    assert refused(match, "take hunter") == "CK-35"  # two seats: the only one is gone
    assert refused(match, "take philosopher") == "CK-54"
    assert refused(match, "take merchant") == "CK-58"
    assert refused(match, "take king") == "CK-70"
    assert refused(match, "take queen") == "CK-68"
    assert takes(match) == {"fool", "maid", "laborer", "astronomer", "knight", "lady", "none"}


@pytest.mark.clause("CK-32")
def test_a_pattern_may_be_among_other_dice_but_totals_and_parity_speak_of_all() -> None:
    assert {"farmer", "astronomer"} <= takes(turn("general", aside="1 1 2 2 6"))
    assert "maid" not in takes(turn("farmer", aside="1 1 3 6"))
    assert "laborer" in takes(turn("farmer", aside="1 4 5 5"))


@pytest.mark.clause("CK-33", "CK-34")
def test_a_fool_needs_no_other_fool_face_up_and_can_be_turned() -> None:
    match = turn("fool", aside="1 2 4")
    assert takes(match) == {"charlatan", "none"}
    assert refused(match, "take fool") == "CK-33"
    play(match, "take charlatan")
    assert match.position()["characters"][0] == ["charlatan"]
    assert match.view(0)["display"]["fool"] == 1  # the card is the same one
    again = turn("charlatan", aside="1 2 4 6")
    assert takes(again) == {"fool", "none"}
    assert refused(again, "take charlatan") == "CK-34"


@pytest.mark.clause("CK-34")
def test_a_player_may_own_several_charlatans() -> None:
    match = turn("charlatan charlatan fool", aside="1 2 4 6 6", courts=["", ""])
    play(match, "take charlatan")
    assert match.position()["characters"][0] == ["charlatan"] * 3


@pytest.mark.clause("CK-35")
def test_a_fool_can_be_turned_when_no_fool_is_left() -> None:
    match = turn("fool", aside="1 2 4", courts=["charlatan"])
    assert match.view(0)["display"]["fool"] == 0
    assert takes(match) == {"charlatan", "none"}
    assert refused(turn("", aside="1 2 4", courts=["charlatan fool"]), "take fool") == "CK-35"


@pytest.mark.clause("CK-36")
def test_the_level_is_no_condition_of_its_own() -> None:
    """Costs alone ask for the dice: with three dice nothing beyond level one can be paid for."""
    reached: set[str] = set()
    for first in range(1, 7):
        for second in range(first, 7):
            for third in range(second, 7):
                reached |= takes(turn(aside=f"{first} {second} {third}"))
    assert reached == {"none", "fool", *LEVEL_OF[1]}
    assert "knight" in takes(turn("general", aside="4 4 4 4 4"))


@pytest.mark.clause("CK-37")
def test_a_use_without_dice_or_without_effect_is_refused() -> None:
    match = turn("merchant lady nobleman magician philosopher alchemist maid", active="2 4 6")
    for text in ("use merchant", "use lady", "use nobleman", "use magician 4=4", "use philosopher 6-0>2"):
        assert refused(match, text) == "CK-37"
    assert refused(match, "use philosopher 6-4>2") == "CK-37"  # a mere swap
    assert refused(match, "use alchemist 2 4 6 = 6 2 4") == "CK-37"
    assert refused(match, "use maid 2+0") == "CK-37"


@pytest.mark.clause("CK-X1")
def test_anne_with_three_fives_takes_the_guard() -> None:
    match = turn(aside="5 5 5")
    assert takes(match) == {"farmer", "laborer", "guard", "maid", "fool", "none"}
    assert play(match, "take guard").position()["characters"][0] == ["guard"]


@pytest.mark.plain
@pytest.mark.clause("CK-X2")
def test_anne_uses_laborer_guard_and_astronomer_to_get_the_hunter() -> None:
    match = turn("laborer guard astronomer")
    play(match, "roll", "6 5 2", "keep 2", "use laborer")
    assert dice(match) == ("1 5 6", "2")
    play(match, "roll", "5 3 3", "use guard", "keep 2")
    assert dice(match) == ("3 3 5", "2 2")
    play(
        match, "roll", "6 5 4", "use astronomer 4=2", "keep 2", "roll", "3 2", "keep 2", "roll", "4", "keep 4"
    )
    assert dice(match) == ("", "2 2 2 2 4")
    play(match, "take hunter")
    assert match.position()["characters"][0] == ["laborer", "guard", "astronomer", "hunter"]
