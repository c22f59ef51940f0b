"""The examples learn what they say, in a size that takes seconds."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from regalia import SetupError, research
from regalia.arena.suite import SUITE, TRACKS
from regalia.bots.opponents import VERSION
from regalia.core.registry import GAMES
from research.apart import ROOT, run_apart

EXAMPLES = ROOT / "examples"


def example(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_expert_iteration_learns_to_beat_random_play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The commands of docs/research.md, smaller."""
    plot, weights = tmp_path / "learning.svg", tmp_path / "weights.npz"
    sizes = ["--rounds", "1", "--matches", "8", "--tries", "4", "--depth", "1", "--judged", "40"]
    monkeypatch.setattr(sys, "argv", ["x", *sizes, "--plot", str(plot), "--save", str(weights)])
    example("expert_iteration").main()
    before, after = [float(line.split()[3]) for line in capsys.readouterr().out.splitlines()]
    assert before < 60
    assert after > 65  # fair is 50; 90 and more were seen
    assert plot.read_text("utf-8").startswith("<?xml")
    kept = np.load(weights)
    research.encoding("carolus_magnus").check(str(kept["encoding"]))
    with pytest.raises(SetupError, match="another encoding"):
        research.encoding("rose_king").check(str(kept["encoding"]))


@pytest.mark.long
def test_regret_minimisation_comes_near_the_value_of_the_crown() -> None:
    said = run_apart("python", "examples/mccfr.py", "--rounds", "20000", extras=("openspiel",))
    words = said.splitlines()[-1].replace(",", "").split()
    assert float(words[3]) == pytest.approx(4399 / 6408, abs=0.02)
    assert float(words[5]) < 0.05


def test_the_leaderboard_has_results_of_the_suite() -> None:
    rows = json.loads((ROOT / "leaderboard.json").read_text("utf-8"))
    assert {row["entry"] for row in rows} >= {"random"}
    for row in rows:
        assert row["game"] in GAMES
        assert row["track"] in TRACKS
        assert 0 <= row["low"] <= row["superiority"] <= row["high"] <= 1
        assert len(row["digest"]) == 64
        if row["suite"] == SUITE:
            assert row["bots"] <= VERSION
