"""The environments pass the tests of the libraries they are for, at every table; a warning is a failure."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import gymnasium
import pytest
from gymnasium.envs.registration import EnvSpec
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import (
    api_test,
    max_cycles_test,
    parallel_api_test,
    parallel_seed_test,
    render_test,
    seed_test,
)
from pettingzoo.test.state_test import state_test

import regalia.research.gym  # noqa: F401 - it registers the names
from driving import TABLES, name_of
from regalia import GAMES, Game, research

tables = pytest.mark.parametrize("game, seats", TABLES, ids=name_of)
SEEN = [
    (game, seats, kind)
    for game, seats in TABLES
    for kind in ("features", "record")
    if kind == "record" or game.has_part("encode")
]
observed = pytest.mark.parametrize("game, seats, kind", SEEN, ids=name_of)


def asked(game: Game, seats: int) -> dict[str, Any]:
    kind = "features" if game.has_part("encode") else "record"
    return {"game": game, "seats": seats, "encoding": kind}


@observed
def test_agents_that_take_turns(game: Game, seats: int, kind: str) -> None:
    cycles = 1000 if (seats, kind) == (game.seats[0], "features") else 60
    api_test(research.aec(game, seats, encoding=kind), num_cycles=cycles)


@tables
def test_a_seed_decides_everything(game: Game, seats: int) -> None:
    seed_test(lambda: research.aec(**asked(game, seats)), num_cycles=50)
    parallel_seed_test(lambda: research.parallel(**asked(game, seats), illegal="first"), num_cycles=20)


@tables
def test_agents_that_act_at_once(game: Game, seats: int) -> None:
    parallel_api_test(research.parallel(**asked(game, seats)), num_cycles=100)


@tables
def test_the_whole_state_for_who_may_see_it(game: Game, seats: int) -> None:
    how = {**asked(game, seats), "centralised": True, "illegal": "first"}
    state_test(research.aec(**how), research.parallel(**how), num_cycles=20)


@pytest.mark.parametrize("game", GAMES.values(), ids=name_of)
def test_matches_are_shown(game: Game, capsys: pytest.CaptureFixture[str]) -> None:
    def made(render_mode: str | None = None) -> Any:
        return research.aec(game, illegal="first", render_mode=render_mode)

    render_test(made, {"svg": lambda picture: picture.startswith("<svg"), "ansi": len})
    assert len(capsys.readouterr().out) > 100


def test_a_match_is_cut_off_after_so_many_steps() -> None:
    """PettingZoo's test counts rounds in which each agent acts once: here two steps of agents that take turns."""
    module = SimpleNamespace(
        env=lambda max_cycles: research.aec("rose_king", illegal="first", max_steps=2 * max_cycles),
        parallel_env=lambda max_cycles: research.parallel("rose_king", illegal="first", max_steps=max_cycles),
    )
    max_cycles_test(module)


@tables
@pytest.mark.parametrize("opponents", [None, "random"])
def test_one_learner(game: Game, seats: int, opponents: str | None) -> None:
    how = {**asked(game, seats), "illegal": "first", "opponents": opponents}
    env = research.solo(**how, render_mode="ansi")
    env.spec = EnvSpec("regalia/test-v0", entry_point=research.solo, kwargs=how)
    check_env(env, skip_render_check=game.id not in GAMES)  # nobody draws the probe


@pytest.mark.parametrize("game", GAMES.values(), ids=name_of)
def test_games_are_made_by_their_names(game: Game) -> None:
    env = gymnasium.make(f"regalia/{game.id}-v1", opponents="page", seat=1)
    _, info = env.reset(seed=1)
    assert info["seat"] == 1
    env.step(int(info["action_mask"].argmax()))
