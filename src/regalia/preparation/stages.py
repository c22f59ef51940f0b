"""What there is to compile of a game, stage by stage, and how much of it is done.

A kernel is compiled when it is first called, and with it all it calls. So a stage is some use of the game, and what it
compiles is known beforehand: the kernels it begins with, and whatever can be reached from those.
"""

from __future__ import annotations

import dis
import hashlib
import random
import sys
from collections.abc import Collection, Iterable, Iterator
from enum import StrEnum
from pathlib import Path
from typing import Any

from numba.core.dispatcher import Dispatcher

import regalia
from regalia.bots import BOTS, choose
from regalia.bots.search import load_knowledge
from regalia.bots.tree import find_node
from regalia.core import algorithms, kernel
from regalia.core.game import Game
from regalia.core.viewers import SPECTATOR

TEMPLATES_OF_RESEARCH = ("play_out_many", "perft", "check_batch", "step_batch")
ENCODING = "encode"  # a game's module for those who learn: no table needs it


class Stage(StrEnum):
    """In the order in which they are wanted."""

    TABLE = "table"  # rules and views: to play a match
    BOTS = "bots"
    ODDS = "odds"  # exact reckonings, where the game has them
    RESEARCH = "research"  # many matches at once


TO_PLAY = (Stage.TABLE, Stage.BOTS, Stage.ODDS)


# --- What there is to compile ---


def kernels_of(game: Game, stages: Collection[Stage]) -> list[Any]:
    """All kernels that these stages compile."""
    return reached_from(begun_with(game, stages))


def begun_with(game: Game, stages: Collection[Stage]) -> Iterator[Any]:
    """The kernels that Python calls."""
    engine = game.engine
    bound = engine.bound.names
    if Stage.TABLE in stages:
        yield from (bound[name] for name in bound if name.endswith("_at"))
        yield from [bound["list_actions"]] if engine.inner else []
        yield from defined_in(game.package, lambda name: "." not in name and name != ENCODING)
    if Stage.BOTS in stages:
        yield from (load_knowledge(game).simulate, find_node)
    if Stage.ODDS in stages and game.part("odds"):
        yield from defined_in(game.package, lambda name: name.split(".")[0] == "odds")
    if Stage.RESEARCH in stages:
        yield from (bound[name] for name in TEMPLATES_OF_RESEARCH)
        yield algorithms.choose_batch


def defined_in(package: str, is_meant: Any) -> list[Any]:
    """The kernels in the modules of a package that are imported and meant, by their name within it."""
    return [
        value
        for name, module in list(sys.modules.items())
        if name.startswith(f"{package}.") and is_meant(name.removeprefix(f"{package}."))
        for value in vars(module).values()
        if isinstance(value, Dispatcher)
    ]


def reached_from(kernels: Iterable[Any]) -> list[Any]:
    """These kernels and all that they call, directly or not."""
    found: dict[int, Any] = {}
    left = [one for one in kernels if isinstance(one, Dispatcher)]
    while left:
        one = left.pop()
        if id(one) not in found:
            found[id(one)] = one
            left += called_by(one)
    return list(found.values())


def called_by(one: Any) -> list[Any]:
    python = one.py_func
    used = {each.argval for each in dis.get_instructions(python.__code__) if each.opname == "LOAD_GLOBAL"}
    return [value for name in used if isinstance(value := python.__globals__.get(name), Dispatcher)]


def count_ready(kernels: Iterable[Any]) -> int:
    """How many of these are compiled or loaded; what is part of a compiled one is, too."""
    return len(reached_from(one for one in kernels if one.signatures))


# --- Compiling it ---


def compile_game(game: Game, stages: Collection[Stage]) -> None:
    """Use everything of these stages once, and note that it was done."""
    match = regalia.Match.new(game, seed=1)
    if Stage.TABLE in stages:
        play_a_match(game)
    if Stage.BOTS in stages:
        for bot in BOTS[:2]:  # one at random, and one that searches as all others do
            choose(match, match.actors[0], bot, seed=1, simulations=1)
    if Stage.ODDS in stages:
        ask_for_odds(game)
    if Stage.RESEARCH in stages:
        play_many(game)
    for stage in stages:
        marker(game, stage).write_text(stamp(game), "utf-8")


def play_a_match(game: Game) -> None:
    """To the end: the last reckoning is compiled too."""
    match, choices = regalia.Match.new(game, seed=1), random.Random(1)
    while match.actors:
        seat = match.actors[0]
        match.play(seat, choices.choice(match.redeal(seat, 0).actions(seat)))
        match.view(seat)
    match.view(SPECTATOR)
    assert match.outcome is not None


def ask_for_odds(game: Game) -> None:
    """At the end, at the start and in the course of a match, until every way to reckon them was taken."""
    odds = game.part("odds")
    if odds is None:
        return
    kernels = kernels_of(game, (Stage.ODDS,))
    match, choices = regalia.Match.new(game, seed=1), random.Random(1)
    views = []
    while match.actors:
        seat = match.actors[0]
        views.append(match.view(seat))
        match.play(seat, choices.choice(match.actions(seat)))
    for view in (views[-1], *views):
        if count_ready(kernels) == len(kernels):
            break
        odds.turn_odds(view)


def play_many(game: Game) -> None:
    engine = game.engine
    seats = game.checked_seats(None)
    start = engine.start(seats, game.checked_options(seats, None))
    engine.playouts(start, 1, seed=1)
    engine.perft(start, 2)
    batch = regalia.Batch(game, 2, seed=1)
    batch.step_at_random()
    batch.step([int(mask.argmax()) for mask in batch.masks])
    batch.restart()


# --- Whether it was done ---


def is_prepared(game: Game, stages: Collection[Stage]) -> bool:
    """Whether all of these stages are in the cache, compiled from these sources for this machine."""
    if not kernel.COMPILED:
        return True
    wanted = stamp(game)
    return all(read_if_there(marker(game, stage)) == wanted for stage in stages)


def marker(game: Game, stage: Stage) -> Path:
    """The file that says of a stage what was compiled: beside the bots' code, which depends on most sources."""
    return kernel.cache_folder((game.folder, game.folder / "bots", kernel.PACKAGE / "bots")) / stage


def stamp(game: Game) -> str:
    """Of what Numba looks at before it takes code from its cache: the sources, when they were saved, the processor."""
    folders = (game.folder, game.folder / "bots", game.folder / "odds", kernel.PACKAGE / "bots")
    saved = [path.stat().st_mtime_ns for path in kernel.sources_in(folders)]
    machine = find_node.targetctx.codegen().magic_tuple()  # type: ignore[attr-defined]
    return hashlib.sha256(repr((kernel.digest_of(folders), saved, machine)).encode()).hexdigest()


def read_if_there(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except OSError:
        return ""
