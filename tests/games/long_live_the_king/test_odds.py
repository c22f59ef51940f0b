"""The exact odds of disputes, against every way the dice can fall and against the rules themselves."""

from __future__ import annotations

import json
from itertools import product
from typing import Any

import pytest
from typer.testing import CliRunner

from games.long_live_the_king.table import play, table
from regalia import SetupError
from regalia.cli import app
from regalia.core.rng import below, seeded_rng
from regalia.games.long_live_the_king.odds import (
    additions_of,
    choice_odds,
    expected_hand,
    expected_odds,
    guessed_stake,
    total_chances,
    turn_odds,
    win_odds,
)


def by_brute_force(factors: list[list[int]], additions: list[int]) -> list[float]:
    """All totals all players can have; a tie is worth the mean of what its new rolls are worth, over and over."""
    players = range(len(factors))
    rolls = [
        [
            sum(d * f for d, f in zip(sorted(dice), own, strict=True)) + added
            for dice in product(range(1, 7), repeat=len(own))
        ]
        for own, added in zip(factors, additions, strict=True)
    ]
    states = list(product(*(sorted(set(own)) for own in rolls)))
    worth = {
        state: [float(state.count(max(state)) == 1 and state[p] == max(state)) for p in players]
        for state in states
    }
    for _ in range(60):
        for state in states:
            tied = [p for p in players if state[p] == max(state)]
            if len(tied) > 1:
                worth[state] = mean(again(state, tied, rolls), worth)
    return mean([tuple(each) for each in product(*rolls)], worth)


def again(state: tuple[int, ...], tied: list[int], rolls: list[list[int]]) -> list[tuple[int, ...]]:
    return [
        tuple(new[tied.index(p)] if p in tied else old for p, old in enumerate(state))
        for new in product(*(rolls[p] for p in tied))
    ]


def mean(states: list[tuple[int, ...]], worth: dict[tuple[int, ...], list[float]]) -> list[float]:
    return [sum(worth[state][p] for state in states) / len(states) for p in range(len(states[0]))]


@pytest.mark.plain
@pytest.mark.clause("LK-54")
@pytest.mark.parametrize(
    "stakes, additions",
    [
        (["x1", "x1", "x1"], [2, 4, 0]),
        (["x1", "x1", "x1"], [2, 2, 0]),
        (["x1", "x2", "x1"], [2, 4, 0]),
        (["x2", "", "x1"], [2, 6, 0]),
        (["x1 x1", "x1", "x3"], [2, 6, 0]),
        (["x1", "", "x1", "x1"], [2, 4, 0, 0]),
        (["x1", "x1", "", ""], [2, 4, 0, 0]),
    ],
)
def test_odds_are_what_all_falls_of_the_dice_come_to(stakes: list[str], additions: list[int]) -> None:
    factors = [[int(card[1]) for card in stake.split()] for stake in stakes]
    odds = win_odds(stakes, additions)
    assert odds == pytest.approx(by_brute_force(factors, additions), abs=1e-9)
    assert sum(odds) == pytest.approx(1, abs=1e-12)


def test_a_total_is_as_likely_as_the_dice_that_give_it() -> None:
    """x1 and x3: the higher die counts threefold."""
    chances = total_chances((1, 0, 1))
    ways = [min(a, b) + 3 * max(a, b) for a, b in product(range(1, 7), repeat=2)]
    assert all(chances[total] == pytest.approx(ways.count(total) / 36) for total in range(30))
    assert total_chances((0, 0, 0))[0] == 1
    assert sum(total_chances((5, 0, 0))) == pytest.approx(1)


@pytest.mark.clause("LK-52", "LK-53", "LK-54")
def test_odds_agree_with_disputes_rolled_by_the_rules() -> None:
    stakes = ["x1 x1 x2", "x1 x2", "x1 x1 x1 x2", "x3"]
    areas = "0 Stadford 1, 1 Wigemor 1, 1 Man 1, 2 Lideforde 2, 3 Lundonia 2"
    match = play(table(4, areas=areas), "move Wigemor", *(f"stake {stake}" for stake in stakes))
    engine, rng = match.engine, seeded_rng(3)
    start = engine.layout.load(match.state_bytes())
    wins = [0] * 4
    for _ in range(3000):
        states = start.copy()
        while states["winner"][0] == 5:
            engine.apply(states, 7, below(rng, 6))
        wins[int(states["winner"][0])] += 1
    odds = win_odds(stakes, [2, 4, 0, 0])
    for won, chance in zip(wins, odds, strict=True):
        assert abs(won / 3000 - chance) < 4 * (chance * (1 - chance) / 3000) ** 0.5 + 0.001


