"""The clauses of the probe, shown one by one."""

from __future__ import annotations

import pytest

from driving import finished
from probe import GAME
from regalia import CHANCE, IllegalAction, Match, MatchOver, NotationError, NotYourTurn, Outcome

clause = pytest.mark.clause
pytestmark = pytest.mark.plain
DEAL = "c1 c2 c1 c3 c2 c2 c3 c3"


def dealt(**options: str) -> Match:
    match = Match.new(GAME, chance="manual", options=options)
    match.play(CHANCE, DEAL)
    return match


def led(stakes: str = "2 3 2 3", dice: str = "4 4 6", **options: str) -> Match:
    """Stakes of the four seats, and the leader's dice."""
    match = dealt(**options)
    for seat, value in enumerate(stakes.split()):
        match.play(seat, f"stake {value}")
    match.play(CHANCE, dice)
    return match


def refusal(match: Match, seat: int, text: str) -> str | None:
    with pytest.raises(IllegalAction) as caught:
        match.play(seat, text)
    return caught.value.clause


@clause("PB-1")
def test_each_seat_is_dealt_two_cards_that_only_it_sees() -> None:
    match = dealt()
    assert match.view(0)["hands"] == [[1, 1, 0], *[[None] * 3] * 3]
    assert match.view(1)["hands"][1] == [1, 0, 1]
    assert match.view(None)["deck"] == [None] * 3
    assert match.view(2)["cards"] == [2, 2, 2, 2]
    assert match.transcript(1).split("\n")[5] == "0 / ? ? c1 c3 ? ? ? ?"


@clause("PB-2")
def test_all_stake_at_once_in_any_order_and_nobody_sees_it_before_all_have() -> None:
    match = dealt()
    assert list(match.actors) == [0, 1, 2, 3]
    match.play(2, "stake 2")
    match.play(0, "stake 1")
    assert list(match.actors) == [1, 3]
    assert match.view(1)["chosen"] == [True, False, True, False]
    assert match.view(1)["stakes"] == [None, 0, None, None]
    assert match.view(0)["stakes"][0] == 1
    assert match.view(1)["cards"] == [2, 2, 2, 2]
    assert [record.seen_by(1).action for record in match.records[1:]] == ["?", "?"]
    with pytest.raises(NotYourTurn):
        match.play(0, "stake 2")
    with pytest.raises(IllegalAction):
        match.undo(0)


@clause("PB-2")
def test_revealed_stakes_are_told_in_the_order_of_seats() -> None:
    match = dealt()
    for seat, text in ((3, "stake 3"), (1, "stake 1"), (0, "stake 2"), (2, "stake 2")):
        match.play(seat, text)
    match.play(CHANCE, "1 2 3")
    assert [record.seat for record in match.records[1:]] == [0, 1, 2, 3]
    assert match.records[-1].outcomes == ("1", "2", "3")
    assert [entry.seat for entry in match.log[1:] if hasattr(entry, "seat")] == [3, 1, 0, 2]
    assert Match.replay(match.transcript()).state_bytes() == match.state_bytes()


@clause("PB-3")
def test_only_a_held_card_can_be_staked() -> None:
    assert refusal(dealt(), 0, "stake 3") == "PB-3"
    assert refusal(dealt(), 0, "mark 3") == "PB-2"


@clause("PB-4")
def test_the_stronger_team_leads_and_an_equal_sum_is_for_seat_0() -> None:
    assert led("2 3 2 3").actors == (1,)
    assert led("2 1 2 3").actors == (0,)
    assert led("1 1 2 3").actors == (1,)
    with pytest.raises(NotYourTurn) as caught:
        led().play(0, "end")
    assert caught.value.clause == "PB-4"


