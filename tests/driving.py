"""Driving matches in tests: which games there are, who chooses, and walking through whole matches."""

from __future__ import annotations

import importlib.util
import random
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import probe
import regalia
from regalia import CHANCE, GAMES, Game, Match
from regalia.core.registry import register

TESTS = Path(__file__).parent
Chooser = Callable[[Match, int, random.Random], str]

register(probe.GAME)
ALL_GAMES = (*GAMES.values(), probe.GAME)
TABLES = tuple((game, seats) for game in ALL_GAMES for seats in game.seats)
HIDING = tuple((game, seats) for game, seats in TABLES if game.engine.layout.hidden)


def name_of(table: object) -> str:
    return table.id if isinstance(table, Game) else str(table)


def at_random(match: Match, seat: int, rng: random.Random) -> str:
    return rng.choice(match.actions(seat))


@cache
def chooser(game: Game) -> Chooser:
    """The game's own driver, which reaches what random play does not; else random play."""
    path = TESTS / "games" / game.id / "play.py"
    if not path.exists():
        return at_random
    spec = importlib.util.spec_from_file_location(f"play_{game.id}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    choose: Chooser = module.choose
    return choose


def some_options(game: Game, seats: int, rng: random.Random) -> dict[str, str]:
    return {
        option.name: rng.choice(option.values)
        for option in game.options
        if option.seats is None or seats in option.seats
    }


def walk(game: Game, seats: int, seed: int, choose: Chooser = at_random) -> Iterator[Match]:
    """One whole match, yielded at every decision and at the end (the same object, played on)."""
    rng = random.Random(seed)
    match = Match.new(game, seats, seed, some_options(game, seats, rng))
    yield match
    while match.actors:
        seat = rng.choice(match.actors)
        match.play(seat, choose(match, seat, rng))
        yield match


def finished(game: Game, seats: int, seed: int, choose: Chooser = at_random) -> Match:
    *_, match = walk(game, seats, seed, choose)
    return match


def refused_texts(match: Match, seat: int, rng: random.Random) -> list[str]:
    """Texts of this game that are refused now: what others could do, and at other moments.

    Other spellings of what is legal are left out: a province named in an old record may lie in a region by now.
    """
    texts = {"", "no such action", "end", "draw", "roll", "?"}
    for other in range(match.seats):
        texts.update(match.actions(other))
    for record in rng.sample(match.records, min(12, len(match.records))):
        texts.add(record.action)
    return [
        text for text in sorted(texts - set(match.actions(seat))) if error_of(match, seat, text) != "accepted"
    ]


def error_of(match: Match, seat: int, text: str) -> str:
    """What a refusal says, or "accepted" (on a copy: the match does not change)."""
    try:
        match.copy().play(seat, text)
    except regalia.RegaliaError as error:
        return f"{type(error).__name__} {error.key} {error} {getattr(error, 'clause', '')} {error.text('de')}"
    return "accepted"


__all__ = ["ALL_GAMES", "CHANCE", "HIDING", "TABLES", "at_random", "chooser", "finished", "walk"]
