"""The clauses of The Rose King, shown one by one. Boards are drawn with north on top, as one looks at them."""

from __future__ import annotations

from typing import Any

import pytest

from regalia import CHANCE, GAMES, IllegalAction, Match, MatchOver, NotationError, NotYourTurn
from regalia.core.match import Outcome
from regalia.games.rose_king.components import CARD_NAMES

clause = pytest.mark.clause
pytestmark = pytest.mark.plain
EMPTY = ["........."] * 9
HELD = {"N1", "N2", "N3", "NE1", "S1", "S2", "S3", "SW1", "SW2", "W3"}


def at(
    board: list[str] | None = None,
    crown: str = "e5",
    red: str = "N1 N2 N3 NE1 NE2",
    white: str = "S1 S2 S3 SW1 SW2",
    discards: str = "",
    **changes: Any,
) -> Match:
    """A match from a drawn board; what is in no hand and not discarded is in the pile."""
    hands = [red.split(), white.split()]
    thrown = discards.split()
    position = {
        "phase": "turn",
        "turn": 0,
        "board": board or EMPTY,
        "crown": crown,
        "hands": hands,
        "heroes": [4, 4],
        "pile": [card for card in CARD_NAMES if card not in (*hands[0], *hands[1], *thrown)],
        "discards": thrown,
        "reason": "running",
        **changes,
    }
    return Match.from_position("rose_king", position, chance="manual")


def row(number: int, text: str, board: list[str] | None = None) -> list[str]:
    rows = list(board or EMPTY)
    rows[9 - number] = text
    return rows


def beside(sign: str) -> list[str]:
    """The crown on a red stone on e5, and a stone north of it."""
    return row(6, f"....{sign}....", row(5, "....r...."))


def refusal(match: Match, text: str) -> str:
    seat = match.actors[0]
    with pytest.raises(IllegalAction) as caught:
        match.play(seat, text)
    assert caught.value.clause is not None
    return caught.value.clause


def dealt() -> Match:
    return Match.new("rose_king", seed=1)


@clause("RK-1", "RK-2")
def test_the_board_is_nine_by_nine_and_the_crown_starts_on_e5_where_no_stone_lies() -> None:
    view = dealt().view()
    assert (view["crown"], view["board"]) == ("e5", EMPTY)
    assert view["targets"]["N1"] == "e6"
    assert view["targets"]["E1"] == "f5"


@clause("RK-2")
def test_e5_is_an_ordinary_empty_field() -> None:
    match = at(row(6, "....r...."), crown="e6", red="S1 N2 N3 NE1 NE2", white="S2 S3 SW1 SW2 W1")
    match.play(0, "S1")
    assert match.view()["board"][4] == "....r...."


@clause("RK-3")
def test_there_are_24_different_cards_of_eight_directions_and_three_distances() -> None:
    view = dealt().view()
    cards = view["pile"] + view["hands"][0] + view["hands"][1]
    assert sorted(cards) == sorted(CARD_NAMES)
    assert len(set(CARD_NAMES)) == 24


@clause("RK-3")
def test_directions_are_the_boards_for_white_too() -> None:
    match = at(turn=1)
    match.play(1, "S1")
    assert match.view()["crown"] == "e4"


@clause("RK-4", "RK-5")
def test_there_are_52_stones_in_one_supply_and_four_heroes_each() -> None:
    view = dealt().view()
    assert (view["supply"], view["heroes"]) == (52, [4, 4])


@clause("RK-6")
def test_each_player_is_dealt_five_open_cards_red_first_in_turn() -> None:
    match = Match.new("rose_king", chance="manual")
    for card in CARD_NAMES[:10]:
        assert match.actors == (CHANCE,)
        match.play(CHANCE, card)
    view = match.view()
    assert view["hands"] == [CARD_NAMES[0:10:2], CARD_NAMES[1:10:2]]
    assert view["pile"] == CARD_NAMES[10:]
    assert match.actors == (0,)
    assert match.records[0].outcomes == tuple(CARD_NAMES[:10])


@clause("RK-6")
def test_a_card_cannot_be_dealt_twice() -> None:
    match = Match.new("rose_king", chance="manual")
    match.play(CHANCE, "N1")
    with pytest.raises(NotationError):
        match.play(CHANCE, "N1")


