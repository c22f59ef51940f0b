"""Castles, regions and the end, clause by clause."""

from __future__ import annotations

from typing import Any

import pytest

from games.carolus_magnus.table import SEVEN_ALL, play, show, strengths, table
from regalia import CHANCE, Match, MatchOver


def arrive(seats: int = 2, **words: Any) -> Match:
    """The emperor on 15 moves on to the place of province 1."""
    match = table(seats, "emperor", reserves=["rpby"] * seats, **{"emperor": 15, **words})
    return play(match, "move 1")


# --- Castles and regions ---


@pytest.mark.plain
@pytest.mark.clause("CM-50")
def test_strength_is_controlled_knights_and_own_castles() -> None:
    match = table(ring={"1": "black rggpb"}, courts=["2r", "g"])
    assert strengths(match, 1) == {
        "black": 3,
        "white": 2,
    }  # 2 red and a castle; 2 green; purple and blue are nobody's


@pytest.mark.plain
@pytest.mark.clause("CM-50")
@pytest.mark.parametrize(
    "partners, black, white", [("02-13", 1 + 3, 2), ("01-23", 1 + 2, 3), ("03-12", 1, 2 + 3)]
)
def test_a_team_adds_the_colours_of_both_partners(partners: str, black: int, white: int) -> None:
    courts = ["r", "p", "b", ""]
    match = table(4, ring={"1": "ppbbb"}, courts=courts, options={"partners": partners})
    assert strengths(match, 1) == {"black": black, "white": white}


@pytest.mark.plain
@pytest.mark.clause("CM-51")
def test_the_side_stronger_than_each_other_takes_the_place_though_not_more_than_half() -> None:
    match = arrive(3, ring={"1": "rrppbb"}, courts=["r", "p", "b"])
    assert strengths(match, 1) == {"black": 4, "white": 2, "grey": 2}
    assert show(match, 1) == "1 black 1 rrrppbb"


@pytest.mark.plain
@pytest.mark.clause("CM-51")
def test_equality_at_the_top_changes_nothing_and_a_weaker_third_sides_castle_stays() -> None:
    match = arrive(3, ring={"1": "grey rrppp"}, courts=["r", "p", "b"])
    assert show(match, 1) == "1 grey 1 rrrppp"
    match = arrive(ring={"1": "p"}, courts=["r", "p"])
    assert show(match, 1) == "1 - rp"


@pytest.mark.plain
@pytest.mark.clause("CM-51")
def test_where_all_are_at_nothing_nothing_changes() -> None:
    assert show(arrive(), 1) == "1 - r"


@pytest.mark.plain
@pytest.mark.clause("CM-52")
def test_an_empty_place_gets_one_castle_and_an_own_one_no_second() -> None:
    match = arrive(ring={"1": "rrr"}, courts=["r", ""])
    assert show(match, 1) == "1 black 1 rrrr"
    assert [side["stock"] for side in match.view()["sides"]] == [9, 10]
    match = arrive(ring={"1": "black rrr"}, courts=["r", ""])
    assert show(match, 1) == "1 black 1 rrrr"


@pytest.mark.plain
@pytest.mark.clause("CM-53")
def test_all_castles_of_a_region_change_hands_together() -> None:
    match = arrive(ring={"1-3": "white rrr"}, courts=["r", ""])
    assert show(match, 1) == "1-3 black 3 rrrrpb"
    assert [side["stock"] for side in match.view()["sides"]] == [7, 10]


@pytest.mark.plain
@pytest.mark.clause("CM-54")
def test_neighbours_with_castles_of_the_same_side_merge_on_both_sides() -> None:
    match = arrive(ring={"14-15": "black", "2-4": "black"}, emperor=14, courts=["r", ""])
    assert show(match, 1) == "14-4 black 6 rpbyyg"
    assert match.position()["emperor"] == 1
    assert match.view()["ring"][0]["provinces"] == [14, 15, 1, 2, 3, 4]
    assert len(match.position()["ring"]) == 10


