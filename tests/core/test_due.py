"""What people at the table of the boxed game are to type next, and going back into what they typed."""

from __future__ import annotations

import pytest

import probe
from regalia import CHANCE, GAMES, Match
from regalia.core.chance import SECURE, Chance
from regalia.core.due import Due
from regalia.core.errors import NotationError, SetupError
from regalia.core.game import Game

pytestmark = pytest.mark.plain

PROBE = probe.GAME
BOXES = [GAMES[name] for name in GAMES if GAMES[name].by_hand]
HANDS = {0: ["c1", "c2"], 1: ["c2", "c1"], 2: ["c3", "c3"], 3: ["c1", "c2"]}


def dealt() -> Match:
    match = Match.new(PROBE, chance="manual")
    match.play(CHANCE, " ".join(match.arranged(HANDS)))
    return match


def rolled() -> Match:
    """… and all have staked, the dice have fallen, and the leader has marked one."""
    match = dealt()
    for seat, card in enumerate((1, 2, 3, 2)):
        match.play(seat, f"stake {card}")
    match.play(CHANCE, "5 5 2")
    match.play(match.actors[0], "mark 5")
    return match


def test_a_roll_is_as_many_dice_as_fall_together() -> None:
    match = Match.new(PROBE, seed=4, chance="dice")
    assert match.due is None
    for seat in range(4):
        match.play(seat, match.actions(seat)[0])
    assert match.actors == (CHANCE,)
    leader = match.view()["leader"]
    assert match.due == Due("roll", leader, 3, {str(face): 3 for face in range(1, 7)})
    match.play(CHANCE, "5 5 2")
    assert match.due is None


def test_of_a_secret_deal_each_seat_has_a_share() -> None:
    due = Match.new(PROBE, chance="manual").due
    assert due == Due("deal", None, 8, shares={0: 2, 1: 2, 2: 2, 3: 2})


def test_what_each_says_it_got_makes_a_deal_in_its_order() -> None:
    match = dealt()
    assert match.records[0].outcomes == ("c1", "c2", "c1", "c2", "c3", "c3", "c1", "c2")
    assert match.view(2)["hands"][2] == [0, 0, 2]
    assert match.transcript(0).splitlines()[5].startswith("0 / c1 c2 ? ? ? ? ? ?")


@pytest.mark.parametrize(
    "hands",
    [
        {**HANDS, 3: ["c3", "c3", "c1"]},  # one too many
        {**HANDS, 3: ["c1"]},  # one too few
        {seat: ["c3", "c3"] for seat in range(4)},  # more than there are
    ],
)
def test_hands_that_cannot_have_been_dealt_are_miscounted(hands: dict[int, list[str]]) -> None:
    with pytest.raises(NotationError, match="miscounted"):
        Match.new(PROBE, chance="manual").arranged(hands)


def test_a_seat_knows_how_many_of_each_it_could_get() -> None:
    assert dealt().could_get(2) == {"c1": 4, "c2": 4, "c3": 2}


def test_a_source_and_what_is_by_hand_go_together() -> None:
    match = Match.new(PROBE, chance=Chance(SECURE, "dice"))
    assert match.due is None
    assert len(match.records[0].outcomes) == 8


def test_outcomes_are_taken_as_they_were() -> None:
    match = Match.new(PROBE, chance="manual")
    match.append_outcomes(["c1"])
    assert match.due is not None
    assert match.due.count == 7
    with pytest.raises(NotationError):
        match.append_outcomes(["c9"])


def test_a_record_is_reopened_and_typed_rightly() -> None:
    right = rolled()
    wrong = dealt()
    for seat, card in enumerate((1, 2, 3, 2)):
        wrong.play(seat, f"stake {card}")
    wrong.play(CHANCE, "4 4 4")
    wrong.play(wrong.actors[0], "mark 4")
    wrong.reopen(4, 0)
    assert wrong.due == Due("roll", 0, 3, {str(face): 3 for face in range(1, 7)})
    wrong.play(CHANCE, "5 5 2")
    wrong.play(wrong.actors[0], "mark 5")
    assert wrong.transcript() == right.transcript()
    assert wrong.state_bytes() == right.state_bytes()
    assert len(wrong.log) > len(right.log)


def test_the_set_up_is_reopened_as_well() -> None:
    match = rolled()
    match.reopen(0, 4)
    assert match.records[0].outcomes == ("c1", "c2", "c1", "c2")
    assert match.due == Due("deal", None, 4, shares={0: 0, 1: 0, 2: 2, 3: 2})
    match.play(CHANCE, "c3 c3 c1 c2")
    assert match.transcript() == dealt().transcript()


def test_only_what_is_there_is_reopened() -> None:
    with pytest.raises(SetupError):
        dealt().reopen(1, 0)


@pytest.mark.parametrize("game", BOXES, ids=lambda game: game.id)
def test_everything_a_box_asks_for_can_be_typed_to_the_end(game: Game) -> None:
    """What is due can be typed as it is told, by whoever rolls, until the match is over or long."""
    for by_hand in game.by_hand:
        drawn = Match.new(game, seed=7)
        match = Match.new(game, seed=7, chance=by_hand)
        for _ in range(150):
            due = match.due
            if due is not None:
                assert due.seat is None or due.seat < match.seats
                if due.shares:
                    hands = deal_evenly(match, due)
                    match.play(CHANCE, " ".join(match.arranged(hands)))
                    continue
                texts = [text for k in range(due.count) for text, most in due.most.items() if k < most]
                match.play(CHANCE, " ".join(texts[: due.count]))
            elif match.is_over:
                break
            else:
                seat = match.actors[0]
                match.play(seat, match.actions(seat)[match.ply % len(match.actions(seat))])
        assert drawn.due is None


def deal_evenly(match: Match, due: Due) -> dict[int, list[str]]:
    """Hands out of what the match itself would draw."""
    world = match.copy()
    texts = []
    for _ in range(due.count):
        texts.append(world.actions(CHANCE)[0])
        world.play(CHANCE, texts[-1])
    receivers = world.records[-1].receivers[-due.count :]
    return {
        seat: [text for text, to in zip(texts, receivers, strict=True) if to == seat] for seat in due.shares
    }


def test_at_first_every_card_of_long_live_the_king_is_known_and_none_could_be_dealt() -> None:
    assert Match.new("long_live_the_king", 3, seed=1).could_get(0) == {"x1": 0, "x2": 0, "x3": 0}
