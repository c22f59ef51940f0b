"""Foreign areas and disputes, clause by clause (LK-40…66)."""

from __future__ import annotations

import pytest

from games.long_live_the_king.table import hand, moves, play, refused, show, table, verbs
from regalia import CHANCE, Match, NotationError

# Seat 0 beside Wigemor, which is seat 1's with two courtiers and the noble; seats 2 and 3 are elsewhere.
BOARD = "0 Stadford 1, 1 Wigemor 2, 1 Man 1, 2 Lideforde 2, 2 Sarisberie 1, 3 Lundonia 2, 3 Rouecestre 1"


def entered(**words: object) -> Match:
    """Seat 0 has entered Wigemor."""
    return play(table(4, **{"areas": BOARD, **words}), "move Wigemor")


def staked(*stakes: str, **words: object) -> Match:
    """And all have staked, seat by seat."""
    return play(entered(**words), *(f"stake {stake}" for stake in stakes))


def rolled(*dice: str, stakes: tuple[str, ...] = ("x1", "x1", "x1", "x1"), **words: object) -> Match:
    """And all have rolled, from the intruder on."""
    return play(staked(*stakes, **words), *dice)


def totals(match: Match) -> list[int]:
    found: list[int] = match.position()["dispute"]["totals"]
    return found


# --- Entering ---


@pytest.mark.plain
@pytest.mark.clause("LK-40", "LK-50", "LK-51")
def test_entering_a_foreign_area_always_starts_a_dispute_of_all_players() -> None:
    match = entered()
    assert match.phase == "stakes"
    assert match.actors == (0, 1, 2, 3)
    assert match.view()["dispute"]["defender"] == 1
    for seat in range(4):
        assert verbs(match, seat) == {"stake"}
    assert refused(match, "move Man x1") == "LK-50"
    assert refused(match, "place") == "LK-50"
    assert refused(match, "end", seat=3) == "LK-50"


@pytest.mark.plain
@pytest.mark.clause("LK-40")
def test_a_lone_noble_is_disputed_too() -> None:
    areas = "0 Stadford 1, 1 Wigemor 0, 1 Man 1, 2 Lideforde 2, 3 Lundonia 2"
    match = play(table(4, areas=areas), "move Wigemor")
    assert match.phase == "stakes"
    assert match.view()["additions"] == [2, 2, 0, 0]


@pytest.mark.plain
@pytest.mark.clause("LK-41")
def test_an_only_area_may_not_be_entered() -> None:
    match = table(4, areas="0 Stadford 1, 1 Wigemor 2, 2 Oxeneford 2, 2 Sarisberie 1, 3 Lundonia 2")
    assert moves(match, 0) == {"Tateshale", "Lincolia", "Grentebrige", "Oxeneford"}
    assert refused(match, "move Wigemor") == "LK-41"
    play(match, "move Tateshale")
    assert refused(match, "move Wigemor x1") == "LK-41"


@pytest.mark.plain
@pytest.mark.clause("LK-42")
def test_a_card_must_be_left_when_entering_a_foreign_area() -> None:
    assert entered(hands=["1 0 0"]).phase == "stakes"
    without = table(
        4, areas=BOARD, hands=["0 0 0", "38 21 2", "0 0 1", "8 7 0"], bonus=[1, 2, 3, 4], known=["0 0 0"] * 4
    )
    assert refused(without, "move Wigemor") == "LK-42"
    assert "Wigemor" not in moves(without, 0)
    last = play(table(4, areas=BOARD, hands=["1 0 0"]), "move Tateshale")
    assert refused(last, "move Wigemor x1") == "LK-42"
    two = play(table(4, areas=BOARD, hands=["2 0 0"]), "move Tateshale", "move Wigemor x1", "3")
    assert two.phase == "stakes"
    assert two.actions(0) == ["stake x1"]


# --- Stakes ---


