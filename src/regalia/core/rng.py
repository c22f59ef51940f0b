"""Randomness for kernels: sfc32, whose state is its own array of four 32-bit numbers in int64.

So compiled and plain Python give the same bits, and no game's state holds any. A match draws from core/chance.py.
"""

from __future__ import annotations

import numpy as np

from regalia.core.arrays import Rng
from regalia.core.chance import checked_seed
from regalia.core.kernel import kernel

LOW = 0xFFFFFFFF  # the low 32 bits


def seeded_rng(seed: int, stream: int = 0) -> Rng:
    """A generator for a seed; streams of one seed are independent (one per thread)."""
    entropy = np.random.SeedSequence([abs(checked_seed(seed)), int(seed < 0), stream])
    return entropy.generate_state(4, np.uint32).astype(np.int64)


@kernel
def next_bits(rng: Rng) -> int:
    """32 random bits."""
    a, b, c, counter = rng[0], rng[1], rng[2], rng[3]
    bits = (a + b + counter) & LOW
    rng[0] = b ^ (b >> 9)
    rng[1] = (c + (c << 3)) & LOW
    rng[2] = ((((c << 21) & LOW) | (c >> 11)) + bits) & LOW
    rng[3] = (counter + 1) & LOW
    return int(bits)


@kernel
def below(rng: Rng, total: int) -> int:
    """A number below total (1 … 2^31), by multiply and shift.

    No number is off its fair share by more than total / 2^32, too little for any count of playouts to show; rejecting
    the surplus would cost a division and three times the time. A match draws from a `Source`, which is exact.
    """
    return int((next_bits(rng) * total) >> 32)
