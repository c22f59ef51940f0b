"""OpenSpiel's own tests of our games, in an environment that has it (tests/research/test_openspiel.py starts them)."""

from __future__ import annotations

import hashlib
import json
import pickle
import random
from pathlib import Path

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import generate_playthrough

from driving import TABLES, name_of
from regalia import GAMES, Game, SetupError
from regalia.core.toys import find_toy, toys_of
from regalia.research import openspiel

GOLDEN = Path(__file__).parent / "playthroughs.json"
openspiel.register()
tables = pytest.mark.parametrize(
    "game, seats", [table for table in TABLES if table[0].id in GAMES], ids=name_of
)
TOYS = [(game, toy) for game in GAMES.values() for toy in toys_of(game)]
toys = pytest.mark.parametrize("game, toy", TOYS, ids=name_of)
PLAYED = [f"regalia_{game.id}(toy={toy})" for game, toy in TOYS] + [
    f"regalia_{game}(players={seats})"
    for game, seats in (("rose_king", 2), ("carolus_magnus", 2), ("long_live_the_king", 3))
]


def loaded(game: Game, seats: int) -> object:
    return pyspiel.load_game(f"regalia_{game.id}(players={seats})")


@tables
def test_random_play(game: Game, seats: int) -> None:
    """OpenSpiel looks at every state of a match; those of To Court the King are long."""
    serialize = game.id != "court_the_king"
    pyspiel.random_sim_test(loaded(game, seats), num_sims=1, serialize=serialize, verbose=False)


@toys
def test_random_play_of_toys(game: Game, toy: str) -> None:
    pyspiel.random_sim_test(
        pyspiel.load_game(f"regalia_{game.id}(toy={toy})"), num_sims=5, serialize=True, verbose=False
    )


@pytest.mark.parametrize("name", PLAYED)
def test_playthroughs_are_as_they_were(name: str, tmp_path: Path) -> None:
    text = generate_playthrough.playthrough(name, None, seed=7)
    (tmp_path / "playthrough.txt").write_text(text, "utf-8")
    golden = json.loads(GOLDEN.read_text("utf-8"))
    assert hashlib.sha256(text.encode()).hexdigest() == golden[name], tmp_path


@tables
def test_states_are_copied_and_pickled(game: Game, seats: int) -> None:
    table = loaded(game, seats)
    assert str(pickle.loads(pickle.dumps(table))) == str(table)
    rng, state = random.Random(5), table.new_initial_state()
    for _ in range(300):
        if state.is_terminal():
            break
        state.apply_action(rng.choice(state.legal_actions()))
    for twin in (state.clone(), pickle.loads(pickle.dumps(state))):
        assert str(twin) == str(state)
        assert twin.information_state_string(0) == state.information_state_string(0)


@tables
def test_returns_are_in_range(game: Game, seats: int) -> None:
    table, rng = loaded(game, seats), random.Random(1)
    state = table.new_initial_state()
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
    returns = state.returns()
    assert sum(returns) == pytest.approx(0)
    assert all(table.min_utility() - 1e-9 <= one <= table.max_utility() for one in returns)


@tables
def test_nothing_that_a_player_gets_depends_on_what_it_cannot_know(game: Game, seats: int) -> None:
    table, rng = loaded(game, seats), random.Random(6)
    state = table.new_initial_state()
    for count in range(400):
        if state.is_terminal():
            break
        state.apply_action(rng.choice(state.legal_actions()))
        if count % 7 or state.is_chance_node():
            continue
        for player in range(seats):
            world = state.resample_from_infostate(player, rng.random)
            assert world.observation_string(player) == state.observation_string(player)
            assert world.observation_tensor(player) == state.observation_tensor(player)
            assert world.information_state_tensor(player) == state.information_state_tensor(player)
            assert world.information_state_string(player).startswith(state.information_state_string(player))
            assert world.legal_actions(player) == state.legal_actions(player)


def test_observers_show_what_they_are_asked_for() -> None:
    table = pyspiel.load_game("regalia_long_live_the_king")
    private, kind = pyspiel.PrivateInfoType, pyspiel.IIGObservationType
    state = table.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    seen = {}
    for name in ("NONE", "SINGLE_PLAYER", "ALL_PLAYERS"):
        asked = kind(perfect_recall=False, public_info=True, private_info=getattr(private, name))
        seen[name] = table.make_py_observer(asked).string_from(state, 0)
    assert len(set(seen.values())) == 3
    nothing = table.make_py_observer(kind(perfect_recall=False, public_info=False, private_info=private.NONE))
    nothing.set_from(state, 0)
    assert (nothing.tensor.size, nothing.string_from(state, 0)) == (0, "")
    observer = table.make_py_observer()
    observer.set_from(state, 1)
    assert observer.dict["hand"].tolist() == pytest.approx([1.2, 0.7, 0.1])
    assert np.array_equal(np.concatenate([*observer.dict.values()]), observer.tensor)


def test_what_cannot_be_asked_for_is_refused() -> None:
    for name, words in (
        ("regalia_rose_king(players=3)", "rose_king is not for 3 players"),
        ("regalia_rose_king(toy=tulips)", "rose_king has no toy tulips"),
        (
            "regalia_carolus_magnus(partners=1)",
            "carolus_magnus with 2 players has no option called partners",
        ),
        ("regalia_long_live_the_king(toy=crown,players=4)", "long_live_the_king"),
    ):
        with pytest.raises(SetupError, match=words):
            pyspiel.load_game(name)
    teams = pyspiel.load_game("regalia_carolus_magnus(players=4,partners=1)")
    assert teams.table.start["partners"][0] == 1
    with pytest.raises(SetupError, match="partners cannot be 7"):
        pyspiel.load_game("regalia_carolus_magnus(players=4,partners=7)")
    table = pyspiel.load_game("regalia_rose_king")
    with pytest.raises(SetupError, match="params"):
        table.make_py_observer(None, {"a": 1})
    with pytest.raises(SetupError, match="player cannot be 2"):
        openspiel.RegaliaBot(table, 2)
    with pytest.raises(SetupError, match="queen"):
        openspiel.RegaliaBot(table, 1, "queen")


@tables
def test_bots_play_whole_matches(game: Game, seats: int) -> None:
    from open_spiel.python.algorithms import evaluate_bots

    if (game.id, seats) in (("court_the_king", 5), ("court_the_king", 4)):
        pytest.skip("long, and alike with fewer")
    table = loaded(game, seats)
    bots = [
        openspiel.RegaliaBot(table, seat, "page" if seat == 0 else "random", seed=2) for seat in range(seats)
    ]
    state = table.new_initial_state()
    returns = evaluate_bots.evaluate_bots(state, bots, np.random.RandomState(1))
    assert sum(returns) == pytest.approx(0)


def test_regret_minimisation_finds_the_value_of_the_crown() -> None:
    table = pyspiel.load_game("regalia_long_live_the_king(toy=crown)")
    solver = pyspiel.CFRPlusSolver(table)
    for _ in range(40):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    assert pyspiel.nash_conv(table, policy) < 0.01
    share = find_toy(GAMES["long_live_the_king"], "crown").value
    values = pyspiel.expected_returns(table.new_initial_state(), policy, -1, True)
    assert values[0] == pytest.approx((share - 1 / 3) * 3 / 2, abs=0.01)
