"""What is hidden, what everyone knows of a hand, and the worlds a seat could believe."""

from __future__ import annotations

import importlib.util
import random
from collections import Counter
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from games.long_live_the_king.table import counts, hand, play, table
from regalia import Match

CARDS = ("x1", "x2", "x3")
UNEQUAL = "0 Tateshale 1, 1 Lundonia 2, 1 Sedberouie 1, 2 Lideforde 2, 3 Man 2"  # an election needs no dice
BOARD = "0 Stadford 1, 1 Wigemor 2, 1 Man 1, 2 Lideforde 2, 2 Sarisberie 1, 3 Lundonia 2, 3 Rouecestre 1"


def worlds(match: Match, seat: int | None, count: int) -> list[Match]:
    return [match.redeal(seat, number) for number in range(count)]


def dealt() -> Match:
    """After an election: three unknown cards (x1, x2, x3), of which seats 0 and 1 hold one each; one is face down."""
    return table(
        4,
        areas=BOARD,
        hands=["12 7 2", "12 8 1", "11 6 0", "11 7 1"],
        known=["12 7 1", "12 7 1", "11 6 0", "11 7 1"],
        pile="1 0 0",
        bonus=[4, 3, 2, 1],
    )


# --- What everyone knows ---


@pytest.mark.plain
def test_before_the_first_deal_every_hand_is_known_and_a_redeal_changes_nothing() -> None:
    match = play(
        table(4, areas=BOARD), "move Tateshale", "move Loncastre x2", "3", "place", "roll x1", "1", "end"
    )
    for seat in (None, 0, 1, 2, 3):
        assert match.view(seat)["known"][0] == counts("11 6 1")
        assert match.view(seat)["unknown"] == [0, 0, 0, 0]
        assert all(world.state_bytes() == match.state_bytes() for world in worlds(match, seat, 5))


@pytest.mark.plain
@pytest.mark.clause("LK-80")
def test_dealt_cards_are_unknown_and_come_from_the_pool() -> None:
    match = play(table(4, areas=UNEQUAL, hands=["1 0 0"]), "place", "roll x1", "1", "end")
    play(match, *["x1"] * 12, *["x2"] * 7, "x3")
    view = match.view(1)
    assert view["known"] == [counts("0 0 0")] + [counts("12 7 1")] * 3
    assert view["unknown"] == [5, 5, 5, 5]
    assert view["pool"] == counts("12 7 1")
    assert view["hands"][0] is None
    assert view["hands"][1] == match.position()["hands"][1]


@pytest.mark.plain
def test_a_card_shown_is_taken_from_the_known_ones_and_else_from_the_pool() -> None:
    match = dealt()
    assert match.view()["unknown"] == [1, 1, 0, 0]
    assert match.view()["pool"] == counts("1 1 1")
    play(match, "move Tateshale", "place", "roll x3", "1")
    assert match.view()["known"][0] == counts("12 7 0")  # the x3 that everyone knew of: nothing is learnt
    assert match.view()["pool"] == counts("1 1 1")
    play(match, "roll x3", "1")
    assert match.view()["known"][0] == counts("12 7 0")
    assert match.view()["unknown"] == [0, 1, 0, 0]
    assert match.view()["pool"] == counts("1 1 0")


@pytest.mark.plain
@pytest.mark.clause("LK-64")
def test_cards_taken_back_are_known() -> None:
    match = play(dealt(), "move Wigemor", "stake x3 x3", "stake x1", "stake x1", "stake x1")
    assert match.view()["known"][0] == counts("12 7 0")
    assert match.view()["unknown"] == [0, 1, 0, 0]
    play(match, "1 6", "1", "1", "1", "banish Man", "end", "reclaim 1")
    assert match.view()["known"][0] == counts("12 7 1")
    assert match.view()["cards"][0] == 20


# --- Worlds ---


@pytest.mark.plain
def test_every_world_a_seat_could_believe_comes_up_equally_often_and_no_other() -> None:
    match = dealt()
    expected = {
        None: Counter(permutations(CARDS)),
        0: Counter(("x3", *rest) for rest in permutations(("x1", "x2"))),
        1: Counter((first, "x2", last) for first, last in permutations(("x1", "x3"))),
        2: Counter(permutations(CARDS)),
    }
    for seat, possible in expected.items():
        found = Counter(places_of_unknown(world) for world in worlds(match, seat, 1200))
        assert found.keys() == possible.keys()
        share = 1200 / len(possible)
        assert all(abs(count - share) < 5 * share**0.5 for count in found.values())


