"""The King and the final round, clause by clause."""

from __future__ import annotations

from typing import Any

import pytest

from games.court_the_king.table import Match, dice, play, takes, turn
from regalia import IllegalAction, MatchOver, NotYourTurn

SEVEN = "general charlatan charlatan"  # brings seven dice


def refused(match: Match, text: str) -> str | None:
    with pytest.raises(IllegalAction) as caught:
        match.play(match.actors[0], text)
    return caught.value.clause


def final(courts: list[str], **more: Any) -> Match:
    """The first moment of a turn in the final round, four seats unless told otherwise; who may own king and queen."""
    own, *others = courts
    return turn(own, courts=others, **{"final": "king", "phase": "final", **more})


def finish_turn(match: Match, faces: str) -> Match:
    """Rolls, and keeps everything."""
    return play(match, "roll", faces, f"keep {faces}")


@pytest.mark.plain
@pytest.mark.clause("CK-70")
def test_seven_of_a_kind_bring_the_king_and_the_queen() -> None:
    match = turn(SEVEN, aside="2 2 2 2 2 2 2", courts=["", ""])
    assert {"king", "knight", "none"} <= takes(match)
    assert play(match.copy(), "take knight").view()["display"]["king"] == 1
    play(match, "take king")
    assert {"king", "queen"} <= set(match.position()["characters"][0])
    assert (match.view()["display"]["king"], match.view()["display"]["queen"]) == (0, 0)
    assert match.position()["best"] == {"seat": 0, "count": 7, "face": 2}


@pytest.mark.clause("CK-71")
def test_the_round_is_finished_but_nobody_else_can_take_the_king() -> None:
    match = turn(SEVEN, aside="2 2 2 2 2 2 2", courts=["general charlatan farmer", ""])
    play(match, "take king", "roll", "6 6 6 6 6 6 6", "keep 6 6 6 6 6 6 6")
    assert refused(match, "take king") == "CK-71"
    assert "knight" in takes(match)
    play(match, "take knight")
    assert match.position()["best"] == {"seat": 0, "count": 7, "face": 2}  # seven sixes do not count
    assert match.position()["final"] == "none"
    finish_turn(match, "1 2 4")
    assert play(match, "take none").position()["final"] == "king"


@pytest.mark.clause("CK-71", "CK-72")
@pytest.mark.parametrize("taker, order", [(3, [0, 1, 2, 3]), (0, [3, 1, 2, 0]), (1, [3, 0, 2, 1])])
def test_the_owner_of_the_queen_plays_last_in_the_final_round(taker: int, order: list[int]) -> None:
    courts = ["" if seat != taker else SEVEN for seat in range(4)]
    match = turn(
        courts[0],
        courts=courts[1:],
        turn=taker,
        phase="take",
        aside="1 1 1 1 1 1 1",
        in_hand=0,
        duty=False,
    )
    play(match, "take king")
    while match.position()["final"] == "none":
        finish_turn(match, "1 2 4")
        play(match, "take none")
    assert match.view()["order"] == order
    seen = []
    for seat in order[:-1]:
        seen.append(match.actors[0])
        with pytest.raises(NotYourTurn) as caught:
            match.play(order[-1], "roll")
        assert caught.value.clause == "CK-72"
        play(match, "roll", "6 6 6", "keep 6 6 6") if seat else play(match, "pass")
    assert seen == order[:-1]
    assert match.outcome is not None
    assert match.outcome.reason == "king"


@pytest.mark.clause("CK-72")
def test_two_seats_the_other_then_the_queens_owner() -> None:
    match = turn(SEVEN, aside="1 1 1 1 1 1 1", turn=0, starter=1)
    play(match, "take king")
    assert match.view()["order"] == [1, 0]
    assert match.actors == (1,)


