"""Trainers: endless small questions with exact answers. A game that has one has `study/trainer.py`:

    LEVELS                      names of its levels, the easiest first
    deal(level, number)         the hand of a number, always the same
    answers(hand)               every action with its odds, the best first
    is_exact(hand)              else the odds are lower bounds
    is_quick(hand)              whether the answer is there at once
    throws(hand, action)        what the next roll can bring after an action, where that can be said

The words are the game's: `trainer.level.<level>`, `trainer.ask`, `trainer.ask.best` with `name`, the target's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, cast

from regalia.core.errors import SetupError
from regalia.core.game import Game
from regalia.core.match import Match
from regalia.locale import say

PART = "study.trainer"
BEST = "best"  # the target where there is no card to aim for
TEN = 10  # hands in a row whose mean is shown
EXACT_EYE = 1.0  # points a hand: below it, that is what somebody has


@dataclass(frozen=True)
class Hand:
    match: Match  # at the moment to decide
    seat: int
    target: str


@dataclass(frozen=True)
class Row:
    action: str
    odds: float


@dataclass(frozen=True)
class Throws:
    """Of the next roll: after how many of all throws the target is certain, and its odds after the others."""

    sure: int
    all: int
    rest: float


class Trainer(Protocol):
    LEVELS: tuple[str, ...]

    def deal(self, level: str, number: int) -> Hand: ...
    def answers(self, hand: Hand) -> tuple[Row, ...]: ...
    def is_exact(self, hand: Hand) -> bool: ...
    def is_quick(self, hand: Hand) -> bool: ...
    def throws(self, hand: Hand, action: str) -> Throws | None: ...


def has_trainer(game: Game) -> bool:
    return game.has_part(PART)


def trainer_of(game: Game) -> Trainer:
    if not has_trainer(game):
        raise SetupError("error.no_trainer", game=game.id)
    return cast(Trainer, game.module(PART))


def checked_level(trainer: Trainer, level: str) -> str:
    if level not in trainer.LEVELS:
        raise SetupError("error.trainer_level", level=level, allowed=", ".join(trainer.LEVELS))
    return level


def question(game: Game, hand: Hand, language: str) -> str:
    """What is asked, in words."""
    if hand.target == BEST:
        return say(language, f"{game.id}.trainer.ask.best")
    return say(language, f"{game.id}.trainer.ask", name=say(language, f"{game.id}.piece.{hand.target}"))


def why(game: Game, trainer: Trainer, hand: Hand, chosen: str, language: str) -> list[str]:
    """Two lines at most: what the next roll can bring after the best action, and after the one chosen."""
    rows = trainer.answers(hand)
    price = {row.action: rows[0].odds - row.odds for row in rows}
    lines = []
    for key, action in (("best", rows[0].action), ("yours", chosen)):
        thrown = trainer.throws(hand, action)
        if thrown is not None and (key == "best" or price[action] > 0):
            rest = round(100 * thrown.rest)
            words = f"trainer.why.{key}" if thrown.sure < thrown.all else f"trainer.why.{key}.sure"
            lines.append(
                say(
                    language,
                    f"{game.id}.{words}",
                    action=action,
                    sure=thrown.sure,
                    all=thrown.all,
                    rest=rest,
                )
            )
    return lines