@clause("PB-5")
def test_some_of_the_dice_can_be_rolled_again_once() -> None:
    match = led()
    assert sorted(match.actions(1, "reroll")) == [
        "reroll 4",
        "reroll 4 4",
        "reroll 4 4 6",
        "reroll 4 6",
        "reroll 6",
    ]
    match.play(1, "REROLL 6 4")
    assert match.records[-1].action == "reroll 4 6"
    assert match.actors == (CHANCE,)
    match.play(CHANCE, "1 1")
    assert match.view()["dice"] == [2, 0, 0, 1, 0, 0]
    assert refusal(match, 1, "reroll 1") == "PB-5"
    assert refusal(led(), 1, "reroll 5") == "PB-5"
    assert refusal(led(), 1, "stake 1") == "PB-2"


@clause("PB-6")
def test_two_faces_can_be_marked_and_taken_back_one_by_one() -> None:
    match = led()
    match.play(1, "mark 4")
    match.play(1, "mark 6")
    assert match.view()["points"] == [0, 3]
    assert refusal(match, 1, "mark 4") == "PB-6"
    assert match.actions(1) == ["end"]
    ply = match.ply
    match.undo(1)
    match.undo(1)
    assert (match.ply, match.view()["points"]) == (ply - 2, [0, 0])
    with pytest.raises(IllegalAction):
        match.undo(1)


@clause("PB-7")
def test_after_a_mark_nothing_is_rolled_again() -> None:
    match = led()
    match.play(1, "mark 6")
    assert refusal(match, 1, "reroll 4") == "PB-7"


@clause("PB-8")
def test_a_face_that_no_die_shows_cannot_be_marked() -> None:
    assert refusal(led(), 1, "mark 5") == "PB-8"


@clause("PB-9")
def test_after_the_first_turn_each_seat_is_dealt_a_card() -> None:
    match = led()
    match.play(1, "end")
    match.play(CHANCE, "c1 c2 c1 c3")
    assert match.view()["cards"] == [2, 2, 2, 2]
    assert match.actors == (0, 1, 2, 3)


@clause("PB-10")
def test_a_team_that_reaches_the_target_wins_together() -> None:
    match = led(dice="4 4 4", target="3")
    match.play(1, "mark 4")
    match.play(1, "end")
    assert match.outcome == Outcome((2, 1, 2, 1), (0, 3, 0, 3), "target")
    with pytest.raises(MatchOver) as caught:
        match.play(1, "end")
    assert caught.value.clause == "PB-10"
    match.undo(1)
    assert match.outcome is None


@clause("PB-10")
def test_three_rounds_are_the_most() -> None:
    reasons = {finished(GAME, 4, seed).view()["rounds"] for seed in range(20)}
    assert max(reasons) == 3


@pytest.mark.parametrize(
    "text", ["stake", "stake 4", "stake 1 1", "mark", "reroll", "reroll 7", "reroll 1 1 1 1", "end 1"]
)
def test_what_cannot_be_read_says_so(text: str) -> None:
    with pytest.raises(NotationError):
        led().play(1, text)


def test_impossible_positions_are_refused() -> None:
    position = dealt().position()
    for wrong in ({"deck": [4, 4, 4]}, {"cards": [1, 2, 2, 2]}, {"stakes": [1, 0, 0, 0]}):
        with pytest.raises(NotationError):
            Match.from_position(GAME, {**position, **wrong})


def test_dice_can_be_rolled_at_the_table_while_cards_are_dealt_by_the_program() -> None:
    match = Match.new(GAME, seed=3, chance="dice")
    for seat in range(4):
        match.play(seat, match.actions(seat)[0])
    assert match.actors == (CHANCE,)
    with pytest.raises(NotationError):
        match.play(CHANCE, "7")
    with pytest.raises(NotationError):
        match.play(CHANCE, "1 2 3 4")
    assert match.records[-1].outcomes == ()
    match.play(CHANCE, "1 2 3")
    assert match.actors in ((0,), (1,))
    match.play(match.actors[0], "end")
    assert len(match.records[-1].outcomes) == 4
