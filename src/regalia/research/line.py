"""A match step by step with chance in the open, and what each seat has heard of it: what OpenSpiel asks for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from regalia.core.arrays import States
from regalia.core.engine import Engine
from regalia.core.game import CHANCE, Game
from regalia.core.rng import seeded_rng
from regalia.research.rewards import rewards_of

UNHEARD = -1  # a step that somebody took and that one may not read


@dataclass(frozen=True)
class Table:
    """Where a line begins."""

    game: Game
    start: States
    seats: int

    @property
    def engine(self) -> Engine:
        return self.game.engine

    def __reduce__(self) -> tuple[Any, ...]:
        return table_of, (self.game, self.start.tobytes())


def table_of(game: Game, start: bytes) -> Table:
    """A table that was pickled."""
    states = game.engine.layout.load(start)
    return Table(game, states, int(states["seats"][0]))


class Event(NamedTuple):
    seat: int
    step: int
    reader: int | None  # who alone may read it; None: everyone


class Line:
    """Where several seats choose at once, the lowest acts first and the others read it when all have chosen."""

    def __init__(self, table: Table) -> None:
        self.table, self.engine = table, table.engine
        self.states = self.engine.layout.copy(table.start)
        self.actors = self.engine.actors(self.states)
        self.events: list[Event] = []
        self.sealed = 0  # so many of the last events are choices that the others may not read yet
        self.is_redealt = False

    def __deepcopy__(self, memo: object) -> Line:
        """OpenSpiel copies its states so."""
        twin = Line.__new__(Line)
        twin.__dict__.update(self.__dict__)
        twin.states = self.engine.layout.copy(self.states)
        twin.events = self.events[:]
        return twin

    def __getstate__(self) -> tuple[Any, ...]:
        return self.table, self.states.tobytes(), [*map(tuple, self.events)], self.sealed, self.is_redealt

    def __setstate__(self, kept: tuple[Any, ...]) -> None:
        table, states, events, sealed, is_redealt = kept
        Line.__init__(self, table)
        self.states = self.engine.layout.load(states)
        self.actors = self.engine.actors(self.states)
        self.events = [Event(*event) for event in events]
        self.sealed, self.is_redealt = sealed, is_redealt

    def legal(self) -> list[int]:
        return self.engine.legal(self.states, self.actors[0])

    def outcomes(self) -> list[tuple[int, float]]:
        odds = self.engine.odds(self.states)
        total = int(odds.sum())
        return [(outcome, int(odds[outcome]) / total) for outcome in odds.nonzero()[0].tolist()]

    def apply(self, step: int) -> None:
        """A legal step of the seat that is next, or an outcome of chance."""
        engine, seat = self.engine, self.actors[0]
        is_choice = seat != CHANCE and (len(self.actors) > 1 or self.sealed > 0)
        is_last = len(self.actors) == 1
        reader = seat if is_choice else None
        if seat == CHANCE and engine.receiver is not None:
            reader = engine.receiver(self.states[0])
        engine.apply(self.states, seat, step)
        self.actors = engine.actors(self.states)
        self.events.append(Event(seat, step, reader))
        self.sealed += is_choice
        if is_choice and is_last:
            told = [event._replace(reader=None) for event in self.events[-self.sealed :]]
            self.events[-self.sealed :] = told
            self.sealed = 0

    def text(self, step: int) -> str:
        """A step in words; inside an action, phase and number."""
        engine, seat = self.engine, self.actors[0]
        if seat == CHANCE:
            return engine.notation.write_outcome(step, self.states[0])
        after = engine.layout.copy(self.states)
        engine.apply(after, seat, step)
        if engine.is_inner(self.states) or engine.is_inner(after):
            return f"{engine.phases[int(self.states['phase'][0])]} {step}"
        return engine.notation.write([step], engine.seen(self.states, seat)[0], seat)

    def returns(self) -> list[float]:
        """Shares of the victory, so scaled that who wins alone gets 1; they add up to nothing."""
        seats = self.table.seats
        if self.actors:
            return [0.0] * seats
        gained = rewards_of(self.table.game, self.states, np.zeros(1, np.int64), seats, "share")[0]
        scaled: list[float] = (gained * seats / (seats - 1)).tolist()
        return scaled

    # --- What a seat knows ---

    def heard(self, seat: int) -> list[tuple[int, int]]:
        """What happened as a seat knows it: who, and the step, or UNHEARD."""
        return [(who, step if reader in (None, seat) else UNHEARD) for who, step, reader in self.events]

    def recalled(self, seat: int) -> str:
        """The same as a text. Of a world dealt anew the past is not known, so what the seat sees now is added."""
        said = [f"{who}:{'?' if step == UNHEARD else step}" for who, step in self.heard(seat)]
        if self.is_redealt:
            said.append(self.engine.seen(self.states, seat).tobytes().hex())
        return " ".join([str(seat), *said])

    def redealt(self, seat: int, seed: int) -> Line:
        """A line that the seat cannot tell from this one. What others alone had heard is forgotten."""
        world = self.__deepcopy__(None)
        world.states = self.engine.redeal(self.states, seat, seeded_rng(seed))
        world.events = [Event(who, step, None) for who, step in self.heard(seat)]
        world.sealed, world.is_redealt = 0, True
        return world
