"""The built-in player."""

from __future__ import annotations

import random

import numpy as np
import pytest

from games.court_the_king.play import sensible
from games.court_the_king.table import Match, play, turn
from regalia import GAMES
from regalia.core.rng import seeded_rng
from regalia.games.court_the_king.bots.policy import choose_pair, play_to_the_end, policy
from regalia.games.court_the_king.components import DONE, POWER_OF, USE, Character


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_games_end_by_the_king_within_few_rounds(seats: int) -> None:
    engine = GAMES["court_the_king"].engine
    rng = seeded_rng(3)
    rounds = []
    for _ in range(200):
        states = engine.start(seats, {})
        play_to_the_end(states[0], np.zeros(engine.steps, np.uint8), rng)
        assert engine.reasons[int(states["reason"][0])] == "king"
        rounds.append(int(states["rounds"][0]))
    assert np.mean(rounds) < 10
    assert max(rounds) < 20


def test_it_beats_random_players() -> None:
    wins = 0
    for seed in range(20):
        rng = random.Random(seed)
        match = Match.new("court_the_king", seats=3, seed=seed)
        while match.actors:
            seat = match.actors[0]
            match.play(seat, sensible(match, seat) if seat == 1 else rng.choice(match.actions(seat)))
        assert match.outcome is not None
        wins += match.outcome.ranks[1] == 1
    assert wins >= 18


@pytest.mark.plain
@pytest.mark.parametrize(
    "own, active, aside, action",
    [
        ("", "2 5 5", "", "keep 5 5"),
        ("laborer", "1 1 4", "", "use laborer"),
        ("magician farmer", "4", "5 5 5", "use magician 4=5"),
        ("maid farmer", "2", "5 5 5", "use maid 2+3"),
        ("lady farmer", "4", "5 5 5", "use lady 4"),
        ("nobleman farmer", "3", "5 5 5", "use nobleman 3"),
        ("astronomer farmer", "1", "5 5 5", "use astronomer 1=5"),
        ("fool farmer", "1", "5 5 5", "use fool 1"),
        ("merchant farmer", "1 4", "5 5", "use merchant 1 4"),
        ("philosopher farmer", "1 4", "3 3", "use philosopher 4-1>1"),
        ("philosopher farmer", "2 5", "1 1", "use philosopher 2-1>5"),
        ("alchemist farmer", "2 4", "3 3", "use alchemist 2 4 = 3 3"),
    ],
)
def test_it_sets_aside_what_it_gathers_and_uses_what_helps(
    own: str, active: str, aside: str, action: str
) -> None:
    match = turn(own, active=active, aside=aside, duty=True, courts=["", "", ""])
    assert sensible(match, 0) == action


@pytest.mark.plain
def test_it_takes_the_best_card_and_passes_only_without_hope() -> None:
    assert sensible(turn("farmer", aside="2 2 2 2"), 0) == "take hunter"
    assert (
        sensible(turn("general charlatan farmer", aside="2 2 2 2 2 2 2", courts=["", ""]), 0) == "take king"
    )
    best = {"seat": 1, "count": 7, "face": 2}
    final = {"final": "king", "phase": "final", "best": best}
    assert sensible(turn("farmer laborer", courts=["king queen"], **final), 0) == "pass"
    assert sensible(turn("general charlatan laborer", courts=["king queen"], **final), 0) == "roll"


@pytest.mark.plain
def test_without_an_idea_it_does_anything_legal() -> None:
    """Here nothing can be made of the Philosopher for the sixes it gathers, but he is already in use."""
    match = turn(
        "philosopher charlatan charlatan", active="2 2", aside="6 6 6", duty=True, courts=["", "", ""]
    )
    engine = match.engine
    states = engine.layout.load(match.state_bytes())
    engine.apply(states, 0, USE + POWER_OF[Character.PHILOSOPHER])
    steps = np.zeros(engine.steps, np.uint8)
    assert policy(states[0], 0, steps, seeded_rng(1)) in engine.legal(states, 0)


@pytest.mark.plain
def test_two_dice_are_enough_for_the_alchemist() -> None:
    match = turn("alchemist", active="2 5", aside="4", duty=False)
    states = match.engine.layout.load(match.state_bytes())
    lower = choose_pair(states[0], Character.ALCHEMIST, 4)
    states["picks"][0, :2] = 1
    assert lower != DONE
    assert choose_pair(states[0], Character.ALCHEMIST, 4) == DONE


@pytest.mark.plain
def test_the_rest_of_a_game_is_played_for_all_seats() -> None:
    best = {"seat": 1, "count": 7, "face": 2}
    match = turn("general charlatan laborer", courts=["king queen"], final="king", phase="final", best=best)
    states = match.engine.layout.load(match.state_bytes())
    assert play_to_the_end(states[0], np.zeros(match.engine.steps, np.uint8), seeded_rng(2)) > 8
    assert match.engine.actors(states) == ()


@pytest.mark.plain
def test_a_whole_game_is_played_sensibly() -> None:
    match = Match.new("court_the_king", seats=2, seed=5)
    while match.actors:
        play(match, sensible(match, match.actors[0]))
    assert match.outcome is not None
    assert match.outcome.reason == "king"
