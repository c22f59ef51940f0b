"""Many matches of one game at once, for training and research."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from itertools import pairwise
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from regalia.core import algorithms
from regalia.core.algorithms import NEW, OVER
from regalia.core.arrays import Rngs, Seats, States, Steps
from regalia.core.errors import SetupError
from regalia.core.game import Game
from regalia.core.rng import Purpose, seeded_rng

Item = TypeVar("Item")
Result = TypeVar("Result")


class Batch:
    """Many matches of one game, stepped together: arrays in, arrays out.

    After every call `seats[i]` owes a decision in match i (-1: it is over) and `masks[i]` says which steps are legal.
    Chance is played in between. `states` are whole, secrets included; `Engine.layout.visible` says who may see what.

    Each match has random streams of its own (`rngs[i]`), one for chance and one for steps chosen at random: match i of
    a seed is the same in a batch of any size, with any number of threads, and so are those that follow it there.
    """

    def __init__(
        self,
        game: Game,
        count: int,
        seats: int | None = None,
        options: Mapping[str, object] | None = None,
        seed: int = 0,
        start: States | None = None,
        threads: int = 1,
        first: int = 0,
    ) -> None:
        """`start`: one state to begin from instead of the usual one; seats and options are then its own.

        `first`: the number of the first match, where one seed's matches are shared out among batches.
        """
        if threads < 1 or count < 1:
            raise SetupError("error.batch", count=count, threads=threads)
        self.engine = game.engine
        if start is None:
            players = game.checked_seats(seats)
            start = self.engine.start(players, game.checked_options(players, options))
        self.start = start
        self.threads = threads
        self.states = np.repeat(start, count)
        self.seats = np.full(count, NEW, np.int8)
        self.masks = np.zeros((count, self.engine.steps), np.uint8)
        self.seed, self.first = seed, first
        self.rngs = self.streams(Purpose.CHANCE)
        self._lists = np.zeros((count, self.engine.steps), np.uint8)
        self._counts = np.zeros(count, np.int16)
        self.decisions = np.zeros(count, np.uint8)  # what `advance` does next
        self.advance()

    def __len__(self) -> int:
        return len(self.states)

    def streams(self, purpose: Purpose) -> Rngs:
        """A generator per match."""
        matches = range(self.first, self.first + len(self))
        return np.stack([seeded_rng(self.seed, match, purpose) for match in matches])

    @cached_property
    def choices(self) -> Rngs:
        """What `step_at_random` draws from."""
        return self.streams(Purpose.CHOICES)

    def step(self, steps: Sequence[int] | Steps) -> None:
        """One legal step in each match; the entries of finished matches are ignored. Illegal ones change nothing."""
        decisions = np.asarray(steps)
        if (
            decisions.shape != self.decisions.shape
            or decisions.dtype.kind not in "iu"
            or decisions.min(initial=0) < 0
            or decisions.max(initial=0) > 255
        ):
            raise ValueError(f"steps: {len(self)} step ids are needed, each 0..255")
        self.decisions[:] = decisions
        wrong = self.engine.bound.check_batch(self.seats, self.masks, self.decisions)
        if wrong >= 0:
            raise ValueError(f"match {wrong}: step {self.decisions[wrong]} is not legal")
        self.advance()

    def step_at_random(self) -> Steps:
        """A uniformly random legal step in each match; returns the steps."""
        algorithms.choose_batch(self._lists, self._counts, self.decisions, self.choices)
        self.advance()
        return self.decisions

    def step_some(self, which: NDArray[np.bool_], steps: Steps) -> None:
        """A step in some of the matches, known to be legal; the others wait."""
        self.decisions[:] = steps
        # For those that wait the seat is OVER meanwhile: nothing happens to them.
        seats = np.where(which, self.seats, np.int8(OVER))
        self.advance(seats)
        self.seats[which] = seats[which]

    def advance(self, seats: Seats | None = None) -> None:
        """Do what was decided, then chance, in every match that is not over."""
        self.over_slices(
            lambda part: self.engine.bound.step_batch(
                self.states[part],
                (self.seats if seats is None else seats)[part],
                self.masks[part],
                self._lists[part],
                self._counts[part],
                self.decisions[part],
                self.rngs[part],
            )
        )

    def resume(self, states: States, rngs: Rngs) -> None:
        """Go on with these states, each awaiting a decision or over, and these streams."""
        self.states[:], self.rngs[:] = states, rngs
        self.seats[:] = NEW  # there is nothing for chance to do: they are only looked at
        self.advance()

    def over_slices(self, work: Callable[[slice], None]) -> None:
        """Do something for all matches, a slice of them in each thread."""
        if self.threads == 1:
            work(slice(None))
            return
        bounds = [len(self) * thread // self.threads for thread in range(self.threads + 1)]
        self.share(work, [slice(*pair) for pair in pairwise(bounds)])

    def share(self, work: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
        """Do something for each of some items, spread over the threads."""
        return list(map(work, items) if self.threads == 1 else self._pool.map(work, items))

    @cached_property
    def _pool(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(self.threads)

    def restart(self, which: NDArray[np.bool_] | None = None) -> int:
        """Begin finished matches anew, or those in `which`; returns how many."""
        ended = self.seats == OVER if which is None else which
        count = int(ended.sum())
        if count:
            self.states[ended] = self.start
            self.seats[ended] = NEW
            self.step_some(ended, self.decisions)
        return count
