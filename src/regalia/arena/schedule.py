"""Who plays whom, where, and with which luck."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from regalia.core.errors import SetupError
from regalia.core.game import Game


@dataclass(frozen=True)
class Fixture:
    """A match to be played. Fixtures of one deal have the same draws, with the bots in other seats."""

    number: int
    challenger: str  # the bot that plays one side
    field: str  # the bot that plays all others
    side: int  # which side the challenger plays
    bots: tuple[str, ...]  # by seat
    seed: int

    @property
    def deal(self) -> tuple[str, str, int]:
        return self.challenger, self.field, self.seed


def sides_of(game: Game, seats: int, options: Mapping[str, str]) -> tuple[int, ...]:
    """The number of each seat's side."""
    sides = game.sides(seats, options)
    return tuple(next(n for n, side in enumerate(sides) if seat in side) for seat in range(seats))


def fixtures(
    game: Game, bots: Sequence[str], matches: int, seats: int, seed: int, options: Mapping[str, str]
) -> list[Fixture]:
    """At least `matches` for every pairing: each deal is played with the challenger on every side in turn.

    With two sides that is all. With more, one bot plays alone against copies of the other, and from deal to deal
    they change roles.
    """
    if len(bots) < 2 or len(set(bots)) < len(bots):
        raise SetupError("bots.error.few", count=len(set(bots)))
    if not matches > 0:
        raise SetupError("bots.error.matches", matches=matches)
    sides = sides_of(game, seats, options)
    rotation = max(sides) + 1
    fixtures: list[Fixture] = []
    for pairing, (one, other) in enumerate(combinations(bots, 2)):
        for deal in range(-(-matches // rotation)):
            swapped = rotation > 2 and deal % 2 == 1
            challenger, field = (other, one) if swapped else (one, other)
            for side in range(rotation):
                seated = tuple(challenger if own == side else field for own in sides)
                number = len(fixtures)
                fixtures.append(
                    Fixture(number, challenger, field, side, seated, seed + 1_000_003 * pairing + deal)
                )
    return fixtures
