"""Set-up and a turn without disputes, clause by clause (LK-2…36)."""

from __future__ import annotations

import pytest

from games.long_live_the_king.table import describe, hand, moves, play, refused, show, table, verbs
from regalia import CHANCE, Match, NotationError, SetupError


def new(seats: int) -> Match:
    return Match.new("long_live_the_king", seats=seats, chance="manual")


# --- Material and set-up ---


@pytest.mark.clause("LK-3")
def test_three_to_five_play_and_each_has_twenty_cards() -> None:
    for seats in (3, 4, 5):
        position = new(seats).position()
        assert position["hands"] == [{"x1": 12, "x2": 7, "x3": 1}] * seats
        assert position["cards"] == [20] * seats
    for seats in (2, 6):
        with pytest.raises(SetupError):
            new(seats)


@pytest.mark.plain
@pytest.mark.clause("LK-3", "LK-4")
def test_start_areas_are_dealt_seat_by_seat_each_equally_likely() -> None:
    match = new(4)
    assert match.actions(CHANCE) == ["Tateshale", "Lundonia", "Lideforde", "Man"]
    assert match.engine.odds(match.seen(None)).tolist() == [1, 1, 1, 1, 0, 0]
    play(match, "lideforde")
    assert match.actions(CHANCE) == ["Tateshale", "Lundonia", "Man"]
    with pytest.raises(NotationError):
        play(match, "Lideforde")
    with pytest.raises(NotationError):
        play(match, "Wigemor")
    play(match, "Tateshale Man Lundonia")
    assert [show(match, area) for area in ("Lideforde", "Tateshale", "Man", "Lundonia")] == [
        "0 2 noble",
        "1 2 noble",
        "2 2 noble",
        "3 2 noble",
    ]
    assert match.view()["supply"] == [15] * 4
    assert match.position()["bonus"] == [0] * 4


@pytest.mark.plain
@pytest.mark.clause("LK-5")
@pytest.mark.parametrize(
    "draws, first",
    [
        ("Sarisberie Sedberouie Rouecestre", 2),
        ("Man Tateshale Lundonia Lideforde", 1),
        ("Man Sedberouie Lundonia Stadford Lideforde", 3),
    ],
)
def test_the_one_in_the_first_start_area_begins_and_play_goes_clockwise(draws: str, first: int) -> None:
    seats = len(draws.split())
    match = play(new(seats), draws)
    for k in range(2 * seats):
        assert match.actors == ((first + k) % seats,)
        play(match, "end")


@pytest.mark.clause("LK-5")
def test_nobody_acts_out_of_turn() -> None:
    match = table(4, turn=2)
    assert refused(match, "end", seat=0) == "LK-5"
    assert refused(new(3), "end", seat=0) == "LK-4"


@pytest.mark.plain
@pytest.mark.clause("LK-6", "LK-36")
def test_an_area_is_own_with_a_courtier_or_the_noble_alone_and_empty_when_both_are_gone() -> None:
    match = table(4, areas="0 Wigemor 0, 0 Oxeneford 1, 1 Lundonia 2, 2 Lideforde 2, 3 Man 2")
    assert show(match, "Wigemor") == "0 0 noble"
    play(match, "move Oxeneford")
    assert show(match, "Wigemor") == "empty"
    assert show(match, "Oxeneford") == "0 1 noble"
    play(match, "move Stadford x3", "1")
    assert show(match, "Oxeneford") == "0 1"
    assert show(match, "Stadford") == "0 0 noble"


# --- Moving ---


@pytest.mark.plain
@pytest.mark.clause("LK-10")
def test_a_player_may_move_stay_and_place_or_do_nothing() -> None:
    match = table(4)
    assert verbs(match, 0) == {"move", "place", "end"}
    before = match.position()
    play(match, "end")
    assert match.position() == {**before, "turn": 1, "active": 1, "quiet": 1}


@pytest.mark.clause("LK-10", "LK-12")
def test_only_neighbours_can_be_entered() -> None:
    match = table(4, areas="0 Wigemor 2, 1 Lundonia 2, 2 Rouecestre 2, 3 Sedberouie 2")
    assert moves(match, 0) == {"Man", "Loncastre", "Tateshale", "Stadford", "Oxeneford", "Lideforde"}
    assert refused(match, "move Grentebrige") == "LK-12"
    assert refused(match, "move Wigemor") == "LK-10"


