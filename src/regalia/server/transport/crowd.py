"""How many connections each address has, so that one cannot take the place of all others."""

from __future__ import annotations

from collections import Counter


class Crowd:
    def __init__(self, most_per_address: int) -> None:
        self._most = most_per_address
        self._counts: Counter[str] = Counter()

    def enter(self, address: str) -> bool:
        """False if the address has its share already."""
        if self._counts[address] >= self._most:
            return False
        self._counts[address] += 1
        return True

    def leave(self, address: str) -> None:
        self._counts[address] -= 1
        if not self._counts[address]:
            del self._counts[address]