@pytest.mark.plain
@pytest.mark.clause("LK-51")
def test_a_stake_is_any_one_to_five_cards_from_the_hand() -> None:
    hands = ["2 1 3", "3 0 0", "12 7 1", "12 7 0"]
    match = entered(hands=hands, known=["0 0 0"] * 4, bonus=[4, 3, 2, 1])
    assert len(match.actions(0)) == 3 * 2 * 4 - 1 - 1  # all but none and the one of six
    assert match.actions(1) == ["stake x1", "stake x1 x1", "stake x1 x1 x1"]
    assert "stake x2 x3 x3 x3" in match.actions(0)
    play(match, "0: stake X3 x1 X3")
    assert match.records[-1].action == "stake x1 x3 x3"


@pytest.mark.clause("LK-51")
def test_six_cards_none_and_cards_not_held_are_refused_and_a_stake_is_final() -> None:
    match = entered(hands=["12 7 1", "3 0 0"])
    assert refused(match, "stake x1 x1 x1 x1 x1 x1") == "LK-51"
    assert refused(match, "stake") == "LK-51"
    assert refused(match, "stake x3 x3") == "LK-51"
    assert refused(match, "stake x2", seat=1) == "LK-51"
    play(match, "1: stake x1")
    assert refused(match, "stake x1", seat=1) == "LK-51"
    assert refused(table(4), "stake x1") == "LK-51"


@pytest.mark.plain
@pytest.mark.clause("LK-51")
def test_nobody_sees_a_stake_before_all_have_chosen_nor_how_many_cards_it_has() -> None:
    match = play(entered(), "2: stake x1 x1 x2 x2 x3")
    assert match.actors == (0, 1, 3)
    for seat in (None, 0, 1, 3):
        view = match.view(seat)
        assert view["sealed"][2] is None
        assert view["cards"] == [20] * 4
        assert view["chosen"] == [2]
        assert view["dispute"]["stakes"] == [[]] * 4
    assert match.view(2)["sealed"][2] == ["x1", "x1", "x2", "x2", "x3"]
    assert match.view(2)["hands"][2] == {"x1": 12, "x2": 7, "x3": 1}
    assert match.transcript(0).split("\n")[-3] == "2 2 ?"
    play(match, "3: stake x1", "0: stake x1", "1: stake x2")
    view = match.view(0)
    assert view["dispute"]["stakes"] == [["x1"], ["x2"], ["x1", "x1", "x2", "x2", "x3"], ["x1"]]
    assert view["cards"] == [19, 19, 15, 19]
    assert [record.line(0) for record in match.records[-4:]] == [
        "0 0 stake x1",
        "0 1 stake x2",
        "0 2 stake x1 x1 x2 x2 x3",
        "0 3 stake x1",
    ]


@pytest.mark.clause("LK-51")
def test_stakes_are_told_clockwise_from_the_intruder_and_cannot_be_taken_back() -> None:
    areas = "2 Stadford 1, 1 Wigemor 2, 1 Man 1, 0 Lideforde 2, 3 Lundonia 2"
    match = play(table(4, areas=areas, turn=2), "move Wigemor", "0: stake x1", "1: stake x2")
    with pytest.raises(ValueError, match="nothing left to take back"):
        match.undo(1)
    play(match, "2: stake x3", "3: stake x1 x1")
    assert [(record.seat, record.action) for record in match.records[-4:]] == [
        (2, "stake x3"),
        (3, "stake x1 x1"),
        (0, "stake x1"),
        (1, "stake x2"),
    ]


@pytest.mark.plain
@pytest.mark.clause("LK-51", "LK-52", "LK-54")
def test_a_player_without_cards_stakes_none_and_rolls_no_dice() -> None:
    hands = ["38 21 2", "0 0 0", "2 1 1", "6 6 0"]
    match = entered(hands=hands, known=["0 0 0"] * 4, bonus=[1, 2, 3, 4])
    assert match.actors == (0, 2, 3)
    play(match, "0: stake x1", "2: stake x1", "3: stake x1")
    assert match.position()["dispute"]["stakes"][1] == []
    assert totals(match)[1] == 6
    play(match, "3", "1", "1")
    assert match.position()["dispute"]["winner"] == 1


