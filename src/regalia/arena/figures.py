"""Win rates with their intervals, what shared luck saves, and when enough was played."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

Z = 1.96  # 95 %


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


def decided(won: float, lost: float, low: float, high: float, error: float = 0.05) -> str | None:
    """Wald's sequential test: "above" when the share is rather `high` than `low`, "below", or None: play on."""
    ratio = won * math.log(high / low) + lost * math.log((1 - high) / (1 - low))
    bound = math.log((1 - error) / error)
    return "above" if ratio >= bound else "below" if ratio <= -bound else None
