"""The Rose King against its second witness; `scripts/agree.py rose_king` plays tens of thousands of games."""

from __future__ import annotations

import importlib.util
from pathlib import Path

spec = importlib.util.spec_from_file_location("agree", Path(__file__).parents[3] / "scripts" / "agree.py")
assert spec is not None
assert spec.loader is not None
agree = importlib.util.module_from_spec(spec)
spec.loader.exec_module(agree)


def test_rules_and_oracle_agree_over_300_random_games() -> None:
    for seed in range(300):
        assert agree.play_both("rose_king", 2, seed).outcome is not None
