"""The named opponents: always a legal action, reasons in words, clear errors, never a hung game."""

from __future__ import annotations

import random
import re
import threading
import time

import numpy as np
import pytest

from driving import ALL_GAMES, TABLES, name_of, walk
from regalia import GAMES, Game, Match, NotYourTurn, SetupError
from regalia.bots import BOTS, Choice, choose, choose_safely, knowledge, opponent
from regalia.bots import choice as asking
from regalia.bots.opponents import ladder_of
from regalia.bots.search import load_knowledge
from regalia.locale import LANGUAGES, say

games = pytest.mark.parametrize("game", ALL_GAMES, ids=name_of)
tables = pytest.mark.parametrize("game, seats", TABLES, ids=name_of)
KNOWN = [game for game in GAMES.values() if game.has_part("bots.knowledge")]


@tables
def test_every_bot_gives_legal_actions_and_says_why_in_every_language(game: Game, seats: int) -> None:
    rng = random.Random(seats)
    for number, match in enumerate(walk(game, seats, 40 + seats)):
        if not match.actors or rng.random() > 0.08:
            continue
        seat = rng.choice(match.actors)
        bot = BOTS[number % len(BOTS)]
        choice = choose(match, seat, bot, number, simulations=25)
        match.copy().play(seat, choice.action)
        for key, values in choice.reasons:
            for language in LANGUAGES:
                assert not re.search(r"[{}]", say(language, key, **values))
        if bot != "random" and choice.simulations:
            facts = [key for key, _ in choice.reasons if key.startswith(f"{game.id}.bots.")]
            assert game not in KNOWN or 2 <= len(facts) <= 3
            assert choice.considered[0].action == choice.action
            assert all(0 <= one.value <= 1 and one.visits > 0 for one in choice.considered)
            assert choice.reasons[0][0] == "bots.reason.expects"


def test_reasons_name_facts_of_every_game_that_bots_know() -> None:
    """Over some matches each game tells several different facts."""
    for game in KNOWN:
        told = set()
        rng = random.Random(1)
        for seed in range(3):
            for match in walk(game, game.seats[0], seed):
                if match.actors and rng.random() < 0.15:
                    choice = choose(match, match.actors[0], "knight", 1, simulations=12)
                    told |= {key for key, _ in choice.reasons if key.startswith(f"{game.id}.bots.")}
        assert len(told) >= 4, (game.id, told)


def test_the_ladder_is_the_same_five_for_every_game_each_with_a_larger_budget() -> None:
    for game in GAMES.values():
        ladder = ladder_of(game)
        assert tuple(ladder) == BOTS
        budgets = [one.simulations for one in ladder.values()]
        assert budgets[0] == 0
        assert budgets == sorted(set(budgets))


def test_a_forced_action_takes_no_thought() -> None:
    match = Match.new("court_the_king", seed=1)
    assert match.actions(match.actors[0]) == ["roll"]
    choice = choose(match, match.actors[0], "regent")
    assert choice.action == "roll"
    assert choice.simulations == 0


def test_without_a_budget_a_bot_does_its_own_simulations() -> None:
    match = Match.new("rose_king", seed=1)
    assert 0 < choose(match, 0, "page", 1).simulations <= opponent(GAMES["rose_king"], "page").simulations


def test_a_time_budget_replaces_the_simulations() -> None:
    match = Match.new("rose_king", seed=1)
    choose(match, 0, "page", 1)
    choice = choose(match, 0, "page", 1, budget_s=0.1)
    assert choice.simulations > opponent(GAMES["rose_king"], "page").simulations
    assert choice.seconds < 1.0


def test_a_raised_flag_still_gives_a_legal_action() -> None:
    match = Match.new("rose_king", seed=1)
    choice = choose(match, 0, "regent", 1, stop=np.ones(1, np.uint8))
    assert choice.action in match.actions(0)
    assert choice.simulations == 0


