"""The named opponents: what each may spend on a decision and what it knows. Light to import."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from regalia.core.errors import SetupError
from regalia.core.game import Game

VERSION = 5  # changes whenever some bot would choose differently with the same seed and simulations
BOTS = ("random", "page", "squire", "knight", "duke", "regent")  # weakest first
DEFAULT_S = 0.9  # by default no decision takes longer, however slow the machine
FULL_GAME = 1 << 30  # a horizon beyond every game


@dataclass(frozen=True)
class Opponent:
    name: str
    simulations: int  # per decision; 0: it plays at random
    horizon: int = FULL_GAME  # after so many decisions by the policy, and one more, the evaluation judges
    explore: float = 1.5  # how much the search tries what looks worse
    played: float = 0.0  # the part of a result that is found by playing on at random, not by the evaluation
    is_informed: bool = True  # whether it has the game's policy and evaluation, or only its rules
    slips: float = 0.0  # how often it takes a step by chance, in proportion to the simulations that tried it
    weights: tuple[tuple[str, float], ...] = ()  # instead of the game's tuned weights, by name


@dataclass(frozen=True)
class Considered:
    """An action a bot thought about."""

    action: str
    value: float  # the share of the victory it expects, 0 … 1
    visits: int  # simulations that tried it


@dataclass(frozen=True)
class Choice:
    """A bot's action, and why: message keys with their values, most telling first."""

    action: str
    reasons: tuple[tuple[str, dict[str, object]], ...] = ()
    considered: tuple[Considered, ...] = ()  # the best few actions, the chosen one first
    simulations: int = 0  # how many it did
    seconds: float = 0.0  # how long it took


def ladder(
    simulations: tuple[int, ...],
    slips: tuple[float, ...],
    horizon: int,
    weights: dict[str, dict[str, float]] | None = None,
    explore: float = 1.5,
) -> dict[str, Opponent]:
    """`random` and the named opponents of a game from below; some may have weights of their own."""
    opponents = {"random": Opponent("random", 0)}
    for name, (budget, slip) in zip(BOTS[1:], zip(simulations, slips, strict=True), strict=False):
        own = tuple((weights or {}).get(name, {}).items())
        opponents[name] = Opponent(name, budget, horizon, explore, slips=slip, weights=own)
    return opponents


# Of a game of which only the rules are known.
ANY_GAME = ladder((20, 80, 400, 2000, 10000), (0.0, 0.0, 0.0, 0.0, 0.0), FULL_GAME)


def ladder_of(game: Game) -> Mapping[str, Opponent]:
    """The opponents of a game from below: LADDER of its `bots`, or those that search with the rules alone."""
    part = game.part("bots")
    opponents: Mapping[str, Opponent] = ANY_GAME if part is None else part.LADDER
    return opponents


def known_bot(bot: str) -> str:
    """The name, if it is one of a ladder."""
    if bot not in BOTS:
        raise SetupError("error.bot", bot=bot, allowed=", ".join(BOTS))
    return bot


def opponent(game: Game, bot: str) -> Opponent:
    """A named opponent of a game. `regent-blind` is `regent` with nothing but the rules, and so for the others."""
    name, _, mark = bot.partition("-")
    known = ladder_of(game).get(name)
    if known is None or mark not in ("", "blind"):
        raise SetupError("error.bot", bot=bot, allowed=", ".join(BOTS))
    if mark:
        return replace(known, name=bot, horizon=FULL_GAME, explore=1.5, played=0.0, is_informed=False)
    return known
