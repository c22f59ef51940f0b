"""What the records of Carolus Magnus tell."""

from __future__ import annotations

import pytest

from games.carolus_magnus.table import counter_attack, play, table
from regalia import CHANCE, Match
from regalia.games.carolus_magnus.effects import (
    CastlesBuilt,
    ControlGained,
    CourtsReduced,
    DieRolled,
    DiscLaid,
    EmperorArrived,
    EmperorMoved,
    KnightLaidOut,
    KnightPlaced,
    KnightTaken,
    KnightToCourt,
    PlacesMerged,
    Scored,
    StartDrawn,
)

pytestmark = pytest.mark.plain


def test_the_set_up_tells_knights_emperor_dice_and_who_begins() -> None:
    match = Match.new("carolus_magnus", seats=2, seed=3)
    while match.phase != "disc":
        match.play(match.actors[0], match.actions(match.actors[0])[0])
    told = [effect for ply in range(match.ply) for effect in match.effects(ply)]
    assert [effect.province for effect in told[:15] if isinstance(effect, KnightLaidOut)] == [*range(1, 16)]
    assert told[15] == EmperorArrived(match.view()["emperor"])
    rolled = [effect for effect in told if isinstance(effect, DieRolled)]
    assert [effect.seat for effect in rolled] == [0] * 7 + [1] * 7
    taken = [effect for effect in told if isinstance(effect, KnightTaken)]
    assert len(taken) == sum(effect.face == "crown" for effect in rolled)
    assert told[-1] == StartDrawn(match.view()["order"][0])


def test_a_disc_and_knights_are_told_with_where_they_went() -> None:
    match = table(2, "disc")
    play(match, match.actions(match.actors[0])[0])
    assert match.effects(1) == (DiscLaid(0, 1),)
    match = table(ring={"1-2": "black"}, reserves=["rrr", "rrr"])
    play(match, "red>1", "red>court", "red>court")
    assert match.effects(1) == (KnightPlaced(0, "red", 1, [1, 2]),)
    assert match.effects(2) == (KnightToCourt(0, "red"), ControlGained(0, "red"))
    assert match.effects(3) == (KnightToCourt(0, "red"),)


def test_the_emperors_move_tells_strengths_castles_and_regions() -> None:
    match = counter_attack([4, 3])
    play(match, "yellow>court", "yellow>court", "yellow>4", "move 2")
    assert match.effects(match.ply - 1)[:4] == (
        EmperorMoved(1, 2, 4, [4, 5, 6], {"black": 6, "white": 7}, [3, 4, 5, 6, 7]),
        CastlesBuilt("white", 3, [4, 5, 6], "black"),
        PlacesMerged([3, 7], [3, 4, 5, 6, 7]),
        Scored([side["castles"] for side in match.view()["sides"]]),
    )


def test_courts_that_refill_the_supply_are_told() -> None:
    ring = {str(number): "r" * count for number, count in ((1, 12), (2, 12), (3, 9))}
    match = table(2, "emperor", ring=ring, courts=["rr", "rr"], reserves=["", ""])
    play(match, "move 1")
    match.play(CHANCE, "red")
    assert match.effects(1)[-2:] == (DieRolled(0, "red"), CourtsReduced("red", 2))