def test_beliefs_are_averaged_stake_by_stake() -> None:
    one, other = win_odds(["x1", "x1", "x1"], [2, 2, 0]), win_odds(["x1", "x3", "x1"], [2, 2, 0])
    mixed = expected_odds([{"x1": 1}, {"x1": 3, "x3": 1}, {"x1": 2, "x2": 0}], [2, 2, 0])
    assert mixed == pytest.approx([(3 * a + b) / 4 for a, b in zip(one, other, strict=True)])


def test_a_choice_lists_every_stake_the_hand_allows_the_best_first() -> None:
    odds = choice_odds("x2 x1 x1", 1, [{"x1": 1}, {}, {"x1 x1": 1, "": 1}], additions_of(3, 1, noble=False))
    assert odds.keys() == {"x1", "x2", "x1 x1", "x1 x2", "x1 x1 x2"}
    assert list(odds.values()) == sorted(odds.values(), reverse=True)
    assert next(iter(odds)) == "x1 x1 x2"
    assert odds["x1"] == pytest.approx(
        expected_odds([{"x1": 1}, {"x1": 1}, {"x1 x1": 1, "": 1}], [2, 2, 0])[1]
    )


def test_wrong_questions_are_refused() -> None:
    for stakes, additions in (
        (["x1", "x1"], [2, 2]),
        (["x1"] * 6, [2, 2, 0, 0, 0, 0]),
        (["", "x1", "x1"], [2, 2, 0]),
        (["x1", "x1", "x1"], [2, 2]),
        (["x1", "x1", "x1"], [2, 12, 0]),
        (["x1", "x1", "x1"], [2, -2, 0]),
        (["x1", "x1 x1 x1 x1 x1 x1", "x1"], [2, 2, 0]),
        (["x1", "x4", "x1"], [2, 2, 0]),
    ):
        with pytest.raises(SetupError):
            win_odds(stakes, additions)
    for courtiers, noble in ((0, False), (5, True), (-1, True)):
        with pytest.raises(SetupError):
            additions_of(3, courtiers, noble)
    for belief in ({}, {"x1": 0}, {"x1": -1, "x2": 2}, {"x1": float("inf")}, {"x1": float("nan")}):
        with pytest.raises(SetupError):
            expected_odds([belief, {"x1": 1}, {"x1": 1}], [2, 2, 0])
    many = {f"{'x1 ' * ones}{'x2 ' * twos}".strip(): 1.0 for ones in range(3) for twos in range(1, 4)}
    with pytest.raises(SetupError, match="Too many"):
        expected_odds([many] * 5, [2, 2, 0, 0, 0])
    with pytest.raises(SetupError, match="Too many"):
        choice_odds("x1 " * 5 + "x2 " * 5, 0, [{}, many, many, many, many], [2, 2, 0, 0, 0])
    with pytest.raises(SetupError, match="needs a card"):
        choice_odds("", 0, [{}, {"x1": 1}, {"x1": 1}], [2, 2, 0])


# --- The command ---


def run(*arguments: str) -> Any:
    return CliRunner().invoke(app, ["odds", "long_live_the_king", *arguments])


def test_the_command_says_who_wins_and_what_to_stake() -> None:
    told = json.loads(run("x1 x2 x3", "x1 x1", "-", "--courtiers", "2", "--noble", "--json").stdout)
    assert [player["role"] for player in told["players"]] == ["intruder", "defender", "third_party"]
    assert [player["wins"] for player in told["players"]] == pytest.approx(
        win_odds(["x1 x2 x3", "x1 x1", ""], [2, 6, 0])
    )
    told = json.loads(run("?", "2: x1 x1 | 1: x3", "x1", "--hand", "x1 x2", "--json").stdout)
    assert [choice["stake"] for choice in told["choices"]] == ["x1 x2", "x2", "x1"]
    assert "97.05%" in run("x1 x2 x3", "x1 x1", "x2", "--courtiers", "2", "--noble", "--lang", "en").stdout
    assert "Einsatz" in run("?", "x1", "x1", "--hand", "x1", "--lang", "de").stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ["x1", "x9", "x1"],
        ["x1", "x1"],
        ["?", "x1", "x1"],
        ["x1", "x1", "x1", "--hand", "x1"],
        ["x1", "a: x1", "x1"],
        ["x1", "", "x1"],
        ["?", "?", "x1", "--hand", "x1"],
        ["x1", "x1", "x1", "--courtiers", "0"],
    ],
)
def test_wrong_input_is_one_line_and_exit_code_2(arguments: list[str]) -> None:
    done = run(*arguments)
    assert done.exit_code == 2
    assert done.stdout == ""
    assert len(done.stderr.strip().split("\n")) == 1


