"""With an empty compile cache tables open and bots answer at once; other processes compile."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from regalia import GAMES
from regalia.preparation.stages import TO_PLAY, kernels_of
from server import cold_server


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("cold")
    done = subprocess.run(
        [sys.executable, "-m", "server.cold_server", str(folder)],
        cwd=Path(__file__).parents[1],
        env={**os.environ, "REGALIA_CACHE": str(folder / "cache"), "NUMBA_DISABLE_JIT": "0"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    result: dict[str, Any] = json.loads(done.stdout)
    return result


@pytest.mark.slow
def test_bots_of_every_game_answer_before_it_is_compiled(told: dict[str, Any]) -> None:
    assert {game: each["is_ready"] for game, each in told["at_answer"].items()} == dict.fromkeys(GAMES, False)


@pytest.mark.slow
def test_other_processes_compile_the_game_that_was_opened_first(told: dict[str, Any]) -> None:
    assert told["compiled"] == [], "the server compiles nothing"
    assert told["loaded"] > 0, "and loads what is compiled"
    ready = {game for game, each in told["at_end"].items() if each["is_ready"]}
    assert ready == {cold_server.AWAITED}


@pytest.mark.slow
def test_progress_is_told_in_parts_that_were_counted_beforehand(told: dict[str, Any]) -> None:
    for game, each in told["at_answer"].items():
        assert each["total"] == len(kernels_of(GAMES[game], TO_PLAY))
        assert not each["has_failed"]
    parts = told["parts"]
    assert len(set(parts)) > 3
    assert parts == sorted(parts)
    assert told["at_end"][cold_server.AWAITED]["done"] == told["at_end"][cold_server.AWAITED]["total"]