@clause("RK-10")
def test_a_turn_is_a_card_a_draw_or_a_hero_with_a_card() -> None:
    match = at(beside("w"), red="N1 N2 NE1 NE2", discards="N3")
    assert match.actions(0) == ["N2", "NE1", "NE2", "N1*", "draw"]


@clause("RK-10")
def test_with_five_cards_and_only_hero_moves_open_a_hero_must_be_played() -> None:
    match = at(row(9, "...ww...."), crown="e9", red="W1 NW1 N1 NE1 N2")
    assert match.actions(0) == ["W1*"]


@clause("RK-10")
def test_the_other_player_is_refused() -> None:
    with pytest.raises(NotYourTurn) as caught:
        at().play(1, "S1")
    assert caught.value.clause == "RK-10"


@clause("RK-11")
def test_a_player_who_can_do_nothing_is_skipped_until_he_can_act_again() -> None:
    match = at(row(8, "....r...."), crown="e8", red="N1 S1 S2 W1 E2", white="N2 N3 NE2 NE3 NW2")
    match.play(0, "N1")
    assert match.actors == (0,)
    match.play(0, "draw")
    match.play(CHANCE, "E1")
    assert match.actors == (0,)
    match.play(0, "S2")
    assert match.actors == (1,)


@clause("RK-20", "RK-X2")
def test_the_crown_moves_exactly_the_cards_distance_in_its_direction() -> None:
    match = at()
    match.play(0, "NE2")
    assert match.view()["crown"] == "g7"


@clause("RK-21")
def test_the_crown_may_not_leave_the_board() -> None:
    match = at(row(8, "....w...."), crown="e8")
    assert refusal(match, "N2") == "RK-21"
    assert refusal(match, "N2*") == "RK-21"


@clause("RK-22")
def test_the_target_must_hold_no_stone_of_either_colour() -> None:
    assert refusal(at(beside("w")), "N1") == "RK-22"
    assert refusal(at(beside("r")), "N1") == "RK-22"


@clause("RK-23")
def test_stones_in_between_do_not_block() -> None:
    match = at(beside("w"))
    match.play(0, "N2")
    assert match.view()["crown"] == "e7"


@clause("RK-24")
def test_a_stone_is_laid_own_colour_up_and_the_card_is_discarded() -> None:
    match = at()
    match.play(0, "N1")
    view = match.view()
    assert (view["board"][3], view["crown"], view["supply"]) == ("....r....", "e6", 51)
    assert view["discards"] == ["N1"]
    assert "N1" not in view["hands"][0]
    match.play(1, "S3")
    assert match.view()["board"][6] == "....w...."


@clause("RK-25")
def test_a_card_must_be_in_the_own_hand() -> None:
    assert refusal(at(), "S1") == "RK-25"
    assert refusal(at(), "W1") == "RK-25"
    assert refusal(at(), "W1*") == "RK-25"


@clause("RK-30")
def test_with_five_cards_drawing_is_not_allowed() -> None:
    assert refusal(at(), "draw") == "RK-30"
    assert "draw" not in at().actions(0)
    assert "draw" in at(red="N1 N2 N3 NE1").actions(0)


@clause("RK-31")
def test_the_drawn_card_lies_open_for_both() -> None:
    match = at(red="N1")
    match.play(0, "draw")
    match.play(CHANCE, "W3")
    assert match.view(1)["hands"][0] == ["N1", "W3"]
    assert match.records[-1].outcomes == ("W3",)


@clause("RK-32")
def test_the_last_card_of_the_pile_brings_a_new_pile_from_the_discards_at_once() -> None:
    discards = " ".join(set(CARD_NAMES) - HELD)
    match = at(red="N1 N2 N3 NE1", discards=discards)
    match.play(0, "draw")
    assert match.actions(CHANCE) == ["W3"]
    match.play(CHANCE, "W3")
    view = match.view()
    assert view["discards"] == []
    assert view["pile"] == [card for card in CARD_NAMES if card in discards.split()]
    assert len(view["pile"]) == 14


@clause("RK-40", "RK-42")
def test_a_hero_flips_an_opponents_stone() -> None:
    match = at(beside("w"))
    match.play(0, "N1*")
    view = match.view()
    assert (view["board"][3], view["crown"]) == ("....r....", "e6")
    assert (view["heroes"], view["supply"]) == ([3, 4], 50)
    assert view["discards"] == ["N1"]