@pytest.mark.plain
@pytest.mark.clause("LK-51")
def test_several_x3_may_be_staked() -> None:
    hands = ["10 5 4", "12 9 0", "14 7 0", "12 7 0"]
    match = entered(hands=hands, known=["0 0 0"] * 4, bonus=[1, 2, 3, 4])
    assert "stake x3 x3 x3 x3" in match.actions(0)


# --- Dice ---


@pytest.mark.plain
@pytest.mark.clause("LK-52")
def test_each_rolls_one_die_per_card_from_the_intruder_on_and_the_highest_dice_go_on_the_highest_cards() -> (
    None
):
    areas = "2 Stadford 1, 1 Wigemor 2, 1 Man 1, 0 Lideforde 2, 3 Lundonia 2"
    match = play(table(4, areas=areas, turn=2), "move Wigemor")
    play(match, "0: stake x1 x2 x3", "1: stake x1", "2: stake x2 x2", "3: stake x1 x3")
    assert match.position()["active"] == 2
    play(match, "2 5")
    assert totals(match)[2] == 2 + 2 * 2 + 5 * 2
    assert match.position()["active"] == 3
    play(match, "6", "1")
    assert totals(match)[3] == 6 * 3 + 1 * 1
    play(match, "2 6 4")
    assert totals(match)[0] == 6 * 3 + 4 * 2 + 2 * 1
    play(match, "1")
    assert totals(match)[1] == 6 + 1
    assert match.position()["dispute"]["winner"] == 0


@pytest.mark.plain
@pytest.mark.clause("LK-52")
def test_with_dice_by_hand_each_different_placing_is_an_action_before_the_next_player_rolls() -> None:
    match = staked("x1 x2 x3", "x1", "x1", "x1", dice_by_hand=True)
    play(match, "4 4 6")
    assert match.actors == (0,)
    assert match.actions(0) == ["dice 4>x3 4>x2 6>x1", "dice 4>x3 6>x2 4>x1", "dice 6>x3 4>x2 4>x1"]
    assert refused(match, "dice 6>x3 6>x2 4>x1") == "LK-52"
    assert refused(match, "dice 6>x3 4>x2") == "LK-52"
    assert refused(match, "dice 6>x3 4>x3 4>x1") == "LK-52"
    assert refused(match, "end") == "LK-52"
    assert refused(match, "dice 6>x1", seat=1) == "LK-52"
    play(match, "dice 4>X2 6>x1 4>x3")
    assert match.records[-1].action == "dice 4>x3 4>x2 6>x1"
    assert totals(match)[0] == 2 + 12 + 8 + 6
    assert match.actors == (CHANCE,)
    play(match, "3")
    assert match.actions(1) == ["dice 3>x1"]


@pytest.mark.plain
@pytest.mark.clause("LK-52")
def test_on_equal_cards_dice_ascend_so_that_no_placing_comes_twice() -> None:
    match = play(staked("x1 x1 x2 x2", "x1", "x1", "x1", dice_by_hand=True), "5 3 1 3")
    assert match.actions(0) == [
        "dice 1>x2 3>x2 3>x1 5>x1",
        "dice 1>x2 5>x2 3>x1 3>x1",
        "dice 3>x2 3>x2 1>x1 5>x1",
        "dice 3>x2 5>x2 1>x1 3>x1",
    ]
    play(match, "dice 5>x2 1>x1 3>x2 3>x1")
    assert match.records[-1].action == "dice 3>x2 5>x2 1>x1 3>x1"


@pytest.mark.clause("LK-52")
def test_without_the_option_dice_are_not_put_by_hand() -> None:
    assert refused(table(4), "dice 3>x1") == "LK-52"


@pytest.mark.plain
@pytest.mark.clause("LK-53")
def test_the_intruder_adds_two_the_defender_two_per_piece_and_others_nothing() -> None:
    assert entered().view()["additions"] == [2, 6, 0, 0]
    away = entered(nobles={1: "Man"})
    assert away.view()["additions"] == [2, 4, 0, 0]
    assert totals(rolled("5", "2", "6", "6")) == [7, 8, 6, 6]


