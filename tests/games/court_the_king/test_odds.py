"""The odds of a turn: against sums done by hand, brute force, simulation, and themselves."""

from __future__ import annotations

import json
import random
from fractions import Fraction

import numpy as np
import pytest

from games.court_the_king.brute import Brute
from games.court_the_king.table import CHANCE, Match, faces, play, turn
from regalia import NotationError
from regalia.games.court_the_king.components import NAMES, POWER_OF, Character
from regalia.games.court_the_king.odds import (
    LIMIT,
    action_odds,
    paid_by,
    solve_targets,
    solve_thoroughly,
    turn_odds,
)
from regalia.games.court_the_king.odds.dice_multisets import HANDFULS, handfuls, number_of_faces
from regalia.games.court_the_king.odds.equivalence import find_prospects
from regalia.games.court_the_king.odds.solution import Solution, TurnState
from regalia.games.court_the_king.odds.solver import mark_paid, mark_value


def odds_of(match: Match, target: str, **more: int) -> float:
    rows = {row["target"]: row for row in turn_odds(match, **more)["targets"]}
    odds: float = rows[target]["odds"]
    return odds


def powers_of(own: str) -> list[int]:
    return [POWER_OF[Character[name.upper()]] for name in own.split()]


def start(target: str, dice: int, own: str, thorough: bool = False) -> float:
    """From the start of a turn with any number of dice, without a match."""
    wanted = np.zeros((1, HANDFULS), np.uint8)
    mark_paid(handfuls(), NAMES.index(target), wanted[0])
    powers = powers_of(own)
    moment = TurnState(frozenset(powers), dice, 0, 0, 0, False)
    return Solution(moment, wanted, powers, [], thorough).odds(moment, 0)


# --- Sums done by hand ---


@pytest.mark.plain
def test_three_of_a_kind_with_three_dice_and_no_powers() -> None:
    """Three alike at once, or a pair and a third die (one try), or one die and two others (two tries).

    After a single die is kept, the two others both fit, or one does and the last has one try; if none fits, one that
    does not must be set aside.
    """
    two_left = Fraction(1, 36) + Fraction(10, 36) * Fraction(1, 6)
    at_once, pair, all_different = Fraction(6, 216), Fraction(90, 216), Fraction(120, 216)
    by_hand = at_once + pair * Fraction(1, 6) + all_different * two_left
    assert by_hand == Fraction(269, 1944)
    assert start("guard", 3, "") == pytest.approx(float(by_hand), abs=1e-12)


@pytest.mark.plain
def test_all_dice_odd_is_an_even_chance_with_any_number_of_dice() -> None:
    """With one die it is. With more: all throws but those without an odd die leave fewer to go, at even odds again;
    those that leave none make up for those without an odd die."""
    for dice in (1, 2, 3):
        assert start("maid", dice, "") == pytest.approx(0.5, abs=1e-12)


def test_a_pair_with_three_dice() -> None:
    """At once in 96 of 216 throws. Else keep one die: two others pair with it or each other in 16 of 36 throws, and
    if not, a second is kept and the last die has two faces to hit."""
    by_hand = Fraction(96, 216) + Fraction(120, 216) * (Fraction(16, 36) + Fraction(20, 36) * Fraction(1, 3))
    assert start("farmer", 3, "") == pytest.approx(float(by_hand), abs=1e-12)


def test_one_die_with_a_magician_or_a_fool() -> None:
    assert start("maid", 1, "magician") == pytest.approx(1.0, abs=1e-12)
    assert start("maid", 1, "fool") == pytest.approx(0.75, abs=1e-12)
    assert start("maid", 1, "merchant fool") == pytest.approx(0.875, abs=1e-12)


# --- Brute force ---

SMALL = [
    ("guard", 3, "fool maid"),
    ("guard", 3, "philosopher merchant"),
    ("guard", 3, "astronomer maid"),
    ("farmer", 2, "astronomer lady nobleman"),
    ("laborer", 3, "lady nobleman"),
    ("hunter", 3, "laborer alchemist"),
    ("maid", 3, "queen fool"),
    ("philosopher", 2, "guard knight magician"),
    ("guard", 2, "fool merchant hunter"),
    ("astronomer", 3, "pawnbroker maid"),
    ("merchant", 3, "bishop lady"),
    ("hunter", 3, "astronomer guard"),
]


@pytest.mark.parametrize("target, dice, own", SMALL)
def test_odds_are_those_of_brute_force(target: str, dice: int, own: str) -> None:
    expected = Brute(target, own).start(dice)
    assert start(target, dice, own) == pytest.approx(expected, abs=1e-12)
    assert start(target, dice, own, thorough=True) == pytest.approx(expected, abs=1e-12)