@clause("RK-41")
def test_a_hero_cannot_be_used_on_an_empty_field_or_an_own_stone() -> None:
    assert refusal(at(), "N1*") == "RK-41"
    assert refusal(at(beside("r")), "N1*") == "RK-41"


@clause("RK-41")
def test_a_hero_goes_over_stones_in_between_but_not_over_the_edge() -> None:
    match = at(row(6, "....w....", row(7, "....w....", row(5, "....r...."))))
    match.play(0, "N2*")
    assert match.view()["crown"] == "e7"
    assert refusal(at(row(8, "....w...."), crown="e8"), "N3*") == "RK-21"


@clause("RK-42")
def test_heroes_run_out() -> None:
    match = at(beside("w"), heroes=[0, 4])
    assert match.actions(0) == ["N2", "N3", "NE1", "NE2"]
    assert refusal(match, "N1*") == "RK-42"


FULL = ["rrrrrrrrr"] * 2 + ["wwwwwwwww"] * 3 + ["rrrrrr..."] + ["........."] * 3


@clause("RK-50")
def test_the_game_ends_at_once_with_the_52nd_stone() -> None:
    assert sum(line.count("r") + line.count("w") for line in FULL) == 51
    match = at(FULL, crown="f4", red="E1 N1 N2 N3 NE1", white="S1 S2 S3 SW1 SW2")
    match.play(0, "E1")
    assert match.outcome == Outcome(ranks=(2, 1), points=(18**2 + 7**2, 27**2), reason="stones")
    with pytest.raises(MatchOver) as caught:
        match.play(1, "S1")
    assert caught.value.clause == "RK-50"


@clause("RK-51")
def test_the_game_ends_at_once_when_neither_player_can_act() -> None:
    match = at(row(9, "...r.r..."), crown="d9", red="E1 N1 N2 N3 NE1", white="NW1 NW2 NW3 NE2 NE3")
    match.play(0, "E1")
    assert match.outcome is None
    assert match.actors == (0,)
    match.play(0, "draw")
    match.play(CHANCE, "W1")
    assert match.outcome == Outcome(ranks=(1, 2), points=(9, 0), reason="blocked")
    with pytest.raises(MatchOver) as caught:
        match.play(0, "W1")
    assert caught.value.clause == "RK-51"


@clause("RK-60")
def test_regions_are_joined_by_sides_not_by_corners() -> None:
    match = at(
        row(1, "rr.......", row(2, "..r......", row(3, "..r......"))), crown="a1", red="N1 N2 N3 NE2 NE3"
    )
    regions = [region["cells"] for region in match.view()["regions"]]
    assert regions == [["a1", "b1"], ["c2", "c3"]]


@clause("RK-61", "RK-X1")
def test_a_region_scores_the_square_of_its_fields() -> None:
    board = [
        "wwww.rr..",
        "wwww.....",
        ".....rr..",
        "ww.......",
        ".........",
        ".r..w....",
        ".........",
        "rrrrr....",
        ".........",
    ]
    match = at(board, crown="a2")
    assert match.view()["scores"] == [25 + 4 + 4 + 1, 64 + 4 + 1]
    assert match.view()["scores"] == [34, 69]


def over(board: list[str]) -> Outcome:
    """The reckoning of a blocked final position: the crown stands in the north-west corner on a stone."""
    match = at(board, crown="a9", white="NW1 NW2 NW3 W1 W2", phase="over", reason="blocked")
    assert match.outcome is not None
    return match.outcome


@clause("RK-62")
def test_the_higher_score_wins() -> None:
    assert over(["r.ww.....", *EMPTY[1:]]) == Outcome((2, 1), (1, 4), "blocked")


@clause("RK-62")
def test_a_tie_goes_to_the_larger_largest_region() -> None:
    red = [
        "rr..ww...",
        "rr.......",
        "....ww...",
        ".........",
        "....ww...",
        ".........",
        "....ww...",
        *EMPTY[7:],
    ]
    assert over(red) == Outcome((1, 2), (16, 16), "blocked")
    white = [line.translate(str.maketrans("rw", "wr")) for line in red]
    assert over(white) == Outcome((2, 1), (16, 16), "blocked")


