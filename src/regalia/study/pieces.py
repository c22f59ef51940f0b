"""Long work in small pieces, so that who does it can pause, or leave it, between two of them."""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeVar

Result = TypeVar("Result")
Pieces = Generator[None, None, Result]  # each lasts some milliseconds; the result comes at the end

PIECE_S = 0.02


def finish(work: Pieces[Result]) -> Result:
    """Do all of it at once."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            result: Result = end.value
            return result