@pytest.mark.plain
@pytest.mark.clause("LK-12", "LK-X1")
def test_sea_lines_are_crossed_in_both_directions() -> None:
    match = table(4, areas="0 Man 2, 1 Lundonia 2, 2 Rouecestre 2, 3 Sedberouie 2")
    assert moves(match, 0) == {"Wigemor", "Loncastre"}
    play(match, "move Wigemor", "end", "end", "end", "end", "move Man")
    assert show(match, "Man") == "0 2 noble"


@pytest.mark.plain
@pytest.mark.clause("LK-2", "LK-X1")
def test_with_three_players_man_is_out_of_play() -> None:
    match = table(3, areas="0 Wigemor 2, 1 Sarisberie 2, 2 Sedberouie 2")
    assert moves(match, 0) == {"Loncastre", "Tateshale", "Stadford", "Oxeneford", "Lideforde"}
    assert refused(match, "move Man") == "LK-2"
    play(match, "move Loncastre")
    assert "Man" not in moves(match, 0)
    assert refused(match, "move Man x1") == "LK-2"
    with pytest.raises(NotationError, match="LK-2"):
        table(3, areas="0 Man 2, 1 Sarisberie 2, 2 Sedberouie 2")


@pytest.mark.plain
@pytest.mark.clause("LK-11")
def test_courtiers_stay_when_the_noble_moves() -> None:
    match = play(table(4), "move Wigemor")
    assert show(match, "Tateshale") == "0 2"
    assert show(match, "Wigemor") == "0 0 noble"


@pytest.mark.plain
@pytest.mark.clause("LK-13")
def test_no_area_is_entered_twice_but_the_one_started_in_may_be_entered_once() -> None:
    match = play(table(4), "move Wigemor")
    assert refused(match, "move Wigemor x1") == "LK-10"
    play(match, "move Tateshale x3", "1")
    assert refused(match, "move Wigemor x1") == "LK-13"
    assert "Wigemor" not in moves(match, 0)
    play(match, "move Stadford x2", "2")
    assert refused(match, "move Tateshale x1") == "LK-13"


# --- Favour rolls ---


@pytest.mark.plain
@pytest.mark.clause("LK-20", "LK-X3")
@pytest.mark.parametrize("card, least", [("x1", 3), ("x2", 2), ("x3", 1)])
def test_die_times_card_must_reach_three_and_the_card_is_spent_either_way(card: str, least: int) -> None:
    for die in range(1, 7):
        match = play(table(4), "move Wigemor", "place", f"roll {card}")
        assert match.actors == (CHANCE,)
        assert match.actions(CHANCE) == ["1", "2", "3", "4", "5", "6"]
        play(match, str(die))
        assert show(match, "Wigemor") == f"0 {2 if die >= least else 1} noble"
        assert match.position()["discards"][card] == 1
        assert match.position()["cards"][0] == 19


@pytest.mark.clause("LK-20")
def test_a_view_tells_how_likely_a_favour_roll_succeeds_with_each_card() -> None:
    assert table(4).view()["favour_odds"] == {"x1": 4 / 6, "x2": 5 / 6, "x3": 1.0}


@pytest.mark.clause("LK-20")
def test_a_card_must_be_in_the_hand_to_pay() -> None:
    match = play(table(4, hands=["2 0 0"]), "move Wigemor")
    assert refused(match, "move Stadford x2") == "LK-20"
    play(match, "place")
    assert refused(match, "roll x3") == "LK-20"


# --- Placing ---


@pytest.mark.plain
@pytest.mark.clause("LK-30")
def test_the_free_courtier_comes_first_then_one_per_favour_roll() -> None:
    match = table(4)
    assert refused(match, "roll x1") == "LK-30"
    play(match, "place")
    assert match.actions(0) == ["roll x1", "roll x2", "roll x3", "end"]
    assert refused(match, "place") == "LK-30"
    play(match, "roll x1", "2")
    assert show(match, "Tateshale") == "0 3 noble"
    play(match, "roll x1", "5")
    assert show(match, "Tateshale") == "0 4 noble"
    assert match.actions(0) == ["end"]
    assert refused(match, "roll x1") == "LK-31"
    assert play(match, "end").actors == (1,)


