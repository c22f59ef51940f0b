"""What a seat sees as numbers: the slices of a game's features, as its `encode.py` declares them.

    SLICES = (Slice("own_hand", 24, 0, 1, "the cards in the own hand"), …)
    OWN_HAND, RIVAL_HAND, … = starts(SLICES)

`encode(state, seat, out)` fills a row of float32 from a state that is blanked to what the seat may see.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from regalia.core.kernel import kernel

Features = NDArray[np.float32]


class Slice(NamedTuple):
    """Some neighbouring numbers that belong together."""

    name: str
    size: int
    low: float  # none of them is below
    high: float  # nor above
    sentence: str  # what they say


def starts(slices: Iterable[Slice]) -> list[int]:
    """Where each slice begins."""
    return [0, *accumulate(part.size for part in slices)][:-1]


@kernel
def fill_scaled(out: Features, start: int, counts: NDArray[np.uint8], size: int, scale: float) -> None:
    """Counts as parts of what they can come to."""
    for k in range(size):
        out[start + k] = int(counts[k]) / scale
