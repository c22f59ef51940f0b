"""Toys: tiny endgames of the shipped rules whose value is known, so that searches and learners can be held to it.

A game's `toys.py` has them by name. They are states written directly, which no match need reach: part of a board is off
it, or a supply is empty.

    TOYS = {"roses": Toy(2, roses, 0.5), …}
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from regalia.core.arrays import States
from regalia.core.errors import SetupError
from regalia.core.game import Game


@dataclass(frozen=True)
class Toy:
    seats: int
    write: Callable[[Any], None]  # fills a state in which the seats are written and all else is 0
    value: float  # the first seat's share of the victory when everybody does best
    is_open: bool = True  # whether everybody knows everything, so that one best step can be told


def toys_of(game: Game) -> Mapping[str, Toy]:
    toys: Mapping[str, Toy] = getattr(game.part("toys"), "TOYS", {})
    return toys


def find_toy(game: Game, name: str) -> Toy:
    toys = toys_of(game)
    if name not in toys:
        raise SetupError("error.toy", game=game.id, toy=name, allowed=", ".join(toys) or "–")
    return toys[name]


def start_of_toy(game: Game, name: str) -> States:
    """The one state that a toy begins from."""
    found = find_toy(game, name)
    states = game.engine.layout.empty(1)
    states["seats"] = found.seats
    found.write(states[0])
    return states
