"""Elections and the deal after them, clause by clause (LK-70…83)."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

from games.long_live_the_king.table import counts, hand, play, refused, show, table
from regalia import CHANCE, Match, NotationError

# 14 votes for seat 0, 9 for seat 1, 5 for seat 2, 2 for seat 3
BOARD = (
    "0 Tateshale 1, 0 Lincolia 1, 0 Grentebrige 1, 0 Lundonia 1, 1 Wigemor 1, 1 Loncastre 1, 1 Sedberouie 1, "
    "2 Lideforde 1, 2 Sarisberie 1, 3 Man 1"
)


def votes(match: Match) -> tuple[list[int], list[int]]:
    view = match.view()
    return view["area_votes"], view["total_votes"]


def last_card(seats: int = 4, **words: Any) -> Match:
    """Seat 0 spends the only card it has, in vain, and the turn ends."""
    words.setdefault("areas", BOARD)
    words.setdefault("hands", ["1 0 0"])
    return play(table(seats, **words), "place", "roll x1", "1", "end")


def before_election(areas: str, seats: int = 4, **words: Any) -> Match:
    """Everybody holds cards and has done nothing for one turn less than LK-83 takes; then seat 0 ends."""
    return table(seats, areas=areas, quiet=20 * seats - 1, **words)


# --- When ---


@pytest.mark.plain
@pytest.mark.clause("LK-70")
def test_an_election_is_held_when_anyone_has_no_card_after_a_turn() -> None:
    match = last_card()
    assert match.position()["elections"] == 1
    assert match.position()["bonus"] == [4, 3, 2, 1]
    assert match.phase == "deal"
    match = play(table(4, areas=BOARD, hands=["2 0 0"]), "place", "roll x1", "6", "end")
    assert match.position()["elections"] == 0


@pytest.mark.plain
@pytest.mark.clause("LK-70", "LK-64")
def test_cards_taken_back_prevent_an_election() -> None:
    areas = BOARD + ", 3 Rouecestre 1"
    for back, elections in (("reclaim 1", 0), ("reclaim 0", 1)):
        match = play(table(4, areas=areas, hands=["2 0 0"], nobles={0: "Lundonia"}), "move Rouecestre")
        play(match, "stake x1 x1", "stake x1", "stake x1", "stake x1", "1 6", "2", "2", "2", "end", back)
        assert match.position()["elections"] == elections


@pytest.mark.plain
@pytest.mark.clause("LK-83")
def test_after_twenty_turns_each_without_a_discard_an_election_is_held() -> None:
    match = table(3)
    for turn in range(59):
        assert match.view()["quiet_left"] == 60 - turn
        play(match, "end")
    assert match.position()["elections"] == 0
    play(match, "end")
    assert match.position()["elections"] == 1
    assert match.position()["quiet"] == 0
    play(match, *["1 1 1 1 1", "2 1 1 1 1", "3 1 1 1 1"])
    assert match.position()["bonus"] == [1, 2, 3]
    assert match.phase == "turn"  # LK-82: nothing was discarded, so nothing is dealt


@pytest.mark.plain
@pytest.mark.clause("LK-83")
def test_a_discard_and_every_election_restart_the_count() -> None:
    match = play(table(4, areas=BOARD, quiet=50), "place", "roll x1", "1", "end")
    assert match.position()["quiet"] == 0
    match = play(table(4, areas=BOARD, quiet=50), "place", "end")
    assert match.position()["quiet"] == 51
    assert last_card(quiet=50).position()["quiet"] == 0


@pytest.mark.plain
@pytest.mark.clause("LK-83", "LK-64")
def test_a_dispute_in_which_all_stakes_are_taken_back_is_quiet() -> None:
    areas = BOARD + ", 3 Rouecestre 1"
    match = play(table(4, areas=areas, nobles={0: "Lundonia", 3: "Rouecestre"}, quiet=7), "move Rouecestre")
    play(match, *["stake x1 x1"] * 4, *["1 1"] * 4, "banish Grentebrige", "end", *["reclaim 2"] * 4)
    assert match.position()["quiet"] == 8
    assert match.position()["discards"] == counts("0 0 0")


# --- Votes ---


@pytest.mark.plain
@pytest.mark.clause("LK-71", "LK-X8")
@pytest.mark.parametrize("courtiers", [0, 1, 2, 3, 4])
def test_an_area_counts_its_votes_however_many_courtiers_stand_there(courtiers: int) -> None:
    match = table(4, areas=f"0 Oxeneford {courtiers}, 1 Lundonia 2, 2 Lideforde 2, 3 Man 2")
    assert votes(match)[0] == [4, 3, 3, 2]


@pytest.mark.plain
@pytest.mark.clause("LK-72")
def test_without_cards_a_third_of_the_area_votes_is_lost_rounded_down() -> None:
    printed = "2→2, 3→2, 4→3, 5→4, 6→4, 7→5, 8→6, 9→6, 10→7, 11→8, 12→8, 13→9, 14→10, 15→10, 16→11, 17→12, 18→12, 19→13"
    for pair in printed.split(", "):
        before, after = map(int, pair.split("→"))
        areas = ", ".join(f"0 {name} 1" for name in areas_worth(before))
        match = table(
            4,
            areas=f"{areas}, 1 Stadford 1, 2 Lideforde 1, 3 Rouecestre 1",
            hands=["0 0 0", "37 20 3", "5 3 1", "5 5 0"],
            known=["0 0 0"] * 4,
            bonus=[1, 2, 3, 4],
        )
        assert votes(match)[0][0] == after


def areas_worth(total: int) -> list[str]:
    """Some areas with so many votes."""
    areas = {"Man": 2, "Sedberouie": 2, "Sarisberie": 2, "Lincolia": 3, "Loncastre": 3}
    areas |= {"Wigemor": 4, "Oxeneford": 4, "Tateshale": 4}
    for size in range(1, len(areas) + 1):
        for names in combinations(areas, size):
            if sum(areas[name] for name in names) == total:
                return list(names)
    raise AssertionError(total)


@pytest.mark.plain
@pytest.mark.clause("LK-72", "LK-X4")
def test_player_c_loses_four_of_fourteen() -> None:
    """C is out of cards and owns Tateshale, Lincolia, Grentebrige and Lundonia."""
    words = {"hands": ["0 0 0", "37 20 3", "5 3 1", "5 5 0"], "known": ["0 0 0"] * 4}
    assert votes(table(4, areas=BOARD))[0][0] == 14
    assert votes(table(4, areas=BOARD, bonus=[1, 2, 3, 4], **words))[0][0] == 10


@pytest.mark.clause("LK-71", "LK-72")
def test_a_view_tells_the_votes_held_and_what_an_empty_hand_would_leave_of_them() -> None:
    view = table(4, areas=BOARD).view()
    assert (view["held_votes"], view["reduced_votes"]) == ([14, 9, 5, 2], [10, 6, 4, 2])
    assert view["area_votes"] == view["held_votes"]


@pytest.mark.plain
@pytest.mark.clause("LK-73")
def test_total_votes_are_area_votes_and_bonus_votes() -> None:
    match = table(4, areas=BOARD, bonus=[1, 3, 2, 4])
    assert votes(match) == ([14, 9, 5, 2], [15, 12, 7, 6])


# --- Who is elected ---


@pytest.mark.plain
@pytest.mark.clause("LK-74")
@pytest.mark.parametrize("seats, needed", [(3, 19), (4, 20), (5, 20)])
def test_nineteen_or_twenty_votes_are_needed_and_count_only_at_an_election(seats: int, needed: int) -> None:
    """Seat 0 has 16 area votes and was last in as many elections as it lacks votes, or in one less."""
    others = [
        "1 Sedberouie 1",
        "2 Stadford 1",
        "3 Lundonia 1, 3 Sarisberie 1",
        "4 Lincolia 1, 4 Lideforde 1",
    ][: seats - 1]
    areas = ", ".join(["0 Tateshale 1, 0 Wigemor 1, 0 Oxeneford 1, 0 Grentebrige 1", *others])
    for elections, is_elected in ((needed - 16, True), (needed - 17, False)):
        bonus = [elections, *(elections * (seats - k) for k in range(seats - 1))]
        match = table(seats, areas=areas, bonus=bonus, quiet=20 * seats - 2, turn=seats - 1)
        assert match.view()["needed_votes"] == needed
        play(match, "end")
        assert match.outcome is None
        play(match, "end")
        assert match.position()["elections"] == elections + 1
        assert (match.outcome is not None) == is_elected
        if match.outcome:
            assert match.outcome.ranks[0] == 1
            assert match.outcome.points[0] == needed
            assert match.outcome.reason == "elected"


def crowned(
    areas: str, bonus: list[int], hands: list[str] | None = None, *dice: str, known: bool = True
) -> Match:
    """An election of four by LK-83 after the bonus votes given."""
    words: dict[str, Any] = {} if known else {"known": ["0 0 0"] * 4}
    return play(before_election(areas, bonus=bonus, hands=hands, **words), "end", *dice)


@pytest.mark.plain
@pytest.mark.clause("LK-75", "LK-78")
def test_of_several_with_enough_votes_the_one_with_most_area_votes_wins() -> None:
    """Seat 0: 14 area votes and 6; seat 1: 9 and 12, so more in total; seats 2 and 3 follow by total votes."""
    match = crowned(BOARD, [6, 12, 10, 12])
    assert match.outcome is not None
    assert match.outcome.points == (20, 21, 15, 14)
    assert match.outcome.ranks == (1, 2, 3, 4)
    assert match.position()["bonus"] == [6, 12, 10, 12]


@pytest.mark.plain
@pytest.mark.clause("LK-75")
def test_then_most_total_votes_then_cards_then_dice_for_first_place_only() -> None:
    areas = "0 Tateshale 1, 0 Wigemor 1, 1 Oxeneford 1, 1 Grentebrige 1, 2 Sedberouie 1, 3 Sarisberie 1"
    match = crowned(areas, [12, 13, 8, 7])
    assert match.outcome is not None
    assert match.outcome.ranks == (2, 1, 3, 4)
    match = crowned(areas, [13, 13, 8, 6], ["12 7 0"])
    assert match.outcome is not None
    assert match.outcome.ranks == (2, 1, 3, 4)
    match = crowned(areas, [13, 13, 8, 6])
    assert match.position()["election"]["deciding"] == "crown"
    play(match, "1 2 3 4 5", "5 4 3 2 1", "6 6 6 6 1", "6 6 6 6 6")
    assert match.outcome is not None
    assert match.outcome.ranks == (2, 1, 3, 4)


@pytest.mark.plain
@pytest.mark.clause("LK-75", "LK-77")
def test_in_a_tie_for_the_crown_only_the_highest_sums_roll_again() -> None:
    areas = "0 Tateshale 1, 1 Wigemor 1, 2 Oxeneford 1, 3 Sarisberie 1"
    match = crowned(areas, [16, 16, 16, 12], None, "1 1 1 1 2", "6 6 6 6 6", "6 6 6 6 6")
    assert match.position()["active"] == 1
    assert match.position()["standing"][0] > 3
    play(match, "1 1 1 1 1", "1 1 1 1 2")
    assert match.position()["election"] == {"deciding": "ranking", "winner": 2, "sums": [0, 0, 0, 0]}
    assert match.position()["active"] == 0
    play(match, "3 3 3 3 3", "4 3 3 3 3")
    assert match.outcome is not None
    assert match.outcome.ranks == (3, 2, 1, 4)  # the dice for the crown do not count here


@pytest.mark.plain
@pytest.mark.clause("LK-78", "LK-77")
def test_the_others_are_ranked_by_total_votes_then_cards_then_dice() -> None:
    areas = "0 Tateshale 1, 0 Wigemor 1, 0 Oxeneford 1, 1 Stadford 1, 2 Lincolia 1, 3 Sarisberie 1"
    match = crowned(areas, [12, 9, 9, 10], ["12 7 1", "12 7 1", "11 7 1", "10 7 1"])
    assert match.outcome is not None
    assert match.outcome.points == (24, 12, 12, 12)
    assert match.outcome.ranks == (1, 2, 3, 4)
    match = crowned(areas, [12, 9, 9, 10])
    assert match.position()["active"] == 1
    play(match, "2 2 2 2 2", "1 2 2 2 2", "3 2 2 2 2")
    assert match.outcome is not None
    assert match.outcome.ranks == (1, 3, 4, 2)


def test_nothing_can_be_played_after_the_election() -> None:
    match = crowned(BOARD, [6, 12, 10, 12])
    assert match.actors == ()
    assert refused(match, "end", seat=0) == "LK-74"


# --- Bonus votes ---


@pytest.mark.plain
@pytest.mark.clause("LK-76", "LK-X9")
@pytest.mark.parametrize("seats, given", [(3, [1, 3, 2]), (4, [2, 4, 3, 1]), (5, [3, 5, 4, 2, 1])])
def test_bonus_votes_go_by_rank_of_area_votes(seats: int, given: list[int]) -> None:
    areas = [
        "0 Sarisberie 1, 0 Rouecestre 1",
        "1 Wigemor 1, 1 Tateshale 1",
        "2 Oxeneford 1, 2 Lideforde 1",
        "3 Lincolia 1",
    ]
    areas += ["4 Sedberouie 1"]
    match = before_election(", ".join(areas[:seats]), seats)
    assert play(match, "end").position()["bonus"] == given


@pytest.mark.plain
@pytest.mark.clause("LK-76", "LK-81")
def test_earlier_bonus_votes_do_not_count_for_new_ones_and_votes_beyond_fifteen_count_on() -> None:
    areas = "0 Sarisberie 1, 0 Rouecestre 1, 1 Wigemor 1, 1 Tateshale 1, 2 Oxeneford 1, 2 Lideforde 1, 3 Lincolia 1"
    match = play(before_election(areas, bonus=[15, 9, 8, 8]), "end")
    assert match.position()["bonus"] == [17, 13, 11, 9]
    assert match.actors == (1,)
    assert match.position()["elections"] == 5


@pytest.mark.plain
@pytest.mark.clause("LK-77", "LK-X7")
def test_votes_after_the_deduction_decide_then_cards_then_dice() -> None:
    """A 12 - 4, B 11 - 3 and C 8 with cards all have 8: C is first; A and B, both without cards, roll."""
    areas = "0 Wigemor 1, 0 Tateshale 1, 0 Oxeneford 1, 1 Grentebrige 1, 1 Sedberouie 1, 1 Sarisberie 1, 1 Stadford 1"
    areas += ", 2 Lincolia 0, 2 Lundonia 1, 2 Rouecestre 1"
    match = table(
        3,
        "reclaim",
        areas=areas,
        nobles={2: "Lincolia", 0: "Wigemor", 1: "Grentebrige"},
        hands=["0 0 0", "0 0 0", "11 7 1"],
        stakes=["x1 x1", "x1", "x1"],
        entered=["Lincolia"],
        turn=2,
        active=0,
        dispute={
            "area": "Lincolia",
            "from": "Grentebrige",
            "defender": 1,
            "winner": 2,
            "owing": [],
            "stakes": [["x1", "x1"], ["x1"], ["x1"]],
            "dice": [[1, 1], [1], [6]],
            "totals": [2, 3, 8],
        },
    )
    assert votes(match)[0][2] == 8
    play(match, "reclaim 0")
    assert votes(match)[0] == [8, 8, 8]
    assert match.position()["standing"] == [1, 1, 0]
    assert match.position()["active"] == 0
    play(match, "6 6 6 6 5", "6 6 6 6 6")
    assert match.position()["bonus"] == [1, 2, 3]


@pytest.mark.plain
@pytest.mark.clause("LK-77")
def test_groups_roll_from_the_best_by_ascending_seat_and_equal_sums_roll_again_among_themselves() -> None:
    areas = "0 Sedberouie 1, 1 Wigemor 1, 2 Sarisberie 1, 3 Oxeneford 1, 4 Rouecestre 1"
    match = play(before_election(areas, 5), "end")
    assert match.position()["standing"] == [2, 0, 2, 0, 2]
    assert match.actors == (CHANCE,)
    assert match.position()["active"] == 1
    play(match, "1 1 1 1 1")
    assert match.position()["active"] == 3
    play(match, "1 1 1 1 1")
    assert match.position()["active"] == 1  # equal: again
    play(match, "1 1 1 1 1", "1 1 1 1 2")
    assert match.position()["standing"] == [2, 1, 2, 0, 2]
    assert match.position()["active"] == 0
    play(match, "1 1 1 1 2", "1 1 1 1 3", "1 1 1 1 2")
    assert match.position()["standing"] == [3, 1, 2, 0, 3]
    assert match.position()["active"] == 0
    play(match, "1 1 1 1 1", "1 1 1 1 2")
    assert match.position()["bonus"] == [1, 4, 3, 5, 2]


@pytest.mark.plain
@pytest.mark.clause("LK-77")
def test_dice_are_rolled_only_where_cards_are_equal_too() -> None:
    areas = "0 Sedberouie 1, 1 Wigemor 1, 2 Sarisberie 1, 3 Rouecestre 1"
    match = play(before_election(areas, hands=["11 7 1", "12 7 1", "10 7 1", "9 7 1"]), "end")
    assert match.position()["bonus"] == [3, 4, 2, 1]
    assert match.records[-1].outcomes == ()


# --- The deal ---


@pytest.mark.plain
@pytest.mark.clause("LK-80", "LK-81")
def test_the_pile_is_dealt_one_at_a_time_from_the_next_player_on_equally_many_to_each() -> None:
    match = last_card(hands=["1 0 0", "12 7 1", "12 7 1", "12 7 1"])
    assert match.position()["pile"] == counts("12 7 1")
    assert match.position()["due"] == 20
    assert match.engine.odds(match.engine.layout.load(match.state_bytes())).tolist() == [12, 7, 1, 0, 0, 0]
    play(match, "x1 x2 x3 x1")
    assert [hand(match, seat) for seat in range(4)] == ["1 0 0", "13 7 1", "12 8 1", "12 7 2"]
    assert match.actions(CHANCE) == ["x1", "x2"]
    with pytest.raises(NotationError):
        play(match, "x3")
    play(match, *["x1"] * 10, *["x2"] * 6)
    assert match.position()["cards"] == [5, 25, 25, 25]
    assert match.actors == (1,)
    assert match.phase == "turn"


@pytest.mark.plain
@pytest.mark.clause("LK-80")
def test_at_most_fifteen_each_are_dealt_and_the_rest_stays_face_down() -> None:
    match = last_card(hands=["1 0 0", "1 0 0", "1 0 0", "1 1 0"])
    assert match.position()["face_down"] == 76
    assert match.position()["due"] == 60
    play(match, *["x1"] * 45, *["x2"] * 15)
    assert match.position()["face_down"] == 16
    assert match.position()["pile"] == counts("0 12 4")
    assert match.view(0)["pile"] is None
    assert match.view(0)["face_down"] == 16
    assert match.position()["discards"] == counts("0 0 0")


@pytest.mark.plain
@pytest.mark.clause("LK-80")
def test_what_is_left_over_is_shuffled_again_with_the_next_discards() -> None:
    match = last_card(pile="1 1 0", bonus=[1, 2, 3, 4], hands=["1 0 0", "12 7 1", "12 7 1", "12 7 1"])
    assert match.position()["pile"] == counts("12 7 1")
    assert match.position()["face_down"] == 20


@pytest.mark.plain
@pytest.mark.clause("LK-82", "LK-70")
def test_a_pile_too_small_for_one_card_each_is_not_dealt_and_the_next_turn_brings_another_election() -> None:
    hands = ["1 0 0", "25 15 1", "12 7 1", "9 6 2"]
    match = last_card(hands=hands, known=["0 0 0"] * 4, bonus=[1, 2, 3, 4], pile="0 0 0")
    assert match.phase == "turn"
    assert match.actors == (1,)
    assert match.position()["discards"] == counts("2 0 0")
    assert match.position()["cards"][0] == 0
    assert match.position()["elections"] == 2
    play(match, "end")
    assert match.position()["elections"] == 3
    assert match.actors == (2,)
    assert show(match, "Wigemor") == "1 1 noble"


@pytest.mark.clause("LK-80")
def test_a_card_dealt_is_seen_by_its_receiver_only() -> None:
    match = last_card(hands=["1 0 0", "12 7 1", "12 7 1", "12 7 1"])
    play(match, "x1 x2 x3 x1")
    assert match.transcript(1).split("\n")[-3].endswith("/ x1 ? ? ?")
    assert match.transcript(3).split("\n")[-3].endswith("/ ? ? x3 ?")
    assert refused(match, "end", seat=1) == "LK-80"


@pytest.mark.clause("LK-77")
def test_nobody_acts_while_dice_decide_an_election() -> None:
    match = crowned("0 Tateshale 1, 1 Wigemor 1, 2 Oxeneford 1, 3 Sarisberie 1", [16, 16, 16, 12])
    assert refused(match, "end", seat=1) == "LK-77"
