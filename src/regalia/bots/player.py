"""The named opponents, and the one call that asks one of them."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from regalia.core.errors import SetupError
from regalia.core.match import Match

BOTS = ("random",)  # weakest first


@dataclass(frozen=True)
class Choice:
    """A bot's action, and why: message keys with their values, most telling first."""

    action: str
    reasons: tuple[tuple[str, dict[str, object]], ...] = field(default=())


def choose(match: Match, seat: int, bot: str, seed: int | None = None) -> Choice:
    """What a bot does at a seat. It is given nothing but what the seat may know."""
    if bot not in BOTS:
        raise SetupError("error.bot", bot=bot, allowed=", ".join(BOTS))
    world = match.redeal(seat, 0)
    return Choice(random.Random(seed).choice(world.actions(seat)))
