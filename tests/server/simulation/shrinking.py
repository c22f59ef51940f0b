"""A story that fails, made shorter: steps are left out as long as it still fails in the same way."""

from __future__ import annotations

from collections.abc import Callable

from server.simulation.story import Step

MOST_RUNS = 400


def shrunk(steps: list[Step], fails: Callable[[list[Step]], bool]) -> list[Step]:
    """Halves first, then smaller parts, then single steps."""
    runs = 0
    size = max(1, len(steps) // 2)
    while True:
        number, is_shorter = 0, False
        while number < len(steps):
            fewer = steps[:number] + steps[number + size :]
            runs += 1
            if runs > MOST_RUNS:
                return steps
            if fails(fewer):
                steps, is_shorter = fewer, True
            else:
                number += size
        if size == 1 and not is_shorter:
            return steps
        size = max(1, size // 2)
