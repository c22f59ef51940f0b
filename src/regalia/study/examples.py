"""The rulebook's examples as positions to step through: `examples.json` in a game's folder, read strictly.

clause    of the example; its words are the clause's
shows     the clauses that it is an example of
position  before
play      what is done: [seat, action, outcomes]; outcomes that are not given fall by a fixed seed
marks     places to point out, named as in the notation
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice
from typing import Any

import msgspec
from msgspec import Struct

from regalia.core.errors import NotationError, RegaliaError, SetupError
from regalia.core.game import Game
from regalia.core.match import Match
from regalia.study.lessons import SEED, Verdict, play_with, refused

FILE = "examples.json"


class Example(Struct, frozen=True, forbid_unknown_fields=True):
    clause: str
    shows: tuple[str, ...]
    position: dict[str, Any]
    play: tuple[tuple[int, str, str], ...]
    marks: tuple[str, ...] = ()

    def start(self, game: Game) -> Match:
        return Match.from_position(game, self.position, seed=SEED)

    def moments(self, game: Game) -> Iterator[Match]:
        """Before, and after each action. It is one match that goes on: look at it before you ask for the next."""
        match = self.start(game)
        yield match
        for seat, action, outcomes in self.play:
            play_with(match, seat, action, outcomes or None)
            yield match

    def at(self, game: Game, moment: int) -> Match:
        return next(islice(self.moments(game), moment, None))


def read(text: bytes) -> tuple[Example, ...]:
    """What is unknown, missing or of the wrong type is refused by its place."""
    try:
        return msgspec.json.decode(text, type=tuple[Example, ...])
    except msgspec.DecodeError as error:  # and what does not fit
        raise NotationError("error.examples", why=str(error)) from error


@cache
def examples_of(game: Game) -> tuple[Example, ...]:
    """In the order of the law; a game may have none."""
    file = game.folder / FILE
    return read(file.read_bytes()) if file.is_file() else ()


def find_example(game: Game, clause: str) -> Example:
    for example in examples_of(game):
        if example.clause.casefold() == clause.casefold():
            return example
    raise SetupError("error.no_example", game=game.id, clause=clause)


def tried(game: Game, clause: str, actions: Iterable[str]) -> tuple[Match, Verdict | None]:
    """What somebody makes of an example, playing for whoever is due: the match, and what the last action was.

    Every action goes through the gate, one that is refused changes nothing, and the dice fall by a fixed seed: the
    same actions lead to the same position.
    """
    match = find_example(game, clause).start(game)
    verdict = None
    for action in actions:
        try:
            match.play(due(match), action)
            verdict = Verdict("right", "")
        except RegaliaError as error:
            verdict = refused(error)
    return match, verdict


def due(match: Match) -> int:
    """The seat whose eyes one has: who is to decide next; the first when all is over."""
    return min(match.actors, default=0)
