"""To Court the King against its second witness; `scripts/agree.py court_the_king` plays tens of thousands of games."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

spec = importlib.util.spec_from_file_location("agree", Path(__file__).parents[3] / "scripts" / "agree.py")
assert spec is not None
assert spec.loader is not None
agree = importlib.util.module_from_spec(spec)
spec.loader.exec_module(agree)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_rules_and_oracle_agree_over_driven_games(seats: int) -> None:
    for seed in range(9):
        assert agree.play_both("court_the_king", seats, seed, driven=True, positions=0.3).outcome is not None


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_rules_and_oracle_agree_over_a_random_game(seats: int) -> None:
    assert agree.play_both("court_the_king", seats, seats, positions=0.3).outcome is not None
