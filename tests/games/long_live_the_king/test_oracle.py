"""The rules against the oracle, move by move (scripts/agree.py runs the same over many more games)."""

from __future__ import annotations

import importlib.util
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest


@cache
def agree() -> ModuleType:
    path = Path(__file__).parents[3] / "scripts" / "agree.py"
    spec = importlib.util.spec_from_file_location("agree", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_random_games_agree_with_the_oracle(seats: int) -> None:
    for seed in range(20_000, 20_050):
        assert agree().play_both("long_live_the_king", seats, seed, positions=0.1).outcome is not None


@pytest.mark.slow
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_driven_games_agree_with_the_oracle(seats: int) -> None:
    for seed in range(30_000, 30_012):
        assert (
            agree().play_both("long_live_the_king", seats, seed, driven=True, positions=0.3).outcome
            is not None
        )


def test_positions_agree_with_the_oracle_at_every_step() -> None:
    for seats in (3, 4, 5):
        assert agree().play_both("long_live_the_king", seats, 40_000).outcome is not None


@pytest.mark.plain
def test_plain_rules_agree_with_the_oracle() -> None:
    assert agree().play_both("long_live_the_king", 3, 4, positions=0.05).outcome is not None
