"""Fitting knowledge to what was played, for any game: least cross-entropy, by descent along numerical slopes.

An evaluation is fitted to results, the method of Texel (a chess program): many games are played, by the game's policy
alone, in compiled code (`sample`), or fewer by a search (`self_play`), and quiet positions of each are kept with the
result of their game. Then the weights are sought under which `evaluate` foretells the results best.

A policy is fitted to what a search prefers: at the decisions of some games, the visits of each step.

Weights that the fitted kernel does not use have no slope and stay.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from regalia.bots.knowledge import evaluate, is_quiet, policy
from regalia.bots.search import Budget, Search, load_knowledge, load_weights
from regalia.bots.tree import draw_step
from regalia.core.algorithms import actors, apply, draws, legal, lowest, outcome, score
from regalia.core.arrays import Ints, Reals, Rng, States, Steps
from regalia.core.game import CHANCE, CHANCE_BIT, Game
from regalia.core.kernel import bind
from regalia.core.rng import below, seeded_rng

MOST_KEPT = 16  # positions of one game
STEP = 1e-3  # of the numerical slope, relative to the weight
POLICY_STEP = 0.05  # larger, since odds are whole numbers
RATE = 0.03  # of the descent, relative to the weight
PULL = 1e-4  # towards the weights in the beginning, so that what does not matter stays


def gather(
    start: States,
    games: int,
    every: int,
    weights: Reals,
    scratch: States,
    steps: Steps,
    odds: Ints,
    points: Ints,
    ranks: Ints,
    rng: Rng,
    kept: States,
    shares: Reals,
) -> int:
    """Play by the policy; keep one in `every` quiet positions with the result. Returns how many are kept."""
    state = scratch[0]
    size = 0
    for _ in range(games):
        first = size
        scratch[0] = start[0]
        who = actors(state)
        while who != 0:
            if who == CHANCE_BIT:
                actor = CHANCE
                step = outcome(state, below(rng, draws(state)))
            else:
                actor = lowest(who)
                if (
                    is_quiet(state)
                    and size < min(first + MOST_KEPT, kept.shape[0])
                    and below(rng, every) == 0
                ):
                    kept[size] = state
                    size += 1
                count = legal(state, actor, steps)
                total = policy(state, actor, steps, count, weights, odds) if count > 1 else 0
                step = draw_step(steps, odds, count, total, rng)
            apply(state, actor, step)
            who = actors(state)
        score(state, points, ranks)
        winners = 0
        for seat in range(int(state.seats)):
            winners += ranks[seat] == 1
        for k in range(first, size):
            for seat in range(int(state.seats)):
                shares[k, seat] = 1.0 / winners if ranks[seat] == 1 else 0.0
    return size


def evaluate_all(states: States, weights: Reals, values: Reals) -> None:
    for i in range(states.shape[0]):
        evaluate(states[i], weights, values[i])


class Sample(NamedTuple):
    states: States
    shares: Reals


class Decision(NamedTuple):
    """What a search thought of the legal steps."""

    states: States
    seat: int
    steps: Steps
    visits: Reals  # of each step, in shares


class Fitter:
    def __init__(self, game: Game, seats: int) -> None:
        known, engine = load_knowledge(game), game.engine
        names = engine.bound.names
        names.update(
            policy=known.module.policy, evaluate=known.module.evaluate, is_quiet=known.module.is_quiet
        )
        self.game, self.seats = game, seats
        self._gather = bind(gather, names, game.id, *known.folders)
        self._evaluate = bind(evaluate_all, names, game.id, *known.folders)
        self.start = load_weights(game, known.module)

    def sample(self, games: int, every: int, seed: int, weights: Mapping[str, float] | None = None) -> Sample:
        engine = self.game.engine
        values = np.array(list((weights or self.start).values()), np.float64)
        room = games * MOST_KEPT
        states, shares = engine.layout.empty(room), np.zeros((room, engine.most_seats))
        steps, odds = np.zeros(256, np.uint8), np.zeros(256, np.int64)
        points, ranks = np.zeros((2, engine.most_seats), np.int64)
        start = engine.start(self.seats, self.game.checked_options(self.seats, None))
        size = self._gather(
            start, games, every, values, engine.layout.empty(1), steps, odds, points, ranks,
            seeded_rng(seed), states, shares,
        )  # fmt: skip
        return Sample(states[:size].copy(), shares[:size].copy())

    def loss(self, sample: Sample, weights: Reals) -> float:
        """Mean cross-entropy per position."""
        values = np.zeros_like(sample.shares)
        self._evaluate(sample.states, weights, values)
        seats = self.seats
        normal = values[:, :seats] / values[:, :seats].sum(1, keepdims=True)
        logs: NDArray[np.float64] = np.log(np.clip(normal, 1e-6, 1.0))
        targets = sample.shares[:, :seats] / sample.shares[:, :seats].sum(1, keepdims=True)
        return float(-(targets * logs).sum(1).mean())

    def fit(self, sample: Sample, iterations: int = 150) -> dict[str, float]:
        """The weights under which the evaluation foretells the results best."""
        return self._descend(lambda weights: self.loss(sample, weights), STEP, iterations)

    def self_play(self, games: int, simulations: int, seed: int) -> tuple[Sample, list[Decision]]:
        """Games of a search against itself: its quiet positions with the results, and what it thought of its choices."""
        engine, rng = self.game.engine, seeded_rng(seed)
        is_quiet = load_knowledge(self.game).module.is_quiet
        search = Search(self.game, 2 * simulations + 2)
        kept: list[States] = []
        shares: list[Reals] = []
        decisions: list[Decision] = []
        for _ in range(games):
            first = len(kept)
            states = engine.start(self.seats, self.game.checked_options(self.seats, None))
            while due := engine.actors(states):
                seat = due[0]
                if seat == CHANCE:
                    draw = below(rng, int(engine.odds(states).sum()))
                    engine.apply(states, CHANCE, engine.outcome(states, draw))
                    continue
                legal_steps = engine.legal(states, seat)
                step = legal_steps[0]
                if len(legal_steps) > 1:
                    if is_quiet(states[0]):
                        kept.append(states.copy())
                    search.begin(len(decisions))
                    search.look(engine.seen(states, seat), seat)
                    search.run(Budget(simulations))
                    candidates = search.candidates()
                    tries = {candidate.step: candidate.visits for candidate in candidates}
                    visits = np.array([tries.get(one, 0) for one in legal_steps], np.float64)
                    steps = np.array(legal_steps, np.uint8)
                    decisions.append(Decision(states.copy(), seat, steps, visits / visits.sum()))
                    step = candidates[0].step
                engine.apply(states, seat, step)
            won = np.array(engine.score(states)[0]) == 1
            shares += [won / won.sum()] * (len(kept) - first)
        return Sample(np.concatenate(kept), np.array(shares)), decisions

    def policy_loss(self, decisions: list[Decision], weights: Reals) -> float:
        """Mean cross-entropy per decision."""
        choose = load_knowledge(self.game).module.policy
        odds = np.zeros(self.game.engine.steps, np.int64)
        loss = 0.0
        for states, seat, steps, visits in decisions:
            total = choose(states[0], seat, steps, len(steps), weights, odds)
            loss -= float(visits @ np.log(odds[: len(steps)] / total)) if total else -np.log(len(steps))
        return loss / len(decisions)

    def fit_policy(self, decisions: list[Decision], iterations: int = 150) -> dict[str, float]:
        """The weights under which the policy foretells the search best."""
        return self._descend(lambda weights: self.policy_loss(decisions, weights), POLICY_STEP, iterations)

    def _descend(self, loss: Callable[[Reals], float], step: float, iterations: int) -> dict[str, float]:
        """Adam (Kingma and Ba, 2014) on weights relative to their size in the beginning."""
        origin = np.array(list(self.start.values()), np.float64)
        size = np.maximum(np.abs(origin), 0.05)
        weights = origin.copy()
        first, second = np.zeros_like(weights), np.zeros_like(weights)
        for k in range(1, iterations + 1):
            slope = np.zeros_like(weights)
            for i in range(len(weights)):
                up, down = weights.copy(), weights.copy()
                up[i] += step * size[i]
                down[i] -= step * size[i]
                slope[i] = (loss(up) - loss(down)) / (2 * step)
            moves = slope != 0
            slope += PULL * (weights - origin) / size
            first = 0.9 * first + 0.1 * slope
            second = 0.999 * second + 0.001 * slope**2
            change = first / (1 - 0.9**k) / (np.sqrt(second / (1 - 0.999**k)) + 1e-12)
            weights[moves] -= (RATE * size * change)[moves]
        return dict(zip(self.start, weights.tolist(), strict=True))
