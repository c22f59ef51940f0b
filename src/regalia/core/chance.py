"""Where chance comes from. The state holds no randomness: the caller draws, the record keeps the draw.

Two kinds: `Source` for a match (one number at a time, in Python), and the words of sfc32 for kernels, a small generator
kept in its own array of four 32-bit numbers in int64, so that compiled and plain Python give the same bits.
"""

from __future__ import annotations

import copy
import random
import secrets
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from regalia.core.errors import SetupError
from regalia.core.kernel import kernel

Ints = NDArray[np.int64]

LOW = 0xFFFFFFFF  # the low 32 bits


class Source(Protocol):
    """What a match draws from: a whole number below `total`; `kind` names what is drawn (the phase).

    A copy of a match draws from a copy of its source: the same numbers from here on, and neither disturbs the other.
    """

    def below(self, total: int, kind: str) -> int: ...

    def copy(self) -> Source: ...


class Secure:
    """The default: the operating system's randomness, which nobody can predict or repeat."""

    def below(self, total: int, kind: str) -> int:
        return secrets.randbelow(total)

    def copy(self) -> Secure:
        return self


SECURE = Secure()


class Seeded:
    """The same draws for the same seed, on every machine."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(checked_seed(seed))
        self._is_shared = False

    def below(self, total: int, kind: str) -> int:
        if self._is_shared:
            self._random, self._is_shared = copy.copy(self._random), False
        return self._random.randrange(total)

    def copy(self) -> Seeded:
        """The generator is copied only when either of the two draws: most copies of a match never do."""
        self._is_shared = True
        return copy.copy(self)


@dataclass(frozen=True)
class Chance:
    """Where a match's outcomes come from."""

    source: Source
    by_hand: str | None = None  # "manual": all outcomes are played; "dice": those that people could roll

    @classmethod
    def of(cls, seed: int | None, chance: Source | str | None) -> Chance:
        if chance is not None and not isinstance(chance, str):
            return cls(chance)
        if chance not in (None, "manual", "dice"):
            raise SetupError("error.chance", chance=chance)
        return cls(SECURE if seed is None else Seeded(seed), chance)

    def copy(self) -> Chance:
        return Chance(self.source.copy(), self.by_hand)


def checked_seed(seed: object) -> int:
    if not isinstance(seed, int) or isinstance(seed, bool):
        raise SetupError("error.seed", seed=repr(seed))
    return seed


def seeded_words(seed: int, stream: int = 0) -> Ints:
    """The generator's words for a seed; streams of one seed are independent (one per thread)."""
    entropy = np.random.SeedSequence([abs(checked_seed(seed)), int(seed < 0), stream])
    return entropy.generate_state(4, np.uint32).astype(np.int64)


@kernel
def next_word(words: Ints) -> int:
    """sfc32: 32 random bits."""
    a, b, c, counter = words[0], words[1], words[2], words[3]
    word = (a + b + counter) & LOW
    words[0] = b ^ (b >> 9)
    words[1] = (c + (c << 3)) & LOW
    words[2] = ((((c << 21) & LOW) | (c >> 11)) + word) & LOW
    words[3] = (counter + 1) & LOW
    return int(word)


@kernel
def below(words: Ints, total: int) -> int:
    """A number below total (1 … 2^31), by multiply and shift.

    No number is off its fair share by more than total / 2^32, too little for any count of playouts to show; rejecting
    the surplus would cost a division and thrice the time. A match draws from a `Source`, which is exact.
    """
    return int((next_word(words) * total) >> 32)