@pytest.mark.plain
@pytest.mark.parametrize(
    "own", ["fool maid", "astronomer lady", "philosopher merchant", "laborer queen", "nobleman magician"]
)
def test_small_odds_are_those_of_brute_force_with_every_power(own: str) -> None:
    assert start("guard", 2, f"hunter {own}") == pytest.approx(
        Brute("guard", f"hunter {own}").start(2), abs=1e-12
    )


@pytest.mark.plain
def test_alchemy_is_that_of_brute_force() -> None:
    assert start("guard", 3, "alchemist") == pytest.approx(Brute("guard", "alchemist").start(3), abs=1e-12)
    assert start("farmer", 2, "alchemist") == pytest.approx(Brute("farmer", "alchemist").start(2), abs=1e-12)


@pytest.mark.parametrize("own", ["fool maid astronomer", "merchant laborer lady"])
def test_the_odds_of_every_action_are_those_of_brute_force(own: str) -> None:
    """At moments of a turn in all kinds of states."""
    brute = Brute("guard", own)
    rng = random.Random(6)
    for _ in range(12):
        match = turn(own)
        for _ in range(rng.randrange(1, 5)):
            if match.actors[0] == CHANCE:
                play(match, rng.choice("123456"))
            elif match.phase == "turn":
                play(match, rng.choice(match.actions(0)))
        if match.phase != "turn":
            continue
        position = match.position()
        moment = (
            position["in_hand"],
            0,
            tuple(position["active"]),
            tuple(position["aside"]),
            position["duty"],
            tuple(sorted(position["used"])),
        )
        result = turn_odds(match, "guard")
        assert {row["action"] for row in result["actions"]} == set(match.actions(0))
        for row in result["actions"]:
            assert row["odds"] == pytest.approx(brute.after(moment, 0, row["action"]), abs=1e-9)
        assert result["actions"][0]["odds"] == pytest.approx(odds_of(match, "guard"), abs=1e-9)


# --- Simulation ---


def test_playing_the_best_action_reaches_the_target_as_often_as_said() -> None:
    turns = 400
    rng = random.Random(1)
    begun = turn("farmer fool maid philosopher")
    said = odds_of(begun, "hunter")
    answer = solve_thoroughly(TurnState.of(begun.seen(0)[0]), "hunter", paid_by("hunter"), LIMIT)
    reached = 0
    for _ in range(turns):
        match = begun.copy()
        while match.phase != "take":
            if match.actors[0] == CHANCE:
                play(match, rng.choice("123456"))
            else:
                play(match, action_odds(match.seen(0), answer)[0]["action"])
        reached += "hunter" in match.view(0)["takeable"]
    assert abs(reached / turns - said) < 4 * (said * (1 - said) / turns) ** 0.5


# --- Consistency at full size ---


def test_seven_dice_agree_with_their_own_throws() -> None:
    """The odds before a roll are the mean over throws, die by die."""
    match = play(turn("general charlatan farmer maid lady", courts=["", ""]), "roll", "1 2 3 4 5")
    rolling = odds_of(match, "general")
    assert rolling == pytest.approx(
        sum(odds_of(play(match.copy(), str(f)), "general") for f in range(1, 7)) / 6
    )
    lying = play(match, "6 6")
    result = turn_odds(lying, "general")
    assert result["actions"][0]["odds"] == pytest.approx(odds_of(lying, "general"), abs=1e-9)


def test_a_power_never_lowers_the_odds_and_a_further_die_neither_for_patterns() -> None:
    bare = {row["target"]: row["odds"] for row in turn_odds(turn("farmer"))["targets"]}
    for card in (
        "fool",
        "maid",
        "philosopher",
        "astronomer",
        "merchant",
        "magician",
        "lady",
        "alchemist",
        "nobleman",
    ):
        more = {row["target"]: row["odds"] for row in turn_odds(turn(f"farmer {card}"))["targets"]}
        assert all(more[name] >= bare[name] - 1e-12 for name in bare)
    larger = {row["target"]: row["odds"] for row in turn_odds(turn("farmer laborer"))["targets"]}
    assert all(larger[name] >= bare[name] - 1e-12 for name in bare)


# --- Beyond what can be worked out ---

LARGE = "general charlatan farmer laborer guard hunter maid"


