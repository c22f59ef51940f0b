"""Toys by name, to begin environments from: `research.aec("rose_king", start=research.toy("rose_king", "roses"))`."""

from __future__ import annotations

from regalia.core.arrays import States
from regalia.core.game import Game
from regalia.core.match import Match
from regalia.core.toys import start_of_toy


def toy(game: str | Game, name: str) -> States:
    """The state that a toy begins from."""
    return start_of_toy(Match.find(game), name)
