"""Where a match's outcomes come from. No state holds randomness: the match draws, its record keeps the outcome.

Playouts and searches draw by themselves, from core/rng.py.
"""

from __future__ import annotations

import copy
import random
import secrets
from dataclasses import dataclass
from typing import Protocol

from regalia.core.errors import SetupError


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
    def of(cls, seed: int | None, chance: Chance | Source | str | None) -> Chance:
        if isinstance(chance, Chance):
            return chance
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
