"""Win rates with their intervals, what shared luck saves, and when enough was played."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

Z = 1.96  # 95 %
FEWEST_DEALS = 24  # before a question is decided


@dataclass(frozen=True)
class Rate:
    """The challenger's share of the victories."""

    share: float
    low: float
    high: float
    matches: int
    deals: int
    saved: (
        float  # part of the variance that playing each deal on every side takes away; below 0: it added some
    )


def wilson(share: float, count: float) -> tuple[float, float]:
    """Wilson's interval for a share of so many independent trials."""
    if count <= 0:
        return 0.0, 1.0
    spread = Z * math.sqrt(share * (1 - share) / count + Z * Z / (4 * count * count))
    middle = share + Z * Z / (2 * count)
    scale = 1 + Z * Z / count
    low, high = (middle - spread) / scale, (middle + spread) / scale
    return max(0.0, min(low, share)), min(1.0, max(high, share))  # rounding must not part them from the share


def share_of(ranks: Sequence[int], sides: Sequence[int], side: int) -> float:
    """What a side gets of a victory: all of it, its part among winners, or nothing."""
    winners = {sides[seat] for seat, rank in enumerate(ranks) if rank == 1}
    return 1 / len(winners) if side in winners else 0.0


def rate(shares: Iterable[tuple[object, float]]) -> Rate:
    """From (deal, share) of each match. Matches of one deal are not independent: whole deals are the sample."""
    by_deal: dict[object, list[float]] = defaultdict(list)
    for deal, share in shares:
        by_deal[deal].append(share)
    every = [share for group in by_deal.values() for share in group]
    matches, deals = len(every), len(by_deal)
    if matches == 0:
        return Rate(0.0, 0.0, 1.0, 0, 0, 0.0)
    mean = sum(every) / matches
    single = sum((share - mean) ** 2 for share in every) / matches
    means = [(sum(group) / len(group), len(group)) for group in by_deal.values()]
    clustered = sum((size * (value - mean)) ** 2 for value, size in means) / matches**2
    clustered *= deals / max(deals - 1, 1)
    saved = 1 - clustered * matches / single if single > 0 and deals > 1 else 0.0
    # Before many deals are played, do not believe in a variance smaller than half that of independent matches.
    spread = max(clustered, 0.5 * mean * (1 - mean) / matches)
    low, high = wilson(mean, mean * (1 - mean) / spread if spread > 0 else matches)
    return Rate(mean, low, high, matches, deals, saved)


def decided_by_deals(
    shares: Iterable[tuple[object, float]], low: float, high: float, error: float = 0.05
) -> str | None:
    """A sequential test: "above" when the share is rather `high` than `low`, "below", or None: play on.

    From (deal, share) of each match. Whole deals are the sample: Wald's ratio for the mean of normally spread deal means,
    not before FEWEST_DEALS of them.
    """
    by_deal: dict[object, list[float]] = defaultdict(list)
    for deal, share in shares:
        by_deal[deal].append(share)
    size = max(map(len, by_deal.values()), default=0)
    means = [sum(group) / size for group in by_deal.values() if len(group) == size]
    count = len(means)
    if count < FEWEST_DEALS:
        return None
    mean = sum(means) / count
    spread = sum((one - mean) ** 2 for one in means) / (count - 1)
    # As in `rate`: no smaller than half of what independent matches have, nor nothing where all was won.
    sure = min(max(mean, 0.5 / count), 1 - 0.5 / count)
    spread = max(spread, 0.5 * sure * (1 - sure) / size)
    ratio = count * (high - low) * (2 * mean - low - high) / (2 * spread)
    bound = math.log((1 - error) / error)
    return "above" if ratio >= bound else "below" if ratio <= -bound else None


def superiority_of(ranks: Sequence[int], sides: Sequence[int], side: int) -> float:
    """The part of the other sides that a side ranks above, equals counted half: fair is one half at any table."""
    rank_of = {own: ranks[seat] for seat, own in reversed(list(enumerate(sides)))}
    others = [rank for own, rank in rank_of.items() if own != side]
    mine = rank_of[side]
    return sum(1.0 if mine < rank else 0.5 if mine == rank else 0.0 for rank in others) / len(others)
