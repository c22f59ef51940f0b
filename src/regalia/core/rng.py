"""Randomness for kernels: sfc32, whose state is its own array of four 32-bit numbers in int64.

So compiled and plain Python give the same bits, and no game's state holds any. A match draws from core/chance.py.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from regalia.core.arrays import Rng
from regalia.core.chance import checked_seed
from regalia.core.kernel import kernel

LOW = 0xFFFFFFFF  # the low 32 bits


class Purpose(IntEnum):
    """What a generator is for. Those of one seed and stream are independent of each other."""

    CHANCE = 0
    CHOICES = 1  # steps chosen at random
    BOTS = 2
    SEATS = 3  # who sits where
    SPACES = 4  # samples of an environment's action spaces


def seeded_rng(seed: int, stream: int = 0, purpose: Purpose = Purpose.CHANCE) -> Rng:
    """A generator for a seed; streams of one seed are independent (one per thread, or per match of a batch)."""
    entropy = [abs(checked_seed(seed)), int(seed < 0), stream]
    sequence = np.random.SeedSequence(entropy, spawn_key=(purpose,) if purpose else ())
    return sequence.generate_state(4, np.uint32).astype(np.int64)


class Stream:
    """Draws of a match from such a generator: a kernel given the same one draws the same (a `Source`)."""

    def __init__(self, rng: Rng) -> None:
        self.rng = rng

    def below(self, total: int, kind: str) -> int:
        return below(self.rng, total)

    def copy(self) -> Stream:
        return Stream(self.rng.copy())


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
