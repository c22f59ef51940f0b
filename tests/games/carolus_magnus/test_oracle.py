"""Carolus Magnus against its second witness; `scripts/agree.py carolus_magnus` plays tens of thousands of games."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

spec = importlib.util.spec_from_file_location("agree", Path(__file__).parents[3] / "scripts" / "agree.py")
assert spec is not None
assert spec.loader is not None
agree = importlib.util.module_from_spec(spec)
spec.loader.exec_module(agree)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_rules_and_oracle_agree_over_random_games(seats: int) -> None:
    for seed in range(50):
        assert agree.play_both("carolus_magnus", seats, seed).outcome is not None


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_rules_and_oracle_agree_over_driven_games(seats: int) -> None:
    for seed in range(8):
        assert agree.play_both("carolus_magnus", seats, seed, driven=True).outcome is not None