@pytest.mark.plain
@pytest.mark.clause("LK-54")
def test_those_who_share_the_highest_total_roll_again_and_only_the_last_roll_counts() -> None:
    match = rolled("1 6", "1", "6", "2", stakes=("x1 x1", "x1", "x1", "x1"))
    assert totals(match)[0] == 9
    assert match.position()["dispute"]["winner"] == 0
    match = rolled("1 4", "1", "6", "2", stakes=("x1 x1", "x1", "x1", "x1"))
    assert match.position()["dispute"]["dice"] == [[], [], [6], [2]]
    assert totals(match) == [2, 6, 6, 2]
    assert match.position()["active"] == 0
    play(match, "3 3", "3")
    assert totals(match) == [8, 9, 6, 2]
    assert match.position()["dispute"]["winner"] == 1
    play(match, "banish Stadford", "end")
    assert match.phase == "turn"  # the 1 of the first roll takes nothing back


@pytest.mark.plain
@pytest.mark.clause("LK-54")
def test_one_outside_the_tie_may_win_after_the_second_roll() -> None:
    match = rolled("5", "3", "6", "2", nobles={1: "Man"})  # 7, 7, 6 and 2
    assert match.position()["dispute"]["owing"] == [0, 1]
    assert totals(match) == [2, 4, 6, 2]
    play(match, "1", "1")
    assert totals(match) == [3, 5, 6, 2]
    assert match.position()["dispute"]["winner"] == 2


@pytest.mark.plain
@pytest.mark.clause("LK-54")
def test_ties_are_rolled_again_as_often_as_they_come_by_whoever_shares_them_then() -> None:
    match = rolled("5", "3", "6", "2", nobles={1: "Man"})
    play(match, "1", "2")  # 3, 6, 6 and 2
    assert match.position()["dispute"]["owing"] == [1, 2]
    play(match, "1", "5")  # 3, 5, 5 and 2
    assert match.position()["dispute"]["owing"] == [1, 2]
    play(match, "1", "4")
    assert totals(match) == [3, 5, 4, 2]
    assert match.position()["dispute"]["winner"] == 1


@pytest.mark.plain
@pytest.mark.clause("LK-54")
def test_a_tied_player_without_dice_keeps_the_total_while_the_others_roll_again() -> None:
    hands = ["38 21 2", "0 0 0", "2 1 1", "6 6 0"]
    match = entered(hands=hands, known=["0 0 0"] * 4, bonus=[1, 2, 3, 4])
    play(match, "0: stake x1", "2: stake x1", "3: stake x1", "4", "6", "1")
    assert totals(match) == [2, 6, 0, 1]
    assert match.position()["dispute"]["owing"] == [0, 2]
    play(match, "2", "3")
    assert totals(match) == [4, 6, 3, 1]
    assert match.position()["dispute"]["winner"] == 1


@pytest.mark.clause("LK-X6")
def test_the_rulebooks_dispute_is_won_by_the_defender_with_40() -> None:
    """A intrudes and reaches 39, B reaches 36, C defends with three courtiers and the noble and reaches 40."""
    match = play(table(3, areas="0 Stadford 1, 1 Sarisberie 1, 2 Wigemor 3, 2 Lundonia 1"), "move Wigemor")
    assert match.view()["additions"] == [2, 0, 8]
    play(match, "stake x1 x2 x2 x2 x3", "stake x1 x2 x2 x2 x3", "stake x1 x2 x2 x3")
    play(match, "1 1 2 6 6", "1 1 4 5 5", "1 3 5 5")
    assert totals(match) == [39, 36, 40]
    assert match.position()["dispute"]["winner"] == 2
    assert match.actors == (2,)
    assert match.actions(2) == ["banish Stadford"]


# --- Outcome ---


@pytest.mark.plain
@pytest.mark.clause("LK-60", "LK-63")
def test_a_defender_who_wins_banishes_the_intruder_and_may_place() -> None:
    match = rolled("1", "6", "1", "1", nobles={0: "Stadford"})
    assert match.actions(1) == ["banish Stadford"]
    assert match.view()["banished"] == 0
    play(match, "banish Stadford")
    assert show(match, "Stadford") == "0 1 noble"
    assert show(match, "Wigemor") == "1 2 noble"
    assert match.actions(1) == ["place", "end"]
    play(match, "place", "roll x2", "2")
    assert show(match, "Wigemor") == "1 4 noble"
    assert match.actions(1) == ["end"]
    assert refused(match, "move Man") == "LK-63"


