"""Set-up, rounds and knights, clause by clause; castles.py's chapters are in test_castles.py."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from games.carolus_magnus.table import (
    DRAWS,
    controllers,
    describe,
    held,
    new,
    play,
    rolled,
    show,
    strengths,
    table,
)
from regalia import CHANCE, IllegalAction, Match, NotationError, SetupError

COLOURS = ("red", "purple", "blue", "yellow", "green")


# --- Material and set-up ---


@pytest.mark.plain
@pytest.mark.clause("CM-1")
def test_fifteen_provinces_lie_in_a_ring_and_the_first_follows_the_last() -> None:
    match = play(new(), DRAWS)
    assert [place["provinces"] for place in match.position()["ring"]] == [[number] for number in range(1, 16)]
    match = table(phase="emperor", emperor=15, reserves=["rpby", "rpby"])
    assert play(match, "move 1").position()["emperor"] == 1


@pytest.mark.plain
@pytest.mark.clause("CM-2", "CM-3")
def test_three_knights_of_each_colour_are_drawn_one_for_each_province() -> None:
    match = new()
    assert match.view()["supply"] == dict.fromkeys(COLOURS, 40)
    assert match.actors == (CHANCE,)
    play(match, "red red", "green")
    assert match.engine.odds(match.seen(None)).tolist()[:5] == [1, 3, 3, 3, 2]
    play(match, "red")
    assert match.actions(CHANCE) == ["purple", "blue", "yellow", "green"]
    play(match, "purple purple purple blue blue blue yellow yellow yellow green green")
    assert (
        match.records[0].outcomes
        == ("red", "red", "green", "red") + ("purple",) * 3 + ("blue",) * 3 + ("yellow",) * 3 + ("green",) * 2
    )
    assert [show(match, number)[-1] for number in (1, 2, 3, 4, 5, 14, 15)] == list("rrgrpgg")
    assert match.view()["supply"] == dict.fromkeys(COLOURS, 37)
    assert match.phase == "arrival"


@pytest.mark.clause("CM-4")
def test_the_emperor_starts_in_any_province_equally_often() -> None:
    match = play(new(), DRAWS)
    assert match.position()["emperor"] is None
    assert match.actions(CHANCE) == [f"province {number}" for number in range(1, 16)]
    assert set(match.engine.odds(match.seen(None)).tolist()) == {1}
    assert play(match, "province 7").position()["emperor"] == 7


@pytest.mark.clause("CM-5")
@pytest.mark.parametrize("seats, sides", [(2, [10, 10]), (3, [8, 8, 8]), (4, [10, 10])])
def test_a_side_has_ten_castles_or_eight_with_three_seats(seats: int, sides: list[int]) -> None:
    assert [side["stock"] for side in new(seats).view()["sides"]] == sides
    assert [side["side"] for side in new(seats).view()["sides"]] == ["black", "white", "grey"][: len(sides)]


@pytest.mark.clause("CM-6")
def test_everything_a_player_has_is_public() -> None:
    match = Match.new("carolus_magnus", seats=3, seed=5)
    assert match.position(0) == match.position(1) == match.position()
    assert match.redeal(2, 1).state_bytes() == match.state_bytes()
    assert set(match.position()["players"][2]) == {"court", "reserve", "disc", "used"}
    while match.phase == "crown":
        seat = match.actors[0]
        match.play(seat, match.actions(seat)[0])
    assert match.actions(match.actors[0]) == [f"disc {number}" for number in range(1, 6)]


@pytest.mark.plain
@pytest.mark.clause("CM-7")
@pytest.mark.parametrize("seats, dice", [(2, 7), (3, 9), (4, 7)])
def test_starting_reserves_are_rolled_seat_by_seat_and_a_crown_is_a_choice(seats: int, dice: int) -> None:
    match = play(new(seats), DRAWS, "province 1")
    assert match.actions(CHANCE) == [*COLOURS, "crown"]
    assert match.position()["due"] == dice
    play(match, "crown " * 2 + "green " * (dice - 2))
    assert (match.phase, match.actors) == ("crown", (0,))
    assert match.actions(0) == [f"take {colour}" for colour in COLOURS]
    play(match, "take blue", "take red")
    for _ in range(seats - 1):
        assert (match.phase, match.actors) == ("dice", (CHANCE,))
        play(match, "yellow " * dice)
    assert held(match, "reserve") == ["rb" + "g" * (dice - 2)] + ["y" * dice] * (seats - 1)
    assert match.actions(CHANCE) == [f"seat {seat}" for seat in range(seats)]


@pytest.mark.plain
@pytest.mark.clause("CM-8")
def test_partners_sit_as_the_option_says() -> None:
    for partners, teams in (
        ("02-13", [[0, 2], [1, 3]]),
        ("01-23", [[0, 1], [2, 3]]),
        ("03-12", [[0, 3], [1, 2]]),
    ):
        assert [side["seats"] for side in new(4, partners=partners).view()["sides"]] == teams
    assert new(4).options["partners"] == "02-13"
    for seats, value in ((2, "02-13"), (3, "01-23"), (4, "12-03")):
        with pytest.raises(SetupError):
            new(seats, partners=value)


@pytest.mark.clause("CM-9")
def test_partners_do_not_confer_unless_the_table_says_so_and_the_rules_do_not_care() -> None:
    assert new(4).options["confer"] == "false"
    silent, talking = (
        Match.new("carolus_magnus", seats=4, seed=3, options={"confer": c}) for c in ("false", "true")
    )
    assert silent.records == talking.records
    with pytest.raises(SetupError):
        new(3, confer="true")


# --- Choosing discs ---


@pytest.mark.plain
@pytest.mark.clause("CM-10")
def test_a_random_player_lays_the_first_disc_and_it_goes_clockwise() -> None:
    match = play(rolled(3), "seat 2")
    assert match.position()["order"] == [2, 0, 1]
    seats = []
    while match.phase == "disc":
        seats.append(match.actors[0])
        play(match, match.actions(match.actors[0])[-1])
    assert seats == [2, 0, 1]
    assert [player["disc"] for player in match.position()["players"]] == [4, 3, 5]


@pytest.mark.plain
@pytest.mark.clause("CM-11")
def test_later_discs_are_laid_in_the_order_of_the_last_actions() -> None:
    match = table(3, "dice", discs=[4, 1, 3], turn=0, reserves=["rpbyg"] * 3)
    play(match, "red red red red")
    assert match.position()["round"] == 2
    assert (match.phase, match.position()["order"], match.actors) == ("disc", [1, 2, 0], (1,))


@pytest.mark.plain
@pytest.mark.clause("CM-12")
def test_a_number_laid_this_round_is_closed_to_the_others() -> None:
    match = play(table(3, "disc"), "disc 2")
    assert match.actions(1) == ["disc 1", "disc 3", "disc 4", "disc 5"]
    play(match, "disc 5")
    assert match.actions(2) == ["disc 1", "disc 3", "disc 4"]


@pytest.mark.plain
@pytest.mark.clause("CM-12")
def test_partners_discs_close_numbers_too() -> None:
    match = play(table(4, "disc"), "disc 2", "disc 3")
    assert "disc 2" not in match.actions(2)  # seat 0 is the partner of seat 2


@pytest.mark.plain
@pytest.mark.clause("CM-12")
def test_who_has_only_laid_numbers_left_may_lay_any_of_them() -> None:
    match = table(3, "disc", round=4, used=[[1, 2, 3], [1, 2, 3], [1, 2, 3]])
    play(match, "disc 4", "disc 5")
    assert match.actions(2) == ["disc 4", "disc 5"]


@pytest.mark.plain
@pytest.mark.clause("CM-13")
def test_discs_stay_used_for_five_rounds_and_then_all_come_back() -> None:
    used = [[1, 2, 3, 4], [2, 3, 4, 5]]
    match = table(2, "disc", round=5, used=used)
    assert [player["used"] for player in match.position()["players"]] == used
    assert match.actions(0) == ["disc 5"]
    play(match, "disc 5", "disc 1")
    assert match.position()["order"] == [1, 0]
    for _ in range(2):
        play(match, "red>1", "red>1", "blue>1", "move 1", "green green green")
    assert match.position()["round"] == 6
    assert [player["used"] for player in match.position()["players"]] == [[], []]
    assert match.position()["order"] == [1, 0]
    assert len(match.actions(1)) == 5


@pytest.mark.plain
@pytest.mark.clause("CM-14")
def test_the_lowest_disc_acts_first_and_finishes_before_the_next_begins() -> None:
    match = play(table(3, "disc"), "disc 5", "disc 2", "disc 4")
    assert match.position()["order"] == [1, 2, 0]
    acted = []
    for _ in range(3):
        acted += [match.actors[0]] * 5
        for action in ("red>1", "red>1", "blue>1", "blue>1", "move 1"):
            assert match.actors == (acted[-1],)
            play(match, action)
        play(match, "red red red red")
    assert acted == [1] * 5 + [2] * 5 + [0] * 5


@pytest.mark.plain
@pytest.mark.clause("CM-14")
def test_of_equal_discs_the_one_laid_first_counts_as_lower() -> None:
    match = table(2, "disc", round=5, used=[[1, 2, 4, 5]] * 2, order=[1, 0], turn=1)
    play(match, "disc 3", "disc 3")
    assert match.position()["order"] == [1, 0]
    assert match.actors == (1,)


# --- A player's action ---


@pytest.mark.plain
@pytest.mark.clause("CM-20")
@pytest.mark.parametrize("seats, knights", [(2, 3), (3, 4), (4, 3)])
def test_exactly_three_knights_come_into_play_or_four_with_three_seats(seats: int, knights: int) -> None:
    match = table(seats)
    for k in range(knights):
        assert match.phase == "knights"
        assert match.position()["due"] == knights - k
        play(match, ["red>court", "purple>9", "blue>9", "yellow>court"][k])
    assert match.phase == "emperor"
    assert show(match, 9) == "9 - pby"
    assert held(match, "court")[0] == "ry"[: knights - 2]


@pytest.mark.plain
@pytest.mark.clause("CM-20")
def test_each_knight_goes_into_the_own_court_or_any_place() -> None:
    match = table(ring={"14-2": "black", "5-6": "white"}, reserves=["rrrrggg", "rpbygrp"])
    targets = ["1", "3", "4", "5", "7", "8", "9", "10", "11", "12", "13", "court"]
    assert sorted(match.actions(0)) == sorted(
        f"{colour}>{target}" for colour in ("red", "green") for target in targets
    )


@pytest.mark.plain
@pytest.mark.clause("CM-20")
def test_a_smaller_reserve_is_brought_in_whole_and_an_empty_one_skips_the_step() -> None:
    match = table(2, "dice", reserves=["rpby", "g"], turn=0)
    play(match, "red red red", "green>3")
    assert (match.phase, match.actors) == ("emperor", (1,))
    match = table(2, "dice", reserves=["rpby", ""], turn=0)
    play(match, "red red red")
    assert (match.phase, match.actors) == ("emperor", (1,))


@pytest.mark.plain
@pytest.mark.clause("CM-21")
def test_knights_in_play_stay_and_those_in_reserve_count_for_nothing() -> None:
    match = table(reserves=["rrrgggg", "rpbygrp"], courts=["r", "5p"])
    before = strengths(match, 1)
    assert before == {"black": 1, "white": 0}
    assert not [action for action in match.actions(0) if action.startswith(("purple", "blue", "yellow"))]
    play(match, "green>court", "green>2", "green>2", "move 1")
    assert (show(match, 2), held(match, "court")) == ("2 - pgg", ["rg", "ppppp"])
    assert held(match, "reserve")[0] == "rrrg"


@pytest.mark.plain
@pytest.mark.clause("CM-22")
def test_partners_never_exchange_knights() -> None:
    match = table(4, reserves=["rrr", "g", "ppp", "y"])
    assert {action.split(">")[0] for action in match.actions(0)} == {"red"}
    play(match, "red>court")
    assert held(match, "court") == ["r", "", "", ""]
    assert held(match, "reserve") == ["rr", "g", "ppp", "y"]


@pytest.mark.plain
@pytest.mark.clause("CM-30")
def test_the_emperor_moves_at_least_one_step_and_at_most_the_disc() -> None:
    match = table(2, "emperor", discs=[3, 5], reserves=["rpby"] * 2)
    assert match.actions(0) == ["move 1", "move 2", "move 3"]
    assert play(match, "move 3").position()["emperor"] == 3


@pytest.mark.plain
@pytest.mark.clause("CM-30")
def test_a_region_is_one_step() -> None:
    match = table(
        2, "emperor", ring={"1-3": "black", "14-15": "white"}, emperor=14, discs=[3, 5], reserves=["rpby"] * 2
    )
    assert play(match, "move 2").position()["emperor"] == 4


@pytest.mark.plain
@pytest.mark.clause("CM-30")
def test_with_few_places_the_emperor_may_come_round_and_longer_ways_are_read_as_shorter_ones() -> None:
    few = {"1-4": "black", "5-8": "white", "9-12": "black", "13-15": "white"}
    match = table(
        2, "emperor", ring=few, emperor=5, discs=[5, 4], turn=0, order=[1, 0], reserves=["rpby"] * 2
    )
    assert match.actions(0) == ["move 1", "move 2", "move 3", "move 4"]
    assert match.copy().play(0, "move 5").action == "move 1"
    assert play(match, "move 4").position()["emperor"] == 5


@pytest.mark.plain
@pytest.mark.clause("CM-31")
def test_what_follows_is_automatic_also_when_another_side_gains() -> None:
    match = table(
        2, "emperor", courts=["", "r"], ring={"15": "white", "2": "white"}, emperor=15, reserves=["rpby"] * 2
    )
    play(match, "move 1")
    assert show(match, 1) == "15-2 white 3 rpg"
    assert match.actors == (CHANCE,)


@pytest.mark.plain
@pytest.mark.clause("CM-40")
@pytest.mark.parametrize("seats, dice", [(2, 3), (3, 4), (4, 3)])
def test_the_action_ends_with_a_roll_of_three_dice_or_four_with_three_seats(seats: int, dice: int) -> None:
    match = table(seats, "emperor", reserves=["rpby"] * seats)
    play(match, "move 1")
    assert match.position()["due"] == dice
    play(match, " ".join(["red", "crown", "green", "crown"][:dice]))
    assert match.phase == "crown"
    assert held(match, "reserve")[0] == "rrpbyg"  # coloured dice are served before crowns
    play(match, *["take yellow"] * (dice - 2))
    assert held(match, "reserve")[0] == "rrpb" + "y" * (dice - 1) + "g"
    assert match.actors == (1,)


@pytest.mark.plain
@pytest.mark.clause("CM-40")
def test_a_reserve_fallen_short_is_not_topped_up_further() -> None:
    match = table(2, "dice", reserves=["r", "rpbygrp"], turn=0)
    assert held(play(match, "red red red"), "reserve")[0] == "rrrr"


@pytest.mark.plain
@pytest.mark.clause("CM-41")
def test_a_missing_knight_calls_back_equally_many_from_all_courts_and_control_stays() -> None:
    match = table(2, "dice", ring={"1": "16r"}, courts=["12r", "9r"], reserves=["pppp", "p"])
    assert match.view()["supply"]["red"] == 0
    play(match, "red red green")
    assert held(match, "court") == ["rrr", ""]
    assert held(match, "reserve")[0] == "rrppppg"
    assert match.view()["supply"]["red"] == 16
    match = table(
        2, "dice", ring={"1": "19r"}, courts=["9r", "9r"], control={"red": 1}, reserves=["pppp", "p"]
    )
    assert controllers(play(match, "red red red")) == {"red": 1}
    assert held(match, "court") == ["", ""]


@pytest.mark.plain
@pytest.mark.clause("CM-41")
def test_all_four_seats_put_back_as_many_as_the_poorest_court_has() -> None:
    courts = ["5r", "2r", "9r", "3r"]
    match = table(4, "dice", ring={"1": "18r"}, courts=courts, reserves=["pppp", "p", "p", "p"])
    assert held(play(match, "red green green"), "court") == ["rrr", "", "rrrrrrr", "r"]
    assert match.view()["supply"]["red"] == 7


@pytest.mark.plain
@pytest.mark.clause("CM-41")
def test_a_crown_may_name_a_colour_that_the_courts_can_refill() -> None:
    match = table(2, "dice", ring={"1": "16r"}, courts=["12r", "9r"], reserves=["pppp", "p"])
    play(match, "crown green green")
    assert "take red" in match.actions(0)
    assert held(play(match, "take red"), "court") == ["rrr", ""]


@pytest.mark.plain
@pytest.mark.clause("CM-42")
def test_a_die_whose_colour_is_not_to_be_had_counts_as_a_crown() -> None:
    match = table(2, "dice", ring={"1": "25r"}, courts=["12r", ""], reserves=["pppp", "p"])
    play(match, "red green crown")
    assert match.position()["crowns"] == 2
    assert match.actions(0) == ["take purple", "take blue", "take yellow", "take green"]
    assert held(play(match, "take blue", "take blue"), "reserve")[0] == "ppppbbg"


@pytest.mark.plain
@pytest.mark.clause("CM-42")
def test_when_no_colour_is_to_be_had_nothing_is_taken() -> None:
    match = table(2, "dice", ring={"1": "37r37p37b37y32g"}, courts=["2g", ""], reserves=["g", "gg"], turn=0)
    assert match.view()["supply"] == dict.fromkeys(COLOURS, 0)
    play(match, "red crown green")
    assert held(match, "reserve") == ["g", "gg"]
    assert (match.phase, match.actors, match.position()["crowns"]) == ("knights", (1,), 0)


@pytest.mark.plain
@pytest.mark.clause("CM-42")
def test_crowns_left_over_when_the_last_knight_is_taken_bring_nothing() -> None:
    match = table(2, "dice", ring={"1": "36r37p37b37y37g"}, reserves=["", ""], turn=0, brought=True)
    play(match, "crown crown crown", "take red")
    assert held(match, "reserve") == ["r", ""]
    assert (match.phase, match.actors) == ("emperor", (1,))


@pytest.mark.clause("CM-43")
def test_putting_knights_back_of_ones_own_accord_is_not_offered() -> None:
    match = table(courts=["15r", "15r"])
    assert all(">" in action for action in match.actions(0))
    with pytest.raises(NotationError):
        match.play(0, "return red")


# --- Control of families ---


@pytest.mark.plain
@pytest.mark.clause("CM-45")
def test_more_knights_than_the_controller_take_control_and_equality_leaves_it() -> None:
    match = table(courts=["r", "2r"], reserves=["rrrpppp", "rpbygrp"])
    assert controllers(play(match, "red>court")) == {"red": 1}
    assert held(match, "court") == ["rr", "rr"]
    assert controllers(play(match, "red>court")) == {"red": 0}


@pytest.mark.plain
@pytest.mark.clause("CM-46")
def test_partners_courts_are_never_added_together() -> None:
    match = table(4, courts=["2r", "3r", "2r", ""], reserves=["rpbygrp"] * 4)
    assert controllers(match) == {"red": 1}
    assert controllers(play(match, "red>court")) == {"red": 1}  # 3 + 2 for the team, but 3 against 3
    assert controllers(play(match, "red>court")) == {"red": 0}


@pytest.mark.plain
@pytest.mark.clause("CM-46")
def test_control_is_checked_when_a_knight_enters_a_court_not_at_the_end_of_the_action() -> None:
    match = table(courts=["", "5g"], ring={"1": "black"})
    play(match, "red>court")
    assert (controllers(match), match.phase) == ({"red": 0, "green": 1}, "knights")


@pytest.mark.plain
@pytest.mark.clause("CM-47")
def test_a_colour_without_a_controller_counts_for_nobody_and_control_never_becomes_vacant() -> None:
    match = table(ring={"1": "rrrr"})
    assert strengths(match, 1) == {"black": 0, "white": 0}
    assert strengths(play(match, "red>court"), 1) == {"black": 5, "white": 0}
    match = table(2, "dice", ring={"1": "19r"}, courts=["9r", "9r"], reserves=["pppp", "p"])
    play(match, "red red red")
    assert held(match, "court") == ["", ""]
    assert controllers(match) == {"red": 0}
    assert strengths(match, 1)["black"] == 20


# --- Refused, with the clause ---

EMPEROR = {"phase": "emperor", "reserves": ["rpby"] * 2}
CROWN = {"phase": "crown", "crowns": 1, "reserves": ["p", "p"]}


@pytest.mark.parametrize(
    "words, action, clause",
    [
        ({"phase": "disc", "round": 2, "used": [[3], [3]]}, "disc 3", "CM-13"),
        ({"phase": "disc", "turn": 1, "discs": [3, None], "order": [0, 1]}, "disc 3", "CM-12"),
        ({"phase": "disc"}, "disc 6", "CM-6"),
        ({"phase": "disc"}, "red>1", "CM-10"),
        ({"phase": "disc"}, "move 1", "CM-10"),
        ({"reserves": ["rrrrrrr", "r"]}, "green>1", "CM-20"),
        ({}, "red>16", "CM-1"),
        ({}, "red>0", "CM-1"),
        ({}, "pink>1", "CM-2"),
        ({}, "move 1", "CM-20"),
        ({}, "disc 2", "CM-10"),
        ({}, "take red", "CM-40"),
        (EMPEROR, "move 2", "CM-30"),
        (EMPEROR, "move 6", "CM-30"),
        (EMPEROR, "move 0", "CM-30"),
        (EMPEROR, "red>court", "CM-20"),
        (EMPEROR, "disc 1", "CM-10"),
        ({**CROWN, "ring": {"1": "25r"}, "courts": ["12r", ""]}, "take red", "CM-41"),
        (CROWN, "take pink", "CM-2"),
        (CROWN, "move 1", "CM-40"),
    ],
)  # fmt: skip
def test_a_refused_action_names_its_clause_and_changes_nothing(words: dict, action: str, clause: str) -> None:
    match = Match.from_position("carolus_magnus", describe(2, **words))
    before = match.state_bytes()
    seat = match.actors[0]
    with pytest.raises(IllegalAction) as refused:
        match.play(seat, action)
    assert refused.value.clause == clause
    assert clause in str(refused.value)
    assert match.state_bytes() == before
    assert match.ply == 1


@pytest.mark.clause("CM-7")
def test_in_the_set_up_only_a_crowns_colour_is_asked_for() -> None:
    match = play(new(), DRAWS, "province 4", "crown " * 7)
    with pytest.raises(IllegalAction) as refused:
        match.play(0, "disc 1")
    assert refused.value.clause == "CM-7"


@pytest.mark.parametrize(
    "make, clause",
    [
        (new, "CM-3"),
        (lambda: play(new(), DRAWS), "CM-4"),
        (lambda: play(new(), DRAWS, "province 1"), "CM-7"),
        (rolled, "CM-10"),
        (lambda: play(rolled(), "seat 1"), "CM-10"),
        (lambda: table(2, "disc", round=2, used=[[1], [2]], order=[1, 0], turn=1), "CM-11"),
        (lambda: table(2, "knights", turn=1, discs=[2, 1]), "CM-14"),
    ],
)
def test_out_of_turn_the_clause_says_whose_turn_it_is(make: Callable[[], Match], clause: str) -> None:
    with pytest.raises(ValueError, match=clause) as refused:
        make().play(0, "disc 1")
    assert refused.value.clause == clause  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "text", ["disc", "red", ">3", "red>", "red>court 2", "move", "move -1", "disc 1.5", "take", "1>red"]
)
def test_a_text_that_says_nothing_is_told_the_notation(text: str) -> None:
    with pytest.raises(NotationError, match="red>court"):
        table().play(0, text)


def test_case_and_spaces_do_not_matter() -> None:
    match = table(ring={"14-2": "black"})
    assert match.play(0, "  RED >  Court ").action == "red>court"
    assert match.play(0, "Purple>15").action == "purple>1"


@pytest.mark.parametrize(
    "make, text",
    [
        (new, "crown"),
        (new, "pink"),
        (rolled, "seat 2"),
        (rolled, "red"),
        (lambda: play(new(), DRAWS), "province 0"),
        (lambda: play(new(), DRAWS), "province 16"),
    ],
)
def test_an_outcome_that_cannot_come_up_is_refused(make: Callable[[], Match], text: str) -> None:
    with pytest.raises(NotationError):
        make().play(CHANCE, text)
