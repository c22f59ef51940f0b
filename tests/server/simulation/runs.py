"""Many seeds, one after the other; those that failed once come first."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from pathlib import Path

from server.simulation.bugs import BUGS
from server.simulation.shrinking import shrunk
from server.simulation.story import Result, Step, Story, plan

KEPT = Path(__file__).with_name("seeds.json")  # seeds that found something, with the number of workers


def kept_seeds() -> list[tuple[int, int | None]]:
    """They run first, each with its number of workers (None: what the seed draws)."""
    return [(seed, workers) for seed, workers in json.loads(KEPT.read_text("utf-8"))]


def keep(seed: int, workers: int | None) -> None:
    seeds = [list(kept) for kept in kept_seeds()]
    if [seed, workers] not in seeds:
        KEPT.write_text(json.dumps([*seeds, [seed, workers]]) + "\n", "utf-8")


def run(
    seed: int,
    workers: int | None = None,
    bug: str | None = None,
    switched_off: frozenset[str] = frozenset(),
    steps: list[Step] | None = None,
) -> Result:
    with BUGS[bug].made() if bug else nullcontext():
        return Story(seed, workers, steps).run(switched_off)


def run_all(seeds: Iterable[int], workers: int | None = None, bug: str | None = None) -> Iterator[Result]:
    for seed in seeds:
        yield run(seed, workers, bug)


def shortest(failed: Result, workers: int | None, bug: str | None) -> list[Step]:
    """The steps of a failing seed that are needed for the same invariant to fail."""
    kinds = {violation.partition(":")[0] for violation in failed.violations}

    def fails(steps: list[Step]) -> bool:
        found = run(failed.seed, workers, bug, steps=steps).violations
        return bool(kinds & {violation.partition(":")[0] for violation in found})

    return shrunk(plan(failed.seed), fails)