def test_a_large_turn_gives_a_lower_bound_that_says_so() -> None:
    match = turn(LARGE, courts=["", ""])
    exact = {row["target"]: row for row in turn_odds(match)["targets"]}
    assert all(row["exact"] for row in exact.values())
    bound = {row["target"]: row for row in turn_odds(match, limit=1)["targets"]}
    assert not bound["king"]["exact"]
    assert 0.3 < bound["king"]["odds"] < exact["king"]["odds"]
    for name, row in bound.items():
        assert row["odds"] <= exact[name]["odds"] + 1e-9
        assert not row["exact"] or row["odds"] == pytest.approx(exact[name]["odds"], abs=2e-6)
    actions = turn_odds(match, "king", limit=1)
    assert not actions["exact"]
    assert actions["actions"][0]["odds"] == pytest.approx(bound["king"]["odds"], abs=1e-9)


def test_small_turns_are_exact_whatever_the_limit() -> None:
    own = "fool maid philosopher astronomer merchant magician lady alchemist nobleman"
    assert all(row["exact"] for row in turn_odds(turn(f"{own} laborer"), limit=1)["targets"])


def test_many_targets_are_taken_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    match = turn("farmer fool maid")
    whole = turn_odds(match)
    monkeypatch.setattr("regalia.games.court_the_king.odds.IN_MEMORY", 2000)
    assert turn_odds(match) == whole


def test_powers_that_add_a_die_do_so_at_once_where_they_are_left_out() -> None:
    powers = powers_of("laborer queen")
    moment = TurnState(frozenset(powers), 0, 0, number_of_faces([3, 3]), number_of_faces([3]), True)
    after = moment.with_dice_of(powers)
    assert (after.powers, after.active) == (frozenset(), number_of_faces([1, 3, 3, 6]))
    waiting = TurnState(frozenset(powers), 3, 0, 0, 0, False).with_dice_of(powers)
    assert waiting.in_hand == 5
    over = TurnState(frozenset(powers), 0, 0, 0, number_of_faces([3, 3, 3]), False)
    assert over.is_over
    assert over.with_dice_of(powers) == over
    full = TurnState(frozenset(powers), 11, 0, 0, 0, False).with_dice_of(powers)
    assert (full.in_hand, len(full.powers)) == (12, 1)


# --- What is asked ---


def test_rows_say_what_could_be_taken() -> None:
    match = turn("fool guard farmer", active="2 2 5 6", courts=["hunter", "hunter", "hunter"])
    rows = {row["target"]: row for row in turn_odds(match)["targets"]}
    assert rows["fool"] == {"target": "fool", "odds": 1.0, "exact": True, "available": False}
    assert rows["charlatan"] == {"target": "charlatan", "odds": 1.0, "exact": True, "available": True}
    assert not rows["guard"]["available"]
    assert not rows["hunter"]["available"]
    assert rows["king"]["available"]
    assert turn_odds(turn())["targets"][1] == {
        "target": "charlatan",
        "odds": 0.0,
        "exact": True,
        "available": False,
    }
    assert json.loads(json.dumps(turn_odds(match, "hunter"))) == turn_odds(match, "hunter")


def test_a_view_or_a_position_will_do() -> None:
    match = turn("fool farmer", active="2 2 5 6")
    assert (
        turn_odds(match.view(1), "guard") == turn_odds(match.position(), "guard") == turn_odds(match, "guard")
    )


def test_a_result_that_stands_pays_or_does_not() -> None:
    match = turn("farmer laborer", aside="2 2 2 5")
    rows = {row["target"]: row["odds"] for row in turn_odds(match)["targets"]}
    assert (rows["guard"], rows["hunter"], rows["fool"]) == (1.0, 0.0, 1.0)
    assert turn_odds(match, "guard")["actions"] == []


def test_in_a_final_round_the_target_is_the_best_result() -> None:
    best = {"seat": 1, "count": 3, "face": 4}
    match = turn(
        "",
        courts=[""],
        round=41,
        final="rounds",
        phase="final",
        starter=1,
        best=best,
        results=[None, [4, 4, 4]],
    )
    result = turn_odds(match, "best")
    (row,) = result["targets"]
    assert row["odds"] == pytest.approx(float(best_by_hand()), abs=1e-9)
    assert [row["action"] for row in result["actions"]] == ["roll"]
    play(match, "roll", "5 5 6")
    assert turn_odds(match, "best")["actions"][0] == {"action": "keep 5", "odds": pytest.approx(1 / 6)}
    queen = {"seat": 1, "count": 7, "face": 6}
    late = turn(
        "queen general charlatan", courts=["king", ""], final="king", phase="final", starter=1, best=queen
    )
    assert 0 < turn_odds(late)["targets"][0]["odds"] < 1  # equalling is enough
    other = turn("general charlatan", courts=["king queen", ""], final="king", phase="final", best=queen)
    assert turn_odds(other)["targets"][0]["odds"] == 0.0  # six dice