@pytest.mark.plain
@pytest.mark.clause("LK-30")
def test_end_is_asked_when_no_card_is_left_to_roll_with() -> None:
    match = play(table(4, hands=["1 0 0"]), "move Wigemor", "place", "roll x1", "1")
    assert match.actions(0) == ["end"]
    assert match.actors == (0,)


@pytest.mark.plain
@pytest.mark.clause("LK-31", "LK-X2")
@pytest.mark.parametrize("area, limit", [("Tateshale", 4), ("Sedberouie", 2)])
def test_an_area_never_holds_more_courtiers_than_votes(area: str, limit: int) -> None:
    others = "1 Lundonia 2, 2 Lideforde 2, 3 Rouecestre 2"
    match = play(table(4, areas=f"0 {area} {limit - 1}, {others}"), "place")
    assert show(match, area) == f"0 {limit} noble"
    assert match.actions(0) == ["end"]
    match = table(4, areas=f"0 {area} {limit}, {others}")
    assert "place" not in match.actions(0)
    assert refused(match, "place") == "LK-31"
    with pytest.raises(NotationError):
        table(4, areas=f"0 {area} {limit + 1}, {others}")


@pytest.mark.plain
@pytest.mark.clause("LK-32")
def test_placing_ends_all_movement() -> None:
    match = play(table(4), "move Wigemor", "place")
    assert verbs(match, 0) == {"roll", "end"}
    assert refused(match, "move Stadford x1") == "LK-32"
    match = play(table(4), "place")
    assert refused(match, "move Wigemor") == "LK-32"


# --- Moving on ---


@pytest.mark.plain
@pytest.mark.clause("LK-33")
def test_moving_on_fails_and_may_be_tried_again_but_nothing_is_placed_there() -> None:
    match = play(table(4), "move Wigemor", "move Stadford x1", "2")
    assert match.phase == "failed"
    assert verbs(match, 0) == {"move", "end"}
    assert refused(match, "place") == refused(match, "roll x1") == "LK-33"
    play(match, "move Oxeneford x2", "1", "move Loncastre x1", "6")
    assert show(match, "Wigemor") == "empty"
    assert show(match, "Loncastre") == "0 0 noble"
    assert verbs(match, 0) == {"move", "place", "end"}
    assert play(match, "place", "roll x1", "4").position()["discards"] == {"x1": 3, "x2": 1, "x3": 0}


@pytest.mark.plain
@pytest.mark.clause("LK-33")
def test_who_stops_after_a_failure_places_nothing() -> None:
    match = play(table(4), "move Wigemor", "move Stadford x1", "1", "end")
    assert match.actors == (1,)
    assert show(match, "Wigemor") == "0 0 noble"


@pytest.mark.plain
@pytest.mark.clause("LK-33", "LK-70")
def test_a_failure_with_the_last_card_ends_the_turn_by_itself() -> None:
    match = play(table(4, hands=["1 0 0"]), "move Wigemor", "move Stadford x1", "1")
    assert match.position()["turn"] == 0
    assert match.phase == "tie"
    assert match.position()["elections"] == 1
    match = play(table(4, hands=["2 0 0"]), "move Wigemor", "move Stadford x1", "1")
    assert match.actors == (0,)


@pytest.mark.plain
@pytest.mark.clause("LK-33")
def test_with_cards_but_nowhere_to_go_end_is_still_asked() -> None:
    areas = "0 Lideforde 2, 0 Sarisberie 1, 1 Oxeneford 2, 2 Wigemor 2, 3 Man 2"
    match = play(table(4, areas=areas), "move Sarisberie", "move Lideforde x1", "6")
    assert match.actions(0) == ["place", "end"]
    match = play(table(4, areas="0 Sedberouie 1, 1 Loncastre 2, 2 Lundonia 2, 3 Man 2"), "move Tateshale")
    assert "Loncastre" not in moves(match, 0)
    match = table(
        4,
        "failed",
        areas="0 Sarisberie 0, 1 Oxeneford 2, 2 Lideforde 2, 3 Man 2",
        entered=["Sarisberie"],
        hands=["11 7 1"],
        spent=True,
    )
    assert match.actions(0) == ["end"]


