"""Several workers over one store in virtual time, while everything breaks that can break (`server/simulation`)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from server.simulation import bugs, runs
from server.simulation.story import Step

ROOT = Path(__file__).parents[2]
IN_EVERY_TEST = 200
PARTS = 10  # a part that fails says which seed
DIGESTS = """
import sys
sys.path.insert(0, "tests")
from server.simulation.runs import run
print([run(seed).digest for seed in (3, 8)])
"""


def fails(seeds: list[tuple[int, int | None]]) -> list[str]:
    results = [(seed, runs.run(seed, workers).violations) for seed, workers in seeds]
    return [f"seed {seed}: {violations[:3]}" for seed, violations in results if violations]


def test_what_was_found_once_is_not_there_any_more() -> None:
    assert fails(runs.kept_seeds()) == []


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_whatever_breaks_nothing_is_lost_doubled_reordered_or_unfair(part: int) -> None:
    assert fails([(seed, None) for seed in range(part, IN_EVERY_TEST, PARTS)]) == []


@pytest.mark.long
@pytest.mark.parametrize("part", range(20))
def test_the_same_for_two_thousand_seeds(part: int) -> None:
    first = 200 + part * 90
    assert fails([(seed, None) for seed in range(first, first + 90)]) == []


def test_stories_are_eventful() -> None:
    """Else they would prove little."""
    results = [runs.run(seed, 3) for seed in range(4)]
    assert sum(result.kills for result in results) > 0
    assert sum(result.conflicts for result in results) > 10
    assert sum(result.acks for result in results) > 100
    assert sum(result.frames for result in results) > 400


def test_the_same_seed_leads_to_the_same_log_whatever_the_order_of_hashes() -> None:
    told = {
        subprocess.run(
            [sys.executable, "-c", DIGESTS],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "random")
    }
    assert told == {f"{[runs.run(seed).digest for seed in (3, 8)]}\n"}


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(bugs.BUGS))
def test_a_mistake_in_the_server_is_noticed_by_its_invariants_and_by_no_others(name: str) -> None:
    bug = bugs.BUGS[name]
    assert max(len(bug.right.splitlines()), len(bug.wrong.splitlines())) <= bugs.MOST_LINES
    seeds = range(bug.from_seed, bug.from_seed + 500)
    caught = next(result for seed in seeds if (result := runs.run(seed, bug=name)).violations)
    assert runs.run(caught.seed).violations == []
    assert runs.run(caught.seed, bug=name, switched_off=bug.seen_by).violations == []


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(bugs.BUGS))
def test_a_mistake_escapes_where_its_invariants_are_switched_off(name: str) -> None:
    bug = bugs.BUGS[name]
    seeds = range(bug.from_seed, bug.from_seed + 500)
    assert [seed for seed in seeds if runs.run(seed, bug=name, switched_off=bug.seen_by).violations] == []


@pytest.mark.long
def test_a_story_that_fails_is_made_shorter_until_every_step_is_needed() -> None:
    failed = next(
        result for seed in range(500) if (result := runs.run(seed, bug="ack_before_commit")).violations
    )
    needed = runs.shortest(failed, None, "ack_before_commit")
    assert len(needed) < 12
    assert runs.run(failed.seed, bug="ack_before_commit", steps=needed).violations


def test_leaving_out_steps_ends_where_nothing_can_be_left_out() -> None:
    steps = [Step(float(number), "chat", (number, 0, 0)) for number in range(40)]
    needed = runs.shrunk(steps, lambda fewer: {steps[3], steps[30]} <= set(fewer))
    assert needed == [steps[3], steps[30]]