@pytest.mark.parametrize("bot", ["queen", "", "regent-deaf", "-blind"])
def test_an_unknown_bot_is_refused_in_one_line(bot: str) -> None:
    with pytest.raises(SetupError, match=r"There is no bot called .*random, page") as error:
        choose(Match.new("rose_king", seed=1), 0, bot)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "budget", [{"budget_s": 0}, {"budget_s": -1.0}, {"simulations": 0}, {"simulations": -5}]
)
def test_a_budget_of_zero_or_less_is_refused(budget: dict[str, int]) -> None:
    with pytest.raises(SetupError, match="more than zero"):
        choose(Match.new("rose_king", seed=1), 0, "page", **budget)  # type: ignore[arg-type]


def test_a_seat_that_owes_nothing_is_refused() -> None:
    match = Match.new("rose_king", seed=1)
    with pytest.raises(NotYourTurn):
        choose(match, 1 - match.actors[0], "page")


def test_blind_means_the_same_budget_without_knowledge() -> None:
    plain, blind = opponent(GAMES["rose_king"], "regent"), opponent(GAMES["rose_king"], "regent-blind")
    assert blind.simulations == plain.simulations
    assert not blind.is_informed


def test_a_bot_that_fails_is_replaced_by_a_legal_action_and_reported(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object, **__: object) -> Choice:
        raise ZeroDivisionError

    match = Match.new("rose_king", seed=1)
    monkeypatch.setattr(asking, "decide", broken)
    choice = choose_safely(match, 0, "page")
    assert choice.action in match.actions(0)
    assert choice.reasons == (("bots.reason.failed", {"bot": "page", "why": "ZeroDivisionError"}),)
    assert "page failed at seat 0" in caplog.text


def test_a_bot_that_overruns_is_replaced_by_a_legal_action_and_reported(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    woken = threading.Event()
    match = Match.new("rose_king", seed=1)
    monkeypatch.setattr(asking, "decide", lambda *_: woken.wait(20))
    choice = choose_safely(match, 0, "page", limit_s=0.05)
    woken.set()
    assert choice.action in match.actions(0)
    assert choice.reasons == (("bots.reason.overran", {"bot": "page", "seconds": "0.05"}),)
    assert "page overran at seat 0" in caplog.text


def test_a_bot_given_up_is_told_to_stop() -> None:
    match = Match.new("rose_king", seed=1)
    choose(match, 0, "page", 1)
    before = set(threading.enumerate())  # bots of a server that another test left in this process
    began = time.perf_counter()
    assert (
        choose_safely(match, 0, "regent", budget_s=600.0, limit_s=0.1).reasons[0][0] == "bots.reason.overran"
    )
    while set(threading.enumerate()) - before:
        assert time.perf_counter() - began < 120  # far less than the bot would have thought
        time.sleep(0.01)


def test_a_bot_that_chooses_nonsense_is_replaced_too(monkeypatch: pytest.MonkeyPatch) -> None:
    match = Match.new("rose_king", seed=1)
    monkeypatch.setattr(asking, "choose", lambda *_, **__: Choice("castle"))
    assert choose_safely(match, 0, "page").action in match.actions(0)
    monkeypatch.undo()
    with pytest.raises(SetupError):
        choose_safely(match, 0, "nobody")


@games
def test_a_policy_gives_every_legal_step_a_chance_and_an_evaluation_shares_one_victory(game: Game) -> None:
    """On every decision of some matches, as plain calls."""
    known = load_knowledge(game)
    if known.module is knowledge:
        pytest.skip("nothing is known about this game")
    steps, odds = np.zeros(256, np.uint8), np.zeros(256, np.int64)
    judged = 0
    for seats in game.seats:
        for match in walk(game, seats, 60 + seats):
            states = match._states
            for seat in match.actors:
                count = match.engine.bound.legal_at(states, 0, seat, steps)
                total = known.module.policy(states[0], seat, steps, count, known.weights, odds)
                assert total == 0 or (odds[:count].min() >= 1 and total == odds[:count].sum() < 2**31)
            if match.actors and known.module.is_quiet(states[0]):
                values = np.zeros(match.engine.most_seats)
                known.module.evaluate(states[0], known.weights, values)
                judged += 1
                assert values.min() >= 0
                assert np.isclose(values[:seats].sum(), len(game.side(0, seats, match.options)))
    assert judged > 5