@pytest.mark.plain
@pytest.mark.clause("LK-34")
def test_the_destination_is_judged_before_paying() -> None:
    areas = "0 Wigemor 2, 1 Lundonia 2, 2 Lideforde 2, 3 Loncastre 2, 3 Man 1"
    match = play(table(4, areas=areas), "move Stadford")
    assert refused(match, "move Lundonia x1") == "LK-12"
    assert refused(match, "move Rouecestre x3") == "LK-12"
    play(match, "move Wigemor x1", "4")
    assert refused(match, "move Stadford x1") == "LK-13"
    assert refused(match, "move Lideforde x1") == "LK-41"
    assert match.position()["discards"] == {"x1": 1, "x2": 0, "x3": 0}
    last = play(table(4, areas=areas, hands=["1 0 0"]), "move Oxeneford")
    assert refused(last, "move Lideforde x1") == "LK-41"
    last = play(table(4, areas=areas, hands=["1 0 0"]), "move Tateshale")
    assert refused(last, "move Loncastre x1") == "LK-42"
    assert hand(last, 0) == "1 0 0"


@pytest.mark.clause("LK-34")
def test_after_a_failure_another_destination_may_be_named() -> None:
    match = play(table(4), "move Wigemor", "move Stadford x1", "1", "move Oxeneford x1", "3")
    assert show(match, "Oxeneford") == "0 0 noble"


@pytest.mark.plain
@pytest.mark.clause("LK-35")
def test_the_first_move_is_free_and_every_further_one_costs_a_card() -> None:
    match = table(4)
    assert refused(match, "move Wigemor x1") == "LK-35"
    play(match, "move Wigemor")
    assert match.position()["cards"][0] == 20
    assert refused(match, "move Stadford") == "LK-35"
    play(match, "move Stadford x1", "3", "move Oxeneford x1", "3", "place")
    assert [show(match, area) for area in ("Wigemor", "Stadford", "Oxeneford")] == [
        "empty",
        "empty",
        "0 1 noble",
    ]
    assert match.position()["cards"][0] == 18


@pytest.mark.plain
@pytest.mark.clause("LK-36")
def test_without_courtiers_in_supply_a_noble_alone_still_takes_areas() -> None:
    full = "0 Tateshale 4, 0 Wigemor 4, 0 Oxeneford 4, 0 Stadford 3, 0 Lincolia 2"
    match = table(
        4, areas=f"{full}, 1 Lundonia 2, 1 Rouecestre 1, 2 Lideforde 2, 3 Man 2", nobles={0: "Lincolia"}
    )
    assert match.view()["supply"][0] == 0
    assert refused(match, "place") == "LK-36"
    play(match, "move Grentebrige")
    assert show(match, "Grentebrige") == "0 0 noble"
    assert refused(match, "place") == "LK-36"
    play(match, "move Lundonia x3", "1")
    assert match.phase == "stakes"
    assert show(match, "Grentebrige") == "empty"


# --- Texts ---


@pytest.mark.parametrize(
    "text, canonical",
    [
        ("MOVE  wigemor", "move Wigemor"),
        ("move lancastre", "move Loncastre"),
        ("Place", "place"),
        ("END", "end"),
    ],
)
def test_texts_are_read_in_any_case_and_written_in_one_way(text: str, canonical: str) -> None:
    assert table(4).play(0, text).action == canonical


@pytest.mark.parametrize(
    "text",
    [
        "go",
        "move",
        "move Atlantis",
        "move Wigemor x4",
        "move x1 Wigemor",
        "place 1",
        "roll",
        "roll x0",
        "end now",
        "stake x4",
        "stake 3",
        "banish",
        "banish London",
        "reclaim",
        "reclaim -1",
        "reclaim two",
        "dice",
        "dice 7>x1",
    ],
)
def test_other_texts_cannot_be_read(text: str) -> None:
    match = table(4)
    with pytest.raises(NotationError, match="move Wigemor x1"):
        match.play(0, text)


def test_the_turn_of_a_position_must_be_told_whole() -> None:
    position = describe(4)
    for key in position:
        if key in ("seats", "options"):
            continue
        with pytest.raises(NotationError):
            Match.from_position(
                "long_live_the_king", {name: position[name] for name in position if name != key}
            )