@pytest.mark.plain
@pytest.mark.clause("LK-61", "LK-63")
def test_an_intruder_who_wins_sends_courtiers_back_and_banishes_the_defenders_noble() -> None:
    match = rolled("6", "1", "1", "1")
    assert match.position()["dispute"]["winner"] == 0
    assert match.view()["supply"][1] == 17 - 1
    assert match.actions(0) == ["banish Man"]
    assert match.view()["banished"] == 1
    play(match, "banish Man")
    assert show(match, "Wigemor") == "0 0 noble"
    assert show(match, "Man") == "1 1 noble"
    assert play(match, "place").position()["areas"]["Wigemor"] == {"seat": 0, "courtiers": 1}


@pytest.mark.plain
@pytest.mark.clause("LK-61", "LK-63")
def test_a_third_party_who_wins_banishes_both_nobles_and_the_area_is_empty_if_nothing_is_placed() -> None:
    match = rolled("1", "1", "6 6", "1", stakes=("x1", "x1", "x1 x1", "x1"))
    assert match.view()["banished"] == 1
    assert show(match, "Wigemor") == "empty noble of 0 noble of 1"
    assert match.actions(2) == ["banish Man"]
    play(match, "banish Man")
    assert match.view()["banished"] == 0
    assert refused(match, "banish Man") == "LK-62"
    play(match, "banish Stadford")
    placed = play(match.copy(), "place", "end")
    assert show(placed, "Wigemor") == "2 1"
    assert placed.position()["nobles"][2] == "Lideforde"
    assert show(play(match, "end"), "Wigemor") == "empty"


@pytest.mark.plain
@pytest.mark.clause("LK-61")
def test_a_defenders_noble_elsewhere_is_not_banished() -> None:
    match = rolled("6", "1", "1", "1", nobles={1: "Man"})
    assert match.phase == "placing"
    assert show(match, "Man") == "1 1 noble"


@pytest.mark.plain
@pytest.mark.clause("LK-62")
def test_banishing_is_compulsory_and_only_to_where_the_owner_has_courtiers() -> None:
    areas = BOARD + ", 1 Lincolia 1"
    match = rolled("6", "1", "1", "1", areas=areas)
    assert match.actions(0) == ["banish Man", "banish Lincolia"]
    assert refused(match, "end") == refused(match, "place") == "LK-62"
    for area in ("Wigemor", "Stadford", "Loncastre"):
        assert refused(match, f"banish {area}") == "LK-62"
    assert refused(match, "banish Man", seat=1) == "LK-62"
    assert refused(table(4), "banish Man") == "LK-60"


@pytest.mark.plain
@pytest.mark.clause("LK-62", "LK-13")
def test_an_intruder_without_courtiers_returns_to_the_area_it_came_from() -> None:
    areas = BOARD.replace("0 Stadford 1", "0 Stadford 0")
    match = rolled("1", "6", "1", "1", areas=areas)
    assert match.phase == "placing"
    assert show(match, "Stadford") == "0 0 noble"
    match = play(table(4, areas=areas), "move Tateshale", "move Wigemor x3", "1")
    play(match, "stake x1", "stake x1", "stake x1", "stake x1", "1", "6", "1", "1")
    assert show(match, "Tateshale") == "0 0 noble"
    assert show(match, "Stadford") == "empty"
    crossed = areas.replace("0 Stadford 0", "0 Loncastre 0") + ", 3 Tateshale 1"
    match = play(table(4, areas=crossed), "move Wigemor")
    play(match, "stake x1", "stake x1", "stake x1", "stake x2 x2", "1", "1", "1", "6 6")
    play(match, "banish Man")
    assert match.phase == "placing"
    assert show(match, "Loncastre") == "0 0 noble"


