"""What a finished match is worth to each seat.

share   w - 1/n, where the winning seats share w = 1: zero-sum, with teams too
rank    from 1 for the first to -1 for the last; equals share the mean of their places
points  the game's own
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
from numpy.typing import NDArray

from regalia.core.arrays import Ints, Seats, States
from regalia.core.game import Game
from regalia.core.kernel import bind

REWARDS = ("share", "rank", "points")
Rewards = NDArray[np.float64]  # a row for each match, a column for each seat


def score(_state: object, _points: Ints, _ranks: Ints) -> None:
    raise RuntimeError("a template is bound to a game before it is called")


def score_batch(states: States, which: Seats, points: Ints, ranks: Ints) -> None:
    """A template: points and ranks of the matches whose numbers are given, a row each."""
    for k in range(which.size):
        score(states[which[k]], points[k], ranks[k])


@cache
def scorer(game: Game) -> Callable[[States, Ints, Ints, Ints], None]:
    return bind(score_batch, {"score": game.module("rules").score}, game.id, game.folder)


def rewards_of(game: Game, states: States, which: Ints, seats: int, reward: str) -> Rewards:
    """A row for each of the finished matches with these numbers."""
    points, ranks = np.zeros((2, which.size, game.engine.most_seats), np.int64)
    scorer(game)(states, which, points, ranks)
    return worth(points[:, :seats], ranks[:, :seats], reward)


def worth(points: Ints, ranks: Ints, reward: str) -> Rewards:
    if reward == "points":
        return points.astype(np.float64)
    seats = ranks.shape[1]
    if reward == "share":
        won = ranks == 1
        shared: Rewards = won / won.sum(1, keepdims=True) - 1 / seats
        return shared
    better = (ranks[:, None, :] < ranks[:, :, None]).sum(2)
    equal = (ranks[:, None, :] == ranks[:, :, None]).sum(2)
    places = 1 + better + (equal - 1) / 2
    ranked: Rewards = (seats + 1 - 2 * places) / (seats - 1)
    return ranked


def worth_of_forfeit(side: tuple[int, ...], seats: int, reward: str) -> Rewards:
    """One row: a side did what is not allowed and comes last. In points it gets -1 and the others nothing."""
    is_out = np.isin(np.arange(seats), side)
    return worth(-is_out[None].astype(np.int64), 1 + is_out[None].astype(np.int64), reward)