@pytest.mark.plain
@pytest.mark.clause("CM-54")
def test_only_castles_decide_about_merging_and_the_merged_region_is_not_counted_again() -> None:
    match = arrive(ring={"2": "white ppppp", "15": "black"}, courts=["r", "pg"])
    # white would be stronger in 15-1 and even more in 1-2, but only province 1 is counted, and black has it
    assert show(match, 1) == "15-1 black 2 rg"
    assert show(match, 2) == "2 white 1 pppppp"
    assert strengths(match, 2) == {"black": 0, "white": 7}
    match = arrive(ring={"15": "gggg", "2": "rrrr"}, courts=["r", ""])
    assert show(match, 1) == "1 black 1 r"


@pytest.mark.plain
@pytest.mark.clause("CM-54")
def test_a_merged_place_goes_by_its_lowest_province() -> None:
    match = table(2, "emperor", emperor=7, ring={"7": "white"}, courts=["", "b"], reserves=["rpby"] * 2)
    play(match, "move 1")
    assert show(match, 8) == "7-8 white 2 pb"
    assert match.position()["emperor"] == 7


@pytest.mark.plain
@pytest.mark.clause("CM-55")
def test_a_region_never_splits() -> None:
    match = arrive(ring={"1-4": "white rrrrrr"}, courts=["r", ""])
    assert show(match, 3) == "1-4 black 4 rrrrrrrpby"


@pytest.mark.plain
@pytest.mark.clause("CM-56", "CM-60")
def test_with_too_few_castles_a_side_puts_what_it_has_and_wins() -> None:
    match = arrive(ring={"1-3": "white rrr", "5-8": "black", "10-13": "black"}, courts=["r", ""])
    assert show(match, 1) == "1-3 black 2 rrrrpb"
    assert [side["stock"] for side in match.view()["sides"]] == [0, 10]
    assert match.outcome is not None
    assert match.outcome.reason == "castles"
    assert match.outcome.points == (10, 0)
    again = Match.from_position("carolus_magnus", match.position())
    assert again.state_bytes() == match.state_bytes()


# --- End ---


@pytest.mark.plain
@pytest.mark.clause("CM-60")
def test_the_last_castle_wins_at_once_before_any_merging() -> None:
    match = arrive(ring={"2-5": "black", "7-11": "black"}, courts=["r", ""])
    assert match.actors == ()
    assert show(match, 1) == "1 black 1 r"
    assert show(match, 2) == "2-5 black 4 pbyg"
    assert match.outcome is not None
    assert (match.outcome.ranks, match.outcome.points, match.outcome.reason) == ((1, 2), (10, 0), "castles")
    with pytest.raises(MatchOver) as over:
        match.play(0, "move 1")
    assert over.value.clause == "CM-60"


@pytest.mark.plain
@pytest.mark.clause("CM-60")
def test_the_last_castle_wins_also_for_a_side_that_does_not_move() -> None:
    match = arrive(3, ring={"2-5": "grey", "7-9": "grey"}, courts=["", "", "r"])
    assert match.outcome is not None
    assert (match.outcome.ranks, match.outcome.points) == ((2, 2, 1), (0, 0, 8))


@pytest.mark.plain
@pytest.mark.clause("CM-61")
def test_fewer_than_four_places_end_the_game_and_most_castles_win() -> None:
    ring = {"2-5": "black", "6-11": "white", "12-15": "black"}
    match = arrive(ring=ring, emperor=12, courts=["r", ""])
    assert show(match, 1) == "12-5 black 9 rppbbyygg"
    assert match.actors == ()
    assert match.outcome is not None
    assert (match.outcome.ranks, match.outcome.points, match.outcome.reason) == ((1, 2), (9, 6), "regions")
    with pytest.raises(MatchOver) as over:
        match.play(0, "move 1")
    assert over.value.clause == "CM-61"


@pytest.mark.plain
@pytest.mark.clause("CM-61")
def test_four_places_are_enough_to_go_on() -> None:
    match = arrive(
        ring={"2-5": "black", "6-10": "white", "11-13": "black", "14-15": "white"},
        emperor=14,
        courts=["r", ""],
    )
    assert show(match, 1) == "1-5 black 5 rpbyg"
    assert len(match.position()["ring"]) == 4
    assert match.actors == (CHANCE,)


