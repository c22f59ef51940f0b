"""Ratings: one fit to all matches at once (Bradley and Terry's model on every pair of sides), in Elo points.

Sides of any number meet pairwise: the better rank beats the worse, equal ranks are half a victory each. A bootstrap over
deals gives the intervals. A weak prior (a draw against an average bot) keeps the unbeaten finite.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Reals = NDArray[np.float64]

ELO = 400 / math.log(10)
PRIOR = 1.0  # draws against an average bot
RESAMPLES = 200


@dataclass(frozen=True)
class Rating:
    bot: str
    elo: float  # 0 is the average of those who played
    low: float
    high: float


@dataclass(frozen=True)
class Meeting:
    """Two bots in one match: how often the first was ahead of the second (ties half), of so many comparisons."""

    deal: object
    one: str
    other: str
    won: float
    of: float


def meetings(deal: object, bots: Sequence[str], ranks: Sequence[int], sides: Sequence[int]) -> list[Meeting]:
    """Every pair of sides with different bots, weighted so that a match counts once."""
    first = {side: seat for seat, side in reversed(list(enumerate(sides)))}
    pairs = [
        (bots[a], bots[b], 1.0 if ranks[a] < ranks[b] else 0.0 if ranks[a] > ranks[b] else 0.5)
        for side, a in first.items()
        for rival, b in first.items()
        if side < rival and bots[a] != bots[b]
    ]
    return [Meeting(deal, one, other, won / len(pairs), 1 / len(pairs)) for one, other, won in pairs]


def fit(wins: Reals) -> Reals:
    """wins[i, j]: how often i was ahead of j. Strengths (natural units, mean 0) by Newton's method."""
    count = len(wins)
    strengths = np.zeros(count)
    games = wins + wins.T
    for _ in range(60):
        chance = 1 / (1 + np.exp(-(strengths[:, None] - strengths[None, :])))
        prior = 1 / (1 + np.exp(-strengths))
        slope = (wins - games * chance).sum(1) + PRIOR * (0.5 - prior)
        bend = games * chance * (1 - chance)
        matrix = np.diag(bend.sum(1) + PRIOR * prior * (1 - prior)) - bend
        change = np.clip(np.linalg.solve(matrix, slope), -1.0, 1.0)
        strengths += change
        if np.abs(change).max() < 1e-9:
            break
    centred: Reals = strengths - strengths.mean()
    return centred


def rate_bots(bots: Sequence[str], meetings: Sequence[Meeting], seed: int = 1) -> list[Rating]:
    """The ratings of all bots, best first, with 95 % intervals."""
    place = {bot: k for k, bot in enumerate(bots)}
    deals = sorted({meeting.deal for meeting in meetings}, key=repr)
    number = {deal: k for k, deal in enumerate(deals)}
    tables = np.zeros((len(deals), len(bots), len(bots)))
    for meeting in meetings:
        one, other = place[meeting.one], place[meeting.other]
        tables[number[meeting.deal], one, other] += meeting.won
        tables[number[meeting.deal], other, one] += meeting.of - meeting.won
    best = fit(tables.sum(0)) * ELO
    rng = np.random.default_rng(seed)
    samples = np.array(
        [fit(tables[rng.integers(0, len(deals), len(deals))].sum(0)) * ELO for _ in range(RESAMPLES)]
        if deals
        else [best]
    )
    low, high = np.percentile(samples, [2.5, 97.5], axis=0)
    ratings = [Rating(bot, float(best[k]), float(low[k]), float(high[k])) for bot, k in place.items()]
    return sorted(ratings, key=lambda rating: -rating.elo)
