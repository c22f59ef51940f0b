"""Rewards on the way: what a position promises by the bots' evaluation, so that learning need not wait for the end.

The reward becomes r + discount · Φ(after) - Φ(before), where Φ is the share of the victory that the learner can expect,
less a fair share, and 0 at the end. Whatever is best without it is best with it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import gymnasium
import numpy as np

from regalia.bots.search import Knowledge, load_knowledge
from regalia.bots.tree import evaluate, is_quiet
from regalia.core.arrays import Reals, States
from regalia.core.errors import SetupError
from regalia.core.game import Game
from regalia.core.kernel import bind
from regalia.core.rng import seeded_rng
from regalia.research.solo_env import SoloEnv


def judge(states: States, weights: Reals, values: Reals) -> bool:
    """A template: the evaluation of a state, if it may be judged now."""
    if not is_quiet(states[0]):
        return False
    evaluate(states[0], weights, values)
    return True


@cache
def judge_of(game: Game) -> tuple[Knowledge, Callable[[States, Reals, Reals], bool]]:
    known = load_knowledge(game)
    return known, bind(judge, known.names, game.id, *known.folders)


class Shaped(gymnasium.Wrapper[Any, int, Any, int]):
    """An environment for one learner against bots, with rewards on the way.

    Φ is judged from what the learner may know; in the middle of a turn, where the evaluation cannot judge, it stays as
    it was. `info["promise"]` tells it.
    """

    def __init__(self, env: gymnasium.Env[Any, int], discount: float = 1.0) -> None:
        super().__init__(env)
        solo = env.unwrapped
        if not isinstance(solo, SoloEnv) or solo.bots is None:
            raise SetupError(
                "research.error.value", name="env", value=repr(env), allowed="solo(…, opponents=…)"
            )
        self.solo, self.discount, self.promise = solo, discount, 0.0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        observation, info = self.env.reset(seed=seed, options=options)
        self.promise = 0.0
        self.promise = self._judged()
        return observation, {**info, "promise": self.promise}

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        observation, reward, terminated, truncated, info = self.env.step(action)
        before, self.promise = self.promise, 0.0 if terminated else self._judged()
        shaped = float(reward) + self.discount * self.promise - before
        return observation, shaped, terminated, truncated, {**info, "promise": self.promise}

    def _judged(self) -> float:
        """What the learner can expect, less a fair share."""
        game, seat, seats = self.solo.setting.game, self.solo.seat, self.solo.setting.seats
        known, judging = judge_of(game)
        values = np.zeros(game.engine.most_seats)
        world = game.engine.redeal(self.solo.episode.batch.states, seat, seeded_rng(0))
        if not judging(world, known.weights, values):
            return self.promise
        return float(values[seat]) - 1 / seats
