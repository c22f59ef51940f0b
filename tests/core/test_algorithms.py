"""The generic algorithms, small enough to run as plain Python too."""

from __future__ import annotations

import numpy as np
import pytest

from probe import GAME as PROBE
from regalia import GAMES, Batch, Match
from regalia.core import algorithms
from regalia.core import engine as engines

pytestmark = pytest.mark.plain


def test_playouts_of_the_probe_add_up() -> None:
    engine = PROBE.engine
    tally = engine.playouts(engine.start(4, {"target": "3"}), 6, seed=1, threads=2)
    assert tally.games == 6
    assert tally.steps > tally.decisions > 6 * 5
    assert sum(tally.reasons.values()) == 6
    assert tally.points[0] == tally.points[2]
    assert engine.playouts(engine.start(4, {}), 0, seed=1).points == (0.0, 0.0, 0.0, 0.0)


def test_perft_counts_draws_once_and_stops_at_the_end() -> None:
    engine = PROBE.engine
    start = engine.start(4, {})
    assert [engine.perft(start, depth) for depth in range(4)] == [1, 3, 9, 27]
    match = Match.new(PROBE, seed=2)
    while match.view()["rounds"] < 3 and match.actors:
        last = match.copy()
        match.play(match.actors[0], match.actions(match.actors[0])[-1])
    assert engine.perft(engine.layout.load(match.state_bytes()), 1) == 0
    assert engine.perft(engine.layout.load(last.state_bytes()), 2) >= 0


def test_a_batch_of_the_probe_runs_and_begins_anew() -> None:
    batch = Batch(PROBE, 4, seed=7)
    begun = 0
    for turn in range(80):
        batch.step_at_random()
        if turn % 5 == 0:
            begun += batch.restart()
    batch.restart()
    assert begun > 4
    steps = [int(np.flatnonzero(mask)[0]) for mask in batch.masks]
    with pytest.raises(ValueError, match="not legal"):
        batch.step([17 - step % 2 for step in steps] if batch.masks[0, 17] == 0 else [0, *steps[1:]])
    batch.step(steps)


def test_too_many_actions_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    match = Match.new(PROBE, seed=1)
    monkeypatch.setattr(engines, "MOST_ACTIONS", 1)
    with pytest.raises(AssertionError, match="MOST_ACTIONS"):
        match.engine.paths(match.engine.layout.load(match.state_bytes()), 0)


def test_a_template_is_bound_before_it_is_called() -> None:
    with pytest.raises(RuntimeError, match="bound"):
        algorithms.setup(None)


def test_a_position_names_only_options_that_exist() -> None:
    position = Match.new("rose_king", seed=1).position()
    with pytest.raises(ValueError, match="options"):
        Match.from_position("rose_king", {**position, "options": 7})
    assert GAMES["rose_king"].checked_options(2, None) == {}
