"""The keep trainer: hands of every level, and their odds against a brute force that knows nothing of the solver."""

from __future__ import annotations

from itertools import count

import pytest

from games.court_the_king.brute import Brute
from games.court_the_king.table import turn
from regalia import GAMES, Match, SetupError
from regalia.games.court_the_king.study import trainer
from regalia.locale import LANGUAGES
from regalia.study.trainer import BEST, Hand, checked_level, question, trainer_of, why

GAME = GAMES["court_the_king"]


def dice_of(hand: Hand) -> int:
    position = hand.match.position()
    return len(position["active"]) + len(position["aside"])


def powers_of(hand: Hand) -> list[str]:
    """Ready ones."""
    position = hand.match.position()
    idle = {*position["used"], "farmer", "charlatan", "general", "king"}
    return [name for name in position["characters"][hand.seat] if name not in idle]


@pytest.mark.parametrize("level", trainer.LEVELS)
def test_a_number_is_a_hand_of_its_level(level: str) -> None:
    least, most = trainer.DICE_OF[level]
    for number in range(5):
        hand = trainer.deal(level, number)
        again = trainer.deal(level, number)
        assert (hand.match.state_bytes(), hand.target) == (again.match.state_bytes(), again.target)
        assert least <= dice_of(hand) <= most
        assert (hand.target == BEST) == (level == "final")
        assert trainer.is_quick(hand) == (dice_of(hand) <= 6)
        if level == "powers":
            assert len(powers_of(hand)) >= 2
        rows = trainer.answers(hand)
        assert [row.odds for row in rows] == sorted((row.odds for row in rows), reverse=True)
        assert {row.action for row in rows} <= {*hand.match.actions(hand.seat)}
        assert 0 < rows[0].odds <= 0.97


def small_hands(wanted: int) -> list[Hand]:
    """Of up to four dice, with so few powers that every way to play on can be looked at."""
    found: list[Hand] = []
    for number in count():
        hand = trainer.deal("few", number)
        if len(powers_of(hand)) + dice_of(hand) <= 5:
            found.append(hand)
        if len(found) == wanted:
            return found
    raise AssertionError


def test_odds_of_small_hands_are_those_of_brute_force() -> None:
    powers = 0
    for hand in small_hands(8):
        assert trainer.is_exact(hand)
        position = hand.match.position()
        brute = Brute(hand.target, " ".join(position["characters"][hand.seat]))
        active, aside = tuple(position["active"]), tuple(position["aside"])
        moment = (0, 0, active, aside, True, tuple(sorted(position["used"])))
        for row in trainer.answers(hand):
            assert row.odds == pytest.approx(brute.after(moment, 0, row.action), abs=1e-9), (moment, row)
        powers += len(powers_of(hand))
    assert powers  # some of them had one


def test_a_reason_counts_the_throws() -> None:
    """5 5 2 for three of a kind: with the pair one die is left and 1 of 6 throws fits, else nothing."""
    match = turn(active="5 5 2")
    hand = Hand(match, 0, "guard")
    assert trainer.answers(hand)[0].action == "keep 5 5"
    pair, single = trainer.throws(hand, "keep 5 5"), trainer.throws(hand, "keep 2")
    assert pair is not None
    assert (pair.sure, pair.all, pair.rest) == (1, 6, 0.0)
    assert single is not None
    assert (single.sure, single.all) == (1, 36)
    assert single.rest == pytest.approx(10 / 35 / 6)
    assert trainer.throws(hand, "keep 2 5 5") is None  # nothing is left to roll
    for language in LANGUAGES:
        lines = why(GAME, trainer_of(GAME), hand, "keep 2", language)
        assert ["keep 5 5" in lines[0], "keep 2" in lines[1]] == [True, True]
        assert len(why(GAME, trainer_of(GAME), hand, "keep 5 5", language)) == 1
        assert question(GAME, hand, language)
        assert question(GAME, Hand(match, 0, BEST), language)


def test_a_throw_that_cannot_fail_is_told_as_such() -> None:
    """With a Magician the last die fits whatever falls."""
    hand = Hand(turn("magician", active="5 5 2"), 0, "guard")
    thrown = trainer.throws(hand, "keep 5 5")
    assert thrown is not None
    assert (thrown.sure, thrown.all, thrown.rest) == (6, 6, 0.0)


def test_what_is_not_there_is_one_clear_error() -> None:
    with pytest.raises(SetupError, match="There is no trainer for rose_king"):
        trainer_of(GAMES["rose_king"])
    with pytest.raises(SetupError, match="There is no level hard"):
        checked_level(trainer_of(GAME), "hard")
    assert isinstance(trainer.deal("few", 1).match, Match)
