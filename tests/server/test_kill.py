"""The server is killed again and again while matches are played; nothing acknowledged is lost."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "kill_test.py"


@pytest.fixture(scope="module")
def script() -> Any:
    spec = importlib.util.spec_from_file_location("kill_test", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["kill_test"] = module  # its dataclasses look themselves up there
    spec.loader.exec_module(module)
    return module


def test_twenty_kills_lose_double_and_reorder_nothing(script: Any, tmp_path: Path) -> None:
    figures = script.run(kills=20, tables=6, seed=20, folder=tmp_path, most_views=40)
    assert figures["acknowledged"] >= 20
    assert figures["sent_again"] >= 5
    assert figures["views"] >= 20


@pytest.mark.postgres
@pytest.mark.slow
def test_workers_are_killed_and_stopped_and_their_database_restarted(script: Any, tmp_path: Path) -> None:
    faults = {"kill": 3, "stop": 1, "restart": 1, "terminate": 1}
    figures = script.run_workers(faults, tables=4, seed=5, folder=tmp_path, stopped_s=6.0)
    print(figures)
    assert figures["acknowledged"] >= 6
    assert figures["views"] >= 6


@pytest.mark.postgres
@pytest.mark.long
def test_two_parents_behind_a_proxy(script: Any, tmp_path: Path) -> None:
    figures = script.run_workers({"kill": 6, "renew": 1}, tables=6, seed=6, folder=tmp_path, hosts=2)
    print(figures)
    assert figures["acknowledged"] >= 6


@pytest.mark.postgres
@pytest.mark.long
def test_workers_are_renewed_while_many_play_and_come(script: Any, tmp_path: Path) -> None:
    figures = script.run_workers({"renew": 2}, tables=8, seed=7, folder=tmp_path)
    print(figures)
    assert figures["failed_connections"] == 0
    assert figures["connections"] > 0