# --- The dispute of a view ---


def test_the_odds_of_a_view_are_those_of_the_stakes_it_names() -> None:
    match = table(
        3,
        areas="0 Rouecestre 2, 0 Lundonia 2, 1 Oxeneford 3, 1 Sarisberie 1, 2 Sedberouie 2",
        nobles={2: "Sedberouie", 0: "Lundonia", 1: "Oxeneford"},
        hands=["2 1 0", "4 1 1", "1 0 0"],
    )
    match.play(0, "move Oxeneford")
    found = turn_odds(match.view(0))
    odds = {row["target"]: row["odds"] for row in found["targets"]}
    assert found["seat"] == 0
    assert len(odds) == 3 * 5  # x1, x2, x1 x1, x1 x2, x1 x1 x2 against three kinds of others
    assert odds["little stake x1 x2"] == pytest.approx(win_odds(["x1 x2", "x1", "x1"], [2, 8, 0])[0])
    assert odds["middling stake x1 x2"] == pytest.approx(win_odds(["x1 x2", "x1 x1 x1", "x1"], [2, 8, 0])[0])
    assert odds["much stake x2"] == pytest.approx(win_odds(["x2", "x1 x1 x1 x2 x3", "x1"], [2, 8, 0])[0])


def test_the_odds_of_a_view_say_nothing_to_those_who_do_not_choose() -> None:
    match = table(3)
    assert turn_odds(match.view(match.actors[0])) == {"seat": None, "targets": []}
    assert turn_odds(match.view(None)) == {"seat": None, "targets": []}


def test_unknown_cards_are_taken_by_their_share_of_the_pool() -> None:
    cards = dict.fromkeys(("x1", "x2", "x3"), 0)
    view = {
        "known": [cards | {"x1": 1}, cards],
        "unknown": [3, 0],
        "pool": {"x1": 5, "x2": 4, "x3": 1},
    }
    assert expected_hand(view, 0) == [3, 1, 0]  # 1.5, 1.2 and 0.3 of three: 1, 1 and one more of the first
    assert expected_hand(view, 1) == [0, 0, 0]
    assert guessed_stake(view, 0, 3) == (3, 0, 0)
    assert guessed_stake(view, 0, 1) == (1, 0, 0)
    assert guessed_stake(view, 0, 5) == (3, 1, 0)
    assert guessed_stake(view, 1, 5) == (0, 0, 0)


DISPUTE = "0 Stadford 1, 1 Wigemor 1, 1 Man 1, 2 Lideforde 2, 3 Lundonia 2"


def test_a_view_tells_the_odds_of_every_stake_against_little_middling_and_much() -> None:
    match = play(table(4, areas=DISPUTE), "move Wigemor")
    view = match.view(1)
    told = turn_odds(view)
    odds = {row["target"]: row["odds"] for row in told["targets"]}
    levels = {
        "little": "x1",
        "middling": "x1 x1 x1",
        "much": "x2 x2 x2 x2 x3",
    }  # of twelve x1, seven x2, one x3
    assert told["seat"] == 1
    assert set(odds) == {f"{level} {action}" for level in levels for action in view["actions"]}
    for level, others in levels.items():
        expected = win_odds([others, "x2 x3", others, others], [2, 4, 0, 0])[1]
        assert odds[f"{level} stake x2 x3"] == pytest.approx(expected, abs=1e-9)


def test_who_does_not_choose_a_stake_is_told_no_odds() -> None:
    match = table(4, areas=DISPUTE)
    assert turn_odds(match.view(0)) == {"seat": None, "targets": []}
    play(match, "move Wigemor", "stake x1")
    assert turn_odds(match.view(0)) == turn_odds(match.view(None)) == {"seat": None, "targets": []}


def test_unknown_cards_are_expected_by_the_shares_of_the_pool() -> None:
    known = {"x1": 1, "x2": 0, "x3": 0}
    view = {"known": [known, known], "unknown": [0, 4], "pool": {"x1": 10, "x2": 5, "x3": 1}}
    assert expected_hand(view, 0) == [1, 0, 0]
    assert expected_hand(view, 1) == [1 + 3, 1, 0]  # shares of 2.5, 1.25 and 0.25