@pytest.mark.plain
@pytest.mark.clause("LK-63")
def test_the_winner_pays_favour_rolls_with_what_was_not_staked() -> None:
    match = rolled("6 6", "1", "1", "1", stakes=("x1 x1", "x1", "x1", "x1"), hands=["2 1 0"])
    play(match, "banish Man", "place")
    assert match.actions(0) == ["roll x2", "end"]
    assert refused(match, "roll x1") == "LK-63"
    assert refused(match, "end", seat=1) == "LK-63"
    play(match, "roll x2", "1")
    assert show(match, "Wigemor") == "0 1 noble"
    assert match.actions(0) == ["end"]


@pytest.mark.plain
@pytest.mark.clause("LK-64", "LK-X5")
@pytest.mark.parametrize(
    "dice, most, back",
    [
        ("1 1 3 4 6", 2, "2 0 0"),
        ("1 1 1 4 6", 3, "2 1 0"),
        ("1 1 1 1 1", 5, "2 2 1"),
        ("1 3 4 6 6", 1, "1 0 0"),
    ],
)
def test_a_card_may_be_taken_back_for_each_one_rolled_the_lowest_first(
    dice: str, most: int, back: str
) -> None:
    stakes = ("x1 x1 x2 x2 x3", "x1", "x1", "x1")
    match = rolled(dice, "1", "1", "1", stakes=stakes, hands=["2 2 1"], nobles={1: "Man"})
    play(match, "end")
    assert match.actions(0) == [f"reclaim {count}" for count in range(most + 1)]
    assert refused(match, f"reclaim {most + 1}") == "LK-64"
    assert refused(match, "end") == "LK-64"
    play(match, f"reclaim {most}")
    assert hand(match, 0) == back
    assert match.view()["known"][0] == match.position()["hands"][0]


@pytest.mark.plain
@pytest.mark.clause("LK-64")
def test_taking_back_is_voluntary_and_asked_clockwise_of_those_with_two_cards_and_a_one() -> None:
    areas = "2 Stadford 1, 1 Wigemor 2, 1 Man 1, 0 Lideforde 2, 3 Lundonia 2"
    match = play(table(4, areas=areas, turn=2), "move Wigemor")
    play(match, "0: stake x1 x3", "1: stake x2 x2", "2: stake x1 x1", "3: stake x1")
    play(match, "1 1", "1", "1 5", "6 6", "banish Stadford", "end")
    assert match.actors == (2,)
    assert refused(match, "reclaim 7") == "LK-64"
    assert refused(match, "reclaim 1", seat=0) == "LK-64"
    play(match, "reclaim 0")
    assert match.actors == (0,)
    play(match, "reclaim 1")
    assert hand(match, 0) == "12 7 0"
    assert match.position()["discards"] == {"x1": 3, "x2": 2, "x3": 1}
    assert refused(match, "reclaim 1") == "LK-64"


@pytest.mark.plain
@pytest.mark.clause("LK-65")
def test_after_a_dispute_the_intruders_left_neighbour_is_next() -> None:
    match = rolled("1", "6", "2", "2")
    play(match, "banish Stadford", "end")
    assert match.actors == (1,)
    assert match.phase == "turn"
    assert match.position()["dispute"] is None
    assert match.position()["discards"] == {"x1": 4, "x2": 0, "x3": 0}


@pytest.mark.clause("LK-66")
def test_pieces_of_two_players_never_stand_together_outside_a_dispute() -> None:
    for seed in range(6):
        match = Match.new("long_live_the_king", seats=3 + seed % 3, seed=seed)
        while match.actors:
            seat = match.actors[-1]
            actions = match.actions(seat)
            match.play(seat, actions[(7 * match.ply + seed) % len(actions)])
            view = match.view()
            for name, area in view["areas"].items():
                guests = [seat for seat, place in enumerate(view["nobles"]) if place == name]
                strangers = [guest for guest in guests if guest != area["seat"]]
                assert not strangers or (view["dispute"] or {}).get("area") == name
    with pytest.raises(NotationError, match="LK-66"):
        table(4, areas=BOARD, nobles={0: "Lideforde"})