@pytest.mark.plain
@pytest.mark.clause("CK-73")
def test_in_the_final_round_nothing_is_taken_and_a_first_action_may_be_to_pass() -> None:
    best = {"seat": 3, "count": 7, "face": 2}
    match = final(["laborer", "", "", f"{SEVEN} queen king"], best=best, starter=0)
    assert match.actions(0) == ["roll", "pass", "use laborer"]
    used = play(match.copy(), "use laborer")
    assert refused(used, "pass") == "CK-73"
    assert refused(match, "take king") == "CK-73"
    assert refused(turn("", "1 2 3"), "pass") == "CK-73"
    play(match, "pass")
    assert match.actors == (1,)
    play(match, "roll", "3 3 4", "keep 3 3 4")
    assert match.actors == (2,)
    assert match.position()["results"] == [None, [3, 3, 4], None, None]
    assert match.position()["characters"][1] == []


@pytest.mark.clause("CK-74", "CK-X7")
def test_more_dice_beat_higher_dice_then_the_face_decides() -> None:
    eight_dice = "general charlatan charlatan charlatan"
    assert turn(eight_dice, aside="6 6 6 6 6 6 6 5", courts=["", ""]).view()["equal"] == {
        "count": 7,
        "face": 6,
    }
    best = {"seat": 2, "count": 7, "face": 6}
    eight = final(["general charlatan farmer laborer", "", "king queen"], best=best)
    play(eight, "use laborer", "roll", "1 1 1 1 1 1 1 1", "keep 1 1 1 1 1 1 1 1")
    assert eight.position()["best"] == {"seat": 0, "count": 8, "face": 1}
    tied = turn("farmer", aside="1 1 4 4")
    assert tied.view()["equal"] == {"count": 2, "face": 4}  # the best over all faces


@pytest.mark.plain
@pytest.mark.clause("CK-74", "CK-75")
def test_who_beats_the_best_takes_the_king_but_not_the_queen_and_an_equal_does_not() -> None:
    best = {"seat": 2, "count": 7, "face": 4}
    equal = final([SEVEN, "", "king queen"], best=best)
    finish_turn(equal, "4 4 4 4 4 4 4")
    assert equal.position()["best"] == best
    higher = final([SEVEN, "", "king queen"], best=best)
    finish_turn(higher, "5 5 5 5 5 5 5")
    assert higher.position()["best"] == {"seat": 0, "count": 7, "face": 5}
    assert "king" in higher.position()["characters"][0]
    assert higher.position()["characters"][2] == ["queen"]


@pytest.mark.plain
@pytest.mark.clause("CK-76", "CK-77")
def test_the_queens_owner_takes_the_king_back_by_equalling() -> None:
    best = {"seat": 1, "count": 7, "face": 4}
    match = final([f"{SEVEN} queen", "king"], best=best, starter=1)
    finish_turn(match.copy(), "4 4 4 4 4 4 3")
    lost = finish_turn(match.copy(), "4 4 4 4 4 4 3")
    assert lost.outcome is not None
    assert (lost.outcome.ranks, lost.outcome.points) == ((2, 1), (0, 1))
    won = finish_turn(match, "4 4 4 4 4 4 4")
    assert won.outcome is not None
    assert (won.outcome.ranks, won.outcome.points, won.outcome.reason) == ((1, 2), (1, 0), "king")
    with pytest.raises(MatchOver) as caught:
        won.play(0, "roll")
    assert caught.value.clause == "CK-77"


@pytest.mark.clause("CK-76")
def test_who_still_holds_the_king_needs_no_turn() -> None:
    match = final(["", f"{SEVEN} queen king"], best={"seat": 1, "count": 7, "face": 4})
    finish_turn(match, "6 6 6")
    assert match.outcome is not None
    assert match.outcome.ranks == (2, 1)
    with pytest.raises(MatchOver) as caught:
        match.play(1, "roll")
    assert caught.value.clause == "CK-76"


@pytest.mark.clause("CK-77")
def test_the_holder_of_the_king_wins_and_the_others_share_second_place() -> None:
    match = final(["", "", "", f"{SEVEN} queen king"], best={"seat": 3, "count": 7, "face": 1})
    play(match, "pass", "pass", "pass")
    assert match.outcome is not None
    assert (match.outcome.ranks, match.outcome.points) == ((2, 2, 2, 1), (0, 0, 0, 1))


