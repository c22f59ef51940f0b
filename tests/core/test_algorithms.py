"""The generic algorithms, small enough to run as plain Python too."""

from __future__ import annotations

import numpy as np
import pytest

from probe import GAME as PROBE
from regalia import GAMES, Batch, Match, SetupError
from regalia.core import algorithms
from regalia.core import engine as engines
from regalia.core.rng import Stream, seeded_rng

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


def test_a_match_of_a_batch_is_the_same_in_a_batch_of_any_size_with_any_number_of_threads() -> None:
    told = []
    for count, first, threads in ((4, 0, 1), (3, 1, 2), (1, 3, 1), (6, 0, 3)):
        batch = Batch(PROBE, count, seed=7, first=first, threads=threads)
        match, states = 3 - first if count > 1 else 0, []
        for _ in range(40):
            batch.step_at_random()
            batch.restart()
            states.append(batch.states[match].tobytes())
        told.append(states)
    assert told[0] == told[1] == told[2] == told[3]
    batch.restart(np.arange(6) == 2)
    assert batch.states[3].tobytes() == states[-1]


def test_a_batch_begins_and_goes_on_where_it_is_told() -> None:
    batch = Batch(PROBE, 2, seed=1)
    for _ in range(5):
        batch.step_at_random()
    other = Batch(PROBE, 2, seed=9, start=batch.states[:1].copy())
    assert other.states[0].tobytes() == other.states[1].tobytes() == batch.states[0].tobytes()
    other.resume(batch.states, batch.rngs)
    steps = [int(mask.argmax()) for mask in batch.masks]
    batch.step(steps)
    other.step(steps)
    assert other.states.tobytes() == batch.states.tobytes()
    assert (other.masks == batch.masks).all()
    for wrong in ({"count": 0}, {"count": 2, "threads": 0}):
        with pytest.raises(SetupError, match="at least one match"):
            Batch(PROBE, **wrong)
    with pytest.raises(ValueError, match="2 step ids"):
        batch.step([0.5, 1.5])


def test_a_match_draws_as_a_batch_does_from_the_same_stream() -> None:
    batch = Batch(PROBE, 1, seed=5)
    match = Match.new(PROBE, chance=Stream(seeded_rng(5)))
    assert match.state_bytes() == batch.states.tobytes()
    twin = match.copy()
    for one in (match, twin):
        while len(one.actors) > 1 or one.phase == "stake":
            one.play(one.actors[0], one.actions(one.actors[0])[0])
    assert match == twin


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
