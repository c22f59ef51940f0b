"""Rewards on the way come to the same as the one at the end, and tell nothing that the learner may not know."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from driving import name_of, walk
from regalia import GAMES, Game, SetupError, research
from regalia.research.shaping import Shaped


@pytest.mark.parametrize("game", GAMES.values(), ids=name_of)
def test_they_add_up_to_the_reward_of_the_end(game: Game) -> None:
    env = Shaped(research.solo(game, opponents="random", seat=1))
    _, info = env.reset(seed=4)
    rng = np.random.default_rng(3)
    first, total, promises, over = info["promise"], 0.0, {0.0}, False
    while not over:
        step = int(rng.choice(np.flatnonzero(info["action_mask"])))
        _, reward, over, _, info = env.step(step)
        total += reward
        promises.add(info["promise"])
    true = info["rewards"][1]
    assert info["promise"] == 0.0
    assert total == pytest.approx(true - first)
    assert len(promises) > 5
    assert all(-1 / env.solo.setting.seats <= promise <= 1 for promise in promises)


def test_the_future_counts_less_by_the_discount() -> None:
    envs = [
        Shaped(research.solo("rose_king", opponents="random", seat=0), discount) for discount in (1.0, 0.5)
    ]
    infos = [env.reset(seed=4)[1] for env in envs]
    step = int(infos[0]["action_mask"].argmax())
    told = [env.step(step) for env in envs]
    assert told[0][1] - told[1][1] == pytest.approx(0.5 * told[0][4]["promise"])
    assert told[0][4]["promise"] != 0


def test_they_do_not_depend_on_what_the_learner_cannot_know() -> None:
    env = Shaped(research.solo("long_live_the_king", 3, opponents="random", seat=0))
    env.reset(seed=1)
    batch, judged = env.solo.episode.batch, set()
    for match in islice(walk(GAMES["long_live_the_king"], 3, 23), 0, None, 7):
        told = []
        for world in (match, match.redeal(0, 3), match.redeal(0, 4)):
            batch.resume(world._states, batch.rngs)
            told.append(env._judged())
        assert told[0] == told[1] == told[2]
        judged.add(told[0])
    assert len(judged) > 10


def test_only_a_learner_against_bots_has_a_promise_of_its_own() -> None:
    with pytest.raises(SetupError, match="opponents"):
        Shaped(research.solo("rose_king"))
