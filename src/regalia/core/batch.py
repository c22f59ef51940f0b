"""Many matches of one game at once, for training and research."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from regalia.core import algorithms
from regalia.core.arrays import Steps
from regalia.core.game import Game
from regalia.core.rng import seeded_rng


class Batch:
    """Many matches of one game, stepped together: arrays in, arrays out.

    After every call `seats[i]` owes a decision in match i (-1: it is over) and `masks[i]` says which steps are legal.
    Chance is played in between. `states` are whole, secrets included; `Engine.layout.visible` says who may see what.
    """

    def __init__(
        self,
        game: Game,
        count: int,
        seats: int | None = None,
        options: Mapping[str, object] | None = None,
        seed: int = 0,
    ) -> None:
        self.engine = game.engine
        players = game.checked_seats(seats)
        self._start = self.engine.start(players, game.checked_options(players, options))
        self.states = np.repeat(self._start, count)
        self.seats = np.full(count, algorithms.NEW, np.int8)
        self.masks = np.zeros((count, self.engine.steps), np.uint8)
        self.rng = seeded_rng(seed)
        self._lists = np.zeros((count, self.engine.steps), np.uint8)
        self._counts = np.zeros(count, np.int16)
        self._decisions = np.zeros(count, np.uint8)
        self._advance()

    def step(self, steps: Sequence[int] | Steps) -> None:
        """One legal step in each match; the entries of finished matches are ignored. Illegal ones change nothing."""
        decisions = np.asarray(steps)
        if (
            decisions.shape != self._decisions.shape
            or decisions.min(initial=0) < 0
            or decisions.max(initial=0) > 255
        ):
            raise ValueError(f"steps: {len(self._decisions)} step ids are needed, each 0..255")
        self._decisions[:] = decisions
        wrong = self.engine.bound.check_batch(self.seats, self.masks, self._decisions)
        if wrong >= 0:
            raise ValueError(f"match {wrong}: step {self._decisions[wrong]} is not legal")
        self._advance()

    def step_at_random(self) -> Steps:
        """A uniformly random legal step in each match; returns the steps."""
        algorithms.choose_batch(self._lists, self._counts, self._decisions, self.rng)
        self._advance()
        return self._decisions

    def _advance(self) -> None:
        self.engine.bound.step_batch(
            self.states, self.seats, self.masks, self._lists, self._counts, self._decisions, self.rng
        )

    def restart(self) -> int:
        """Begin finished matches anew; returns how many."""
        over = self.seats == algorithms.OVER
        count = int(over.sum())
        if count:
            self.states[over] = self._start
            self.seats[over] = algorithms.NEW
            # Those that go on wait: for them the seat is OVER while chance begins the others.
            seats = np.where(over, self.seats, np.int8(algorithms.OVER))
            self.engine.bound.step_batch(
                self.states, seats, self.masks, self._lists, self._counts, self._decisions, self.rng
            )
            self.seats[over] = seats[over]
        return count
