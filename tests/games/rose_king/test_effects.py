"""What the records of The Rose King tell."""

from __future__ import annotations

import pytest

from games.rose_king.test_rules import at, row
from regalia import CHANCE, Match
from regalia.games.rose_king.effects import (
    CardDrawn,
    CrownMoved,
    RegionsJoined,
    Scored,
    StoneLaid,
    StoneTurned,
)

pytestmark = pytest.mark.plain


def test_the_set_up_tells_whose_hand_each_card_came_into() -> None:
    match = Match.new("rose_king", seed=4)
    dealt = match.effects(0)
    assert dealt[:2] == (
        CardDrawn(0, match.records[0].outcomes[0]),
        CardDrawn(1, match.records[0].outcomes[1]),
    )
    assert len(dealt) == 10


def test_a_card_tells_from_where_to_where_the_crown_went_and_the_stone() -> None:
    match = at()
    match.play(0, "NE2")
    assert match.effects(1) == (CrownMoved(0, "NE2", "e5", "g7"), StoneLaid(0, "g7"), Scored([1, 0]))


def test_a_hero_turns_a_stone() -> None:
    match = at(row(6, "....w....", row(5, "....r....")))
    match.play(0, "N1*")
    assert match.effects(1) == (CrownMoved(0, "N1", "e5", "e6"), StoneTurned(0, "e6"), Scored([4, 0]))


def test_a_stone_between_regions_joins_them() -> None:
    match = at(row(6, "...r.r...", row(5, "....r....")))
    match.play(0, "N1")
    assert match.effects(1)[2:] == (RegionsJoined(0, 3, ["e5", "d6", "e6", "f6"]), Scored([16, 0]))


def test_a_draw_tells_the_card_once_it_is_turned_up() -> None:
    match = at(red="N1 N2")
    match.play(0, "draw")
    assert match.effects(1) == ()
    match.play(CHANCE, "W1")
    assert match.effects(1) == (CardDrawn(0, "W1"),)