@clause("RK-62")
def test_then_to_more_stones_on_the_board() -> None:
    three = ["rrr..www.", ".........", "rr...w.w.", ".........", ".....w.w.", *EMPTY[5:]]
    assert over(three) == Outcome((2, 1), (13, 13), "blocked")


@clause("RK-63")
def test_still_tied_is_a_draw() -> None:
    assert over(["rr..ww...", *EMPTY[1:]]) == Outcome((1, 1), (4, 4), "blocked")


@clause("RK-22", "RK-41")
def test_notation_tells_a_hero_from_a_plain_card_and_takes_any_case() -> None:
    match = at(beside("w"))
    assert refusal(match, "n1") == "RK-22"
    assert refusal(match, "ne2 *") == "RK-41"
    match.play(0, " n1* ")
    assert match.records[-1].action == "N1*"
    with pytest.raises(NotationError, match="N4"):
        at().play(0, "N4")


def test_a_preview_shows_the_score_without_changing_anything() -> None:
    match = at(row(7, "....r....", row(5, "....r....")))
    before = match.state_bytes()
    assert match.preview(0, "N1")["scores"] == [9, 0]
    assert match.state_bytes() == before


@pytest.mark.parametrize(
    "changes, why",
    [
        ({"board": ["rrrrrrrrr"] * 5 + ["rrrrrrrr."] + EMPTY[:3], "crown": "a9"}, "53 > 52"),
        ({"board": ["........x", *EMPTY[1:]]}, "board"),
        ({"board": EMPTY[:8]}, "board"),
        ({"crown": "j1"}, "crown"),
        ({"board": row(1, "r........")}, "RK-24"),
        ({"heroes": [5, 4]}, "heroes"),
        ({"hands": [["N1", "N1"], []]}, "2 x N1"),
        ({"pile": []}, "0 x"),
        ({"hands": [["N9"], []]}, "N9"),
        ({"turn": 2}, "turn"),
        ({"reason": "stones"}, "stones"),
        ({"phase": "draw"}, "RK-30"),
        ({"phase": "deal"}, "RK-6"),
        ({"phase": "noon"}, "phase"),
        ({"surplus": 1}, "surplus"),
    ],
)
def test_a_position_that_cannot_exist_is_refused_and_says_why(changes: dict[str, Any], why: str) -> None:
    with pytest.raises(NotationError, match=why):
        at(**changes)


def test_more_impossible_positions() -> None:
    with pytest.raises(NotationError, match="RK-30"):
        at(red="N1 N2 N3 NE1 NE2 NE3")
    pile = [card for card in CARD_NAMES if card != "N1"]
    dealing: dict[str, Any] = {"phase": "deal", "hands": [[], ["N1"]], "pile": pile, "turn": 1}
    with pytest.raises(NotationError, match="RK-6"):
        at(**dealing)
    with pytest.raises(NotationError, match="RK-32"):
        at(discards=" ".join(set(CARD_NAMES) - (HELD - {"W3"}) - {"NE2"}))
    with pytest.raises(NotationError, match="RK-11"):
        at(row(9, "....r...."), crown="e9")


def perft_by_hand(match: Match, depth: int) -> int:
    """The same count through the gate, one match after the other."""
    if depth == 0 or not match.actors:
        return depth == 0
    total = 0
    for text in match.actions(match.actors[0]):
        after = match.copy()
        after.play(match.actors[0], text)
        total += perft_by_hand(after, depth - 1)
    return total


# docs/perft.md publishes these.
PERFT = [1, 5, 25, 105, 670, 3638, 19864, 89743, 429530]


def test_published_perft_counts() -> None:
    """Sequences of steps: from the very start (the deal), and from the position of `at()`."""
    engine = GAMES["rose_king"].engine
    start = engine.start(2, {})
    assert [engine.perft(start, depth) for depth in range(4)] == [1, 24, 24 * 23, 24 * 23 * 22]
    match = at()
    states = engine.layout.load(match.state_bytes())
    depths = len(PERFT) if engine.is_compiled else 5
    assert [engine.perft(states, depth) for depth in range(depths)] == PERFT[:depths]
    assert [perft_by_hand(match, depth) for depth in range(4)] == PERFT[:4]