def places_of_unknown(match: Match) -> tuple[str, str, str]:
    """The unknown card of seat 0, of seat 1, and the one face down."""
    position = match.position()
    extra = [Counter(position["hands"][seat]) - Counter(position["known"][seat]) for seat in (0, 1)]
    first, second, third = (next(iter(cards.elements())) for cards in (*extra, Counter(position["pile"])))
    return first, second, third


@pytest.mark.plain
def test_several_unknown_cards_are_dealt_as_from_a_shuffled_pool() -> None:
    """Seat 1 holds two of four unknown cards, x1 x1 x2 x3: six ways, of which one gives two x1."""
    match = table(
        4,
        areas=BOARD,
        hands=["12 7 1", "14 7 1", "10 7 1", "11 5 0"],
        known=["12 7 1", "12 7 1", "10 7 1", "11 5 0"],
        pile="0 1 1",
        bonus=[4, 3, 2, 1],
    )
    found = Counter(hand(world, 1) for world in worlds(match, 2, 1800))
    ways = {"14 7 1": 1, "13 8 1": 2, "13 7 2": 2, "12 8 2": 1}
    assert found.keys() == ways.keys()
    assert all(abs(found[cards] - 300 * ways[cards]) < 5 * (300 * ways[cards]) ** 0.5 for cards in ways)


@pytest.mark.plain
@pytest.mark.clause("LK-51")
def test_a_sealed_stake_of_another_may_be_any_that_the_hand_allows() -> None:
    match = play(
        table(4, areas=BOARD, hands=["12 7 1", "1 1 0"]), "move Wigemor", "1: stake x1", "2: stake x2 x3"
    )
    found = Counter(tuple(world.position()["sealed"][1]) for world in worlds(match, 0, 600))
    assert found.keys() == {("x1",), ("x2",), ("x1", "x2")}
    assert all(130 < count < 270 for count in found.values())
    assert {tuple(world.position()["sealed"][2]) for world in worlds(match, 2, 20)} == {("x2", "x3")}
    for world in worlds(match, 0, 20):
        assert world.position()["sealed"][0] == world.position()["sealed"][3] == []
        assert world.actors == (0, 3)


@pytest.mark.plain
def test_redealt_worlds_agree_with_all_that_is_public_and_are_positions_that_can_exist() -> None:
    rng = random.Random(5)
    looked = 0
    for seed, seats in ((1, 3), (2, 4), (3, 5)):
        match = Match.new("long_live_the_king", seats=seats, seed=seed, options={"dice_by_hand": seed == 2})
        while match.actors and match.position()["elections"] < 3:
            seat = rng.choice(match.actors)
            match.play(seat, rng.choice(match.actions(seat)))
            if rng.random() < 0.02:
                looked += 1
                for seat_or_none in (None, *range(seats)):
                    world = match.redeal(seat_or_none, rng.randrange(1000))
                    again = Match.from_position("long_live_the_king", world.position(), chance="manual")
                    assert again.state_bytes() == world.state_bytes()
                    assert public(world) == public(match)
                    if seat_or_none is not None:
                        assert (
                            world.position()["hands"][seat_or_none] == match.position()["hands"][seat_or_none]
                        )
    assert looked > 5


def public(match: Match) -> dict[str, Any]:
    hidden = ("hands", "sealed", "pile")
    return {key: value for key, value in match.position().items() if key not in hidden}


def test_during_a_deal_only_the_receivers_see_their_cards() -> None:
    match = play(table(4, areas=UNEQUAL, hands=["1 0 0"]), "place", "roll x1", "1", "end", "x3 x1 x2")
    assert match.view(1)["hands"][1] == counts("12 7 2")
    assert match.view(1)["face_down"] == 17
    assert {hand(world, 1) for world in worlds(match, 1, 30)} == {"12 7 2"}
    assert len({hand(world, 2) for world in worlds(match, 1, 30)}) == 2  # the only x3 of the pool is seat 1's
    assert len({hand(world, 1) for world in worlds(match, 2, 60)}) == 3


# --- Leaks ---


@pytest.mark.slow
def test_no_seat_gets_anything_that_depends_on_what_it_cannot_know() -> None:
    """A short run of scripts/leaks.py; the long one has 100,000 triples."""
    path = Path(__file__).parents[3] / "scripts" / "leaks.py"
    spec = importlib.util.spec_from_file_location("leaks", path)
    assert spec is not None
    assert spec.loader is not None
    leaks = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(leaks)
    counts_of_kinds = leaks.run("long_live_the_king", 1500, seed=77, worlds=2)
    assert counts_of_kinds["triples"] >= 1500
    assert counts_of_kinds["after an election"] >= 750
    assert counts_of_kinds["with a stake sealed"] >= 100