@pytest.mark.plain
@pytest.mark.clause("CM-62")
@pytest.mark.parametrize(
    "courts, ranks",
    [(["y", ""], (1, 2)), (["y", "r"], (1, 1)), (["y", "rp"], (2, 1)), (["ybg", "rp"], (1, 2))],
)
def test_of_equal_sides_the_one_with_more_colours_wins_or_they_share(
    courts: list[str], ranks: tuple[int, ...]
) -> None:
    match = table(2, "emperor", ring=SEVEN_ALL, emperor=1, courts=courts, reserves=["rpby"] * 2)
    play(match, "move 1")
    assert match.outcome is not None
    assert (match.outcome.ranks, match.outcome.points, match.outcome.reason) == (ranks, (7, 7), "regions")


@pytest.mark.plain
@pytest.mark.clause("CM-62", "CM-63")
def test_a_team_counts_both_partners_colours_and_shares_its_rank_and_points() -> None:
    words: dict[str, Any] = {"ring": SEVEN_ALL, "emperor": 1, "reserves": ["rpby"] * 4}
    match = play(table(4, "emperor", courts=["y", "r", "", "p"], **words), "move 1")
    assert match.outcome is not None
    assert (match.outcome.ranks, match.outcome.points) == ((2, 1, 2, 1), (7, 7, 7, 7))
    match = play(table(4, "emperor", courts=["y", "r", "b", "p"], **words), "move 1")
    assert match.outcome is not None
    assert match.outcome.ranks == (1, 1, 1, 1)


@pytest.mark.plain
@pytest.mark.clause("CM-63")
def test_the_others_rank_by_castles_then_colours() -> None:
    words: dict[str, Any] = {"emperor": 1, "reserves": ["rpby"] * 3}
    ring = {"1-2": "black", "4-5": "black", "6-10": "white", "11-15": "grey"}
    match = play(table(3, "emperor", ring=ring, courts=["bb", "r", "pg"], **words), "move 1")
    assert match.outcome is not None
    assert (match.outcome.ranks, match.outcome.points) == ((2, 2, 1), (5, 5, 5))
    ring = {"1-2": "black", "4-5": "black", "6-9": "white", "10-15": "grey"}
    match = play(table(3, "emperor", ring=ring, courts=["bbrp", "", "g"], **words), "move 1")
    assert match.outcome is not None
    assert (match.outcome.ranks, match.outcome.points) == ((2, 3, 1), (5, 4, 6))


@pytest.mark.plain
@pytest.mark.clause("CM-64")
def test_a_round_without_a_new_knight_is_the_last_judged_when_the_last_player_is_served() -> None:
    words: dict[str, Any] = {"ring": {"1": "black"}, "reserves": ["", ""], "brought": False}
    match = table(2, "dice", turn=0, discs=[1, 2], **words)
    play(match, "crown red red", "take red", "move 1")
    assert match.outcome is None
    play(match, "red red crown", "take blue")
    assert match.actors == ()
    assert match.outcome is not None
    assert (match.outcome.ranks, match.outcome.points, match.outcome.reason) == ((1, 2), (1, 0), "standstill")
    with pytest.raises(MatchOver) as over:
        match.play(0, "disc 1")
    assert over.value.clause == "CM-64"


@pytest.mark.plain
@pytest.mark.clause("CM-64")
def test_a_round_in_which_one_knight_came_is_not_the_last() -> None:
    match = table(2, "dice", turn=1, discs=[1, 2], reserves=["", ""], brought=True)
    assert play(match, "red red red").phase == "disc"


@pytest.mark.plain
@pytest.mark.clause("CM-64")
def test_after_round_100_the_castles_on_the_table_decide() -> None:
    used = [[1, 2, 3, 4, 5]] * 2
    words: dict[str, Any] = {
        "ring": {"1": "black"},
        "reserves": ["rpby"] * 2,
        "used": used,
        "turn": 1,
        "discs": [1, 2],
    }
    match = play(table(2, "dice", round=100, **words), "red red red")
    assert match.outcome is not None
    assert (match.outcome.ranks, match.outcome.points, match.outcome.reason) == ((1, 2), (1, 0), "rounds")
    assert play(table(2, "dice", round=95, **words), "red red red").position()["round"] == 96
