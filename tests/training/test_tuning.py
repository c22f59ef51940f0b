"""Tuner and fit: weights move the right way, and a stopped tuning goes on as if it had not been stopped."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import regalia
from regalia import GAMES, SetupError
from regalia.training.fit import Fitter
from regalia.training.tune import Tuner, Tuning

TINY = Tuning("rose_king", 2, simulations=8, iterations=4, deals=1, names=("own", "rival"))


def test_a_stopped_tuning_goes_on_as_if_it_had_not_been(tmp_path: Path) -> None:
    assert regalia.Match is not None
    whole = Tuner(TINY)
    whole.run()
    path = tmp_path / "tuning.json"
    first = Tuner(TINY, path)
    first.step()
    first.step()
    first.save()
    again = Tuner(TINY, path)
    assert again.done == 2
    again.run()
    assert again.mean == whole.mean
    assert again.matches == whole.matches == 8
    assert set(again.mean) == {"own", "rival"}
    data = again.as_data("none")
    assert set(data["weights"]) > {"own", "rival", "draw"}
    assert data["found"]["matches"] == 8


def test_another_tunings_file_and_an_unknown_weight_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "tuning.json"
    Tuner(TINY, path).save()
    with pytest.raises(SetupError, match="another contest"):
        Tuner(Tuning("rose_king", 2), path)
    with pytest.raises(SetupError, match="no weight called luck"):
        Tuner(Tuning("rose_king", 2, names=("luck",)))


@pytest.mark.slow
def test_a_fit_foretells_results_better_also_of_games_it_has_not_seen() -> None:
    fitter = Fitter(GAMES["rose_king"], 2)
    seen, unseen = fitter.sample(1500, 4, 1), fitter.sample(500, 4, 2)
    assert len(seen.states) > 5000
    fitter.start["late_point"] *= 4  # far too sure of itself
    spoilt = np.array(list(fitter.start.values()))
    found = fitter.fit(seen, iterations=40)
    fitted = np.array(list(found.values()))
    assert fitter.loss(unseen, fitted) < fitter.loss(unseen, spoilt) - 0.01
    assert found["own"] == fitter.start["own"]  # the policy's weights do not matter to the evaluation


@pytest.mark.slow
def test_a_fitted_policy_foretells_a_search_better_also_in_games_it_has_not_seen() -> None:
    fitter = Fitter(GAMES["rose_king"], 2)
    (sample, seen), (_, unseen) = fitter.self_play(4, 400, 1), fitter.self_play(2, 400, 2)
    assert len(seen) > 100
    assert len(sample.states) == len(sample.shares) == len(seen)  # in this game every decision is quiet
    assert np.all(sample.shares.sum(1) == 1)
    fitter.start["own"] = -1.0  # as if own neighbours were bad
    fitter.start["draw"] = 4.0
    spoilt = np.array(list(fitter.start.values()))
    found = fitter.fit_policy(seen, iterations=40)
    fitted = np.array(list(found.values()))
    assert fitter.policy_loss(unseen, fitted) < fitter.policy_loss(unseen, spoilt) - 0.05
    assert (
        found["late_point"] == fitter.start["late_point"]
    )  # the evaluation's weights do not matter to the policy
