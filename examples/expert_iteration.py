"""A first policy for Carolus Magnus, learnt from nothing in a minute: expert iteration, with numpy alone.

    python examples/expert_iteration.py --plot learning.svg

The learner is one matrix: features times weights, a number for each step. The expert tries every step some times: the
learner plays on for some decisions, chance and random steps do the rest. What the expert likes best the learner is
taught, and the better it plays, the better the expert judges. Needs the extra `research` (and `plots` for the picture).
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regalia import GAMES, Batch, research
from regalia.research.rewards import rewards_of

GAME = GAMES["carolus_magnus"]
FEATURES = research.encoding(GAME)
Reals = NDArray[np.float64]


def choose(weights: Reals, seen: NDArray[Any], masks: NDArray[Any]) -> NDArray[np.uint8]:
    """The legal step with the highest number, in each match."""
    steps: NDArray[np.uint8] = np.where(masks > 0, seen @ weights, -np.inf).argmax(1).astype(np.uint8)
    return steps


def observe(batch: Batch) -> NDArray[Any]:
    seen = FEATURES.empty(len(batch))
    FEATURES.observe(batch.states, batch.seats, batch.engine.layout.empty(len(batch)), seen)
    return seen


def ask_expert(weights: Reals, at: Batch, tries: int, depth: int, seed: int) -> Reals:
    """For each match and step: what the seat in turn gained on the average; -inf where it is not legal."""
    match, step = at.masks.nonzero()
    trial = Batch(GAME, len(match) * tries, seed=seed)
    trial.resume(np.repeat(at.states[match], tries), trial.rngs)
    trial.step(np.repeat(step, tries))
    for _ in range(depth):
        trial.step(choose(weights, observe(trial), trial.masks))
    while (trial.seats >= 0).any():
        trial.step_at_random()
    gained = rewards_of(GAME, trial.states, np.arange(len(trial)), 2, "share").reshape(len(match), tries, 2)
    values = np.full(at.masks.shape, -np.inf)
    values[match, step] = gained.mean(1)[np.arange(len(match)), at.seats[match]]
    return values


def gather(weights: Reals, matches: int, tries: int, depth: int, seed: int) -> tuple[NDArray[Any], ...]:
    """Matches of the learner with itself: what was seen, what was legal, and what the expert would have done."""
    envs, rng = research.vector(GAME, matches, seed=seed), np.random.default_rng(seed)
    seen, infos = envs.reset()
    masks = infos["action_mask"]  # both are filled anew at every step
    rows: list[tuple[NDArray[Any], NDArray[Any], NDArray[Any]]] = []
    for _ in range(30):
        advice = ask_expert(weights, envs.batch, tries, depth, int(rng.integers(1 << 31)))
        rows.append((seen.copy(), masks.copy(), advice.argmax(1)))
        for _ in range(4):  # positions that follow each other are much alike
            anything = (masks * rng.random(masks.shape)).argmax(1)
            envs.step(np.where(rng.random(matches) < 0.2, anything, choose(weights, seen, masks)))
    return tuple(np.concatenate(part) for part in zip(*rows, strict=True))


def teach(weights: Reals, seen: NDArray[Any], masks: NDArray[Any], best: NDArray[Any], epochs: int) -> Reals:
    """Softmax regression on the legal steps."""
    rng, weights = np.random.default_rng(0), weights.copy()
    for epoch in range(epochs):
        for rows in np.array_split(rng.permutation(len(seen)), max(1, len(seen) // 64)):
            scores = np.where(masks[rows] > 0, seen[rows] @ weights, -np.inf)
            chances = np.exp(scores - scores.max(1, keepdims=True))
            chances /= chances.sum(1, keepdims=True)
            chances[np.arange(len(rows)), best[rows]] -= 1
            weights -= 0.5 / (1 + epoch) / len(rows) * (seen[rows].T @ chances)
    return weights


def measure(weights: Reals, matches: int, opponent: str, seed: int) -> float:
    """The share of the victories against a bot."""
    envs = research.vector(GAME, matches, opponents=opponent, seed=seed)
    seen, infos = envs.reset()
    masks, won, left = infos["action_mask"], np.zeros(matches), np.ones(matches, np.bool_)
    while left.any():
        _, gained, over, _, _ = envs.step(choose(weights, seen, masks))
        ended = over & left
        won[ended], left[ended] = gained[ended] + 0.5, False
    return float(won.mean())


def learn(
    rounds: int, matches: int, tries: int, depth: int, judged: int, opponent: str, seed: int = 1
) -> tuple[Reals, list[float]]:
    """The weights, and how they did after each round; the first figure is before any."""
    weights, shares = np.zeros((FEATURES.size, GAME.engine.steps)), []
    data: tuple[NDArray[Any], ...] = ()
    for number in range(rounds + 1):
        shares.append(measure(weights, judged, opponent, seed + 1000))
        print(f"after {number} rounds: {100 * shares[-1]:.1f} % against {opponent}", flush=True)
        if number < rounds:
            new = gather(weights, matches, tries, depth, seed + number)
            data = tuple(np.concatenate(parts) for parts in zip(data, new, strict=True)) if data else new
            seen, masks, best = data
            weights = teach(np.zeros_like(weights), seen, masks, best, epochs=10)
    return weights, shares


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name, value in (("rounds", 3), ("matches", 16), ("tries", 6), ("depth", 2), ("judged", 200)):
        parser.add_argument(f"--{name}", type=int, default=value)
    parser.add_argument("--against", default="random", help="the bot it is measured against")
    parser.add_argument("--plot", help="a picture of how it went")
    parser.add_argument("--save", help="a file for the weights")
    asked = parser.parse_args()
    weights, shares = learn(
        asked.rounds, asked.matches, asked.tries, asked.depth, asked.judged, asked.against
    )
    if asked.save:
        np.savez(asked.save, weights=weights, encoding=FEATURES.digest)
    if asked.plot:
        import matplotlib

        matplotlib.use("svg")
        import matplotlib.pyplot as plt

        figure, axes = plt.subplots(figsize=(6, 3.5), layout="constrained")
        axes.plot(range(len(shares)), [100 * share for share in shares], marker="o")
        axes.set(xlabel="rounds", ylabel=f"victories against {asked.against}, %", ylim=(0, 100))
        figure.savefig(asked.plot)


if __name__ == "__main__":
    main()