def best_by_hand() -> Fraction:
    """Three 5s or three 6s with three dice: two faces instead of six, and dice of the four others help nobody."""
    two_left = Fraction(1, 36) + Fraction(10, 36) * Fraction(1, 6)
    throws: dict[int, Fraction] = {}
    for first in range(1, 7):
        for second in range(1, 7):
            for third in range(1, 7):
                most = max((first, second, third).count(5), (first, second, third).count(6))
                throws[most] = throws.get(most, Fraction(0)) + Fraction(1, 216)
    return throws[3] + throws[2] * Fraction(1, 6) + throws[1] * two_left


def test_without_a_turn_there_are_no_odds_and_a_wrong_target_is_refused() -> None:
    lot = Match.new("court_the_king", seats=2, chance="manual")
    assert turn_odds(lot) == {"seat": None, "targets": []}
    with pytest.raises(NotationError, match="queen"):
        turn_odds(turn(), "queen")


def test_first_few_then_more_powers_are_counted_on() -> None:
    own = "magician alchemist nobleman lady merchant farmer"
    match = turn(own, active="1 2 5 6")
    state = match.seen(None)
    answer = solve_targets(TurnState.of(state[0]), {"hunter": paid_by("hunter")}, LIMIT)["hunter"]
    assert answer.odds == pytest.approx(1.0)
    assert len(answer.solution.held) < 5
    thorough = solve_thoroughly(TurnState.of(state[0]), "hunter", paid_by("hunter"), LIMIT)
    assert len(thorough.solution.held) == 5
    assert turn_odds(match, "hunter")["exact"]


@pytest.mark.plain
def test_a_turn_that_is_nearly_over_and_nearly_full() -> None:
    """Eleven dice set aside, one active: of two powers that add a die none has room; the last die may be changed."""
    wanted = np.zeros((1, HANDFULS), np.uint8)
    aside = number_of_faces([3] * 7 + [1, 1, 5, 6])
    eight = number_of_faces([3], aside)
    wanted[0, eight] = 1
    powers = powers_of("laborer guard maid")
    moment = TurnState(frozenset(powers), 0, 0, number_of_faces([2]), aside, True)
    assert Solution(moment, wanted, powers, [], False).odds(moment, 0) == 1.0  # the Maid makes a 3 of the 2
    bare = TurnState(frozenset(), 0, 0, number_of_faces([2]), aside, False)
    assert Solution(bare, wanted, [], [], False).odds(bare, 0) == pytest.approx(1 / 6)
    rolling = TurnState(frozenset(), 0, 1, 0, aside, True)
    assert Solution(rolling, wanted, [], [], False).odds(rolling, 0) == pytest.approx(1 / 6)


@pytest.mark.plain
def test_values_are_compared_as_in_the_final_round() -> None:
    wanted = np.zeros(int(handfuls().start[4]), np.uint8)
    mark_value(handfuls(), 2, 5, wanted)
    worth = ["2 2 2", "5 5", "1 6 6"]
    assert [int(wanted[number_of_faces(faces(dice))]) for dice in (*worth, "4 4", "1 5 6", "")] == [
        1,
        1,
        1,
        0,
        0,
        0,
    ]


@pytest.mark.plain
def test_prospects_are_found_in_a_crowded_table_too(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = np.zeros((1, HANDFULS), np.uint8)
    mark_paid(handfuls(), NAMES.index("guard"), wanted[0])
    free = find_prospects(0, 3, 3, wanted, False)
    monkeypatch.setattr("regalia.games.court_the_king.odds.equivalence.SLOTS", 80)
    crowded = find_prospects(0, 3, 3, wanted, False)
    assert crowded.width.tolist() == free.width.tolist() == [3, 8, 8, 2]
    assert (crowded.of == free.of).all()


def test_handfuls_are_numbered_by_size() -> None:
    tables = handfuls()
    assert tables.start.tolist()[:5] == [0, 1, 7, 28, 84]
    assert int(tables.start[13]) == HANDFULS
    assert number_of_faces(faces("6 2 2")) == number_of_faces(faces("2 6"), number_of_faces([2]))
    for size in range(13):
        assert tables.odds[tables.start[size] : tables.start[size + 1]].sum() == pytest.approx(1.0)
