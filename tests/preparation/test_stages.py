"""What there is to compile of a game is known beforehand, and all of it is compiled."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from regalia import GAMES
from regalia.core import kernel
from regalia.preparation import stages
from regalia.preparation.stages import TO_PLAY, Stage, compile_game, count_ready, is_prepared, kernels_of


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_all_that_was_counted_is_compiled(game: str) -> None:
    found = GAMES[game]
    kernels = kernels_of(found, list(Stage))
    assert len(kernels) > 50
    compile_game(found, list(Stage))
    assert count_ready(kernels) == len(kernels)


def test_a_stage_counts_what_it_calls_and_no_more() -> None:
    game = GAMES["rose_king"]
    table = {each.py_func.__qualname__ for each in kernels_of(game, [Stage.TABLE])}
    assert {"apply_at_rose_king", "apply", "take_card", "number_regions"} <= table
    assert not {"simulate_rose_king", "policy", "perft_rose_king", "list_actions_rose_king"} & table
    bots = {each.py_func.__qualname__ for each in kernels_of(game, [Stage.BOTS])}
    assert {"simulate_rose_king", "policy", "apply", "find_node"} <= bots
    assert kernels_of(game, [Stage.ODDS]) == [], "The Rose King has no odds to reckon"


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(stages.kernel, "cache_folder", lambda _: tmp_path)
    return tmp_path


def test_a_game_is_prepared_once_every_stage_is(empty: Path) -> None:
    game = GAMES["rose_king"]
    assert not is_prepared(game, TO_PLAY)
    compile_game(game, [Stage.TABLE])
    assert is_prepared(game, [Stage.TABLE])
    assert not is_prepared(game, TO_PLAY)
    compile_game(game, [Stage.BOTS, Stage.ODDS])
    assert is_prepared(game, TO_PLAY)
    assert {path.name for path in empty.iterdir()} == set(TO_PLAY)


def test_what_numba_would_not_take_from_its_cache_does_not_count(
    empty: Path, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """It looks at when a source was saved, not at what is in it."""
    del empty
    game = GAMES["rose_king"]
    core = tmp_path_factory.mktemp("package") / "core"
    shutil.copytree(kernel.PACKAGE / "core", core)
    monkeypatch.setattr(kernel, "PACKAGE", core.parent)
    compile_game(game, [Stage.BOTS])
    assert is_prepared(game, [Stage.BOTS])
    os.utime(core / "rng.py", (1, 1))
    assert not is_prepared(game, [Stage.BOTS])