def last_of_round_forty() -> Match:
    return turn(aside="1 2 4", courts=["", ""], turn=0, starter=1, round=40)


@pytest.mark.plain
@pytest.mark.clause("CK-78")
def test_after_round_forty_the_best_of_one_more_round_wins() -> None:
    match = play(last_of_round_forty(), "take none")
    assert match.position()["final"] == "rounds"
    assert match.view()["order"] == [0, 1, 2]
    finish_turn(match, "2 2 5")
    assert match.position()["best"] == {"seat": 0, "count": 2, "face": 2}
    assert refused(match, "take fool") == "CK-73"
    finish_turn(match, "2 2 6")  # equal: the first stays best
    finish_turn(match, "1 3 3")
    assert match.outcome is not None
    assert (match.outcome.ranks, match.outcome.points, match.outcome.reason) == (
        (2, 2, 1),
        (0, 0, 1),
        "rounds",
    )
    with pytest.raises(MatchOver) as caught:
        match.play(0, "roll")
    assert caught.value.clause == "CK-78"


@pytest.mark.clause("CK-78")
def test_seven_of_a_kind_take_no_king_after_round_forty() -> None:
    match = turn(SEVEN, courts=[""], round=41, final="rounds", phase="final")
    finish_turn(match, "1 1 1 1 1 1 1")
    assert match.view()["display"]["king"] == 1
    assert match.actors == (1,)
    assert play(match, "pass").outcome == Match.replay(match.transcript()).outcome
    assert match.outcome is not None
    assert match.outcome.reason == "rounds"


@pytest.mark.clause("CK-78")
def test_if_all_pass_after_round_forty_the_victory_is_shared() -> None:
    match = play(last_of_round_forty(), "take none", "pass", "pass", "pass")
    assert match.outcome is not None
    assert (match.outcome.ranks, match.outcome.points) == ((1, 1, 1), (1, 1, 1))
    assert match.outcome.reason == "all_passed"


@pytest.mark.clause("CK-78", "CK-71")
def test_the_king_taken_in_round_forty_brings_the_usual_final_round() -> None:
    match = turn(SEVEN, aside="3 3 3 3 3 3 3", turn=0, starter=1, round=40)
    assert play(match, "take king").position()["final"] == "king"


@pytest.mark.plain
@pytest.mark.clause("CK-X6")
def test_marc_anne_carl_and_herman() -> None:
    """Seats 0 to 3; Marc started, Anne takes the King with seven 2s, and wins him back with eight 4s."""
    anne = "general charlatan guard"  # six dice, and more by the Guard and later the Queen
    carl = "general charlatan laborer hunter"
    herman = "farmer charlatan laborer pawnbroker knight"
    match = turn("charlatan", courts=[anne, carl, herman], turn=1, in_hand=6)
    play(match, "roll", "2 2 2 2 2 2", "use guard", "keep 2 2 2 2 2 2 2", "take king")
    for roll in ("1 2 3 4 5 6", "1 2 3 4 5"):
        finish_turn(match, roll)
        play(match, "take none")
    assert match.view()["order"] == [3, 0, 2, 1]
    play(
        match,
        "use laborer",
        "use pawnbroker",
        "use knight",
        "roll",
        "1 1 1 1 1 1 1 1",
        "keep 1 1 1 1 1 1 1 1",
    )
    assert "king" in match.position()["characters"][3]
    play(match, "pass")  # Marc
    assert match.actors == (2,)  # Anne is passed over
    play(match, "use laborer", "roll", "3 3 3 3 3 3 3", "use hunter", "keep 3 3 3 3 3 3 3 3")
    assert match.position()["best"] == {"seat": 2, "count": 8, "face": 3}
    play(match, "use guard", "roll", "4 4 4 4 4 4 4", "use queen 4")
    assert dice(match)[0] == "4 4 4 4 4 4 4 4"
    play(match, "keep 4 4 4 4 4 4 4 4")
    assert match.outcome is not None
    assert match.outcome.ranks == (2, 1, 2, 2)
