"""A finished match as someone could follow it: every position, action and draw, with what they may not know blanked.

A review is made from this alone. So what it says of a match "as you knew it" cannot depend on what you did not know.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from regalia.bots.tree import OPEN
from regalia.core.arrays import States
from regalia.core.errors import SetupError
from regalia.core.game import CHANCE, Game
from regalia.core.match import Match
from regalia.core.transcript import Record
from regalia.core.viewers import EVERYTHING, Viewer
from regalia.study.value import Sides, sides_of


@dataclass(frozen=True)
class Event:
    """A roll, a draw or a deal as people see it: draws of one kind that follow each other."""

    before: States
    after: States
    text: str  # "5 5 2"; ? for what the reader may not know
    is_hidden: bool  # whether it depends on what somebody does not know


@dataclass(frozen=True)
class Choice:
    """A decision of a seat, from its own knowledge."""

    seen: States
    path: tuple[int, ...]
    text: str
    is_sealed: bool  # others chose at the same time


@dataclass(frozen=True)
class Moment:
    """A record, and the position in which it was decided."""

    seen: States
    seat: int | None  # None: the set-up
    choice: Choice | None  # where the reader may judge it, and there was one
    events: tuple[Event, ...]


@dataclass(frozen=True)
class History:
    game: Game
    sides: Sides
    looker: int  # a seat, or OPEN
    moments: tuple[Moment, ...]
    end: States
    records: tuple[Record, ...]  # as the reader may see them
    transcript: str  # likewise

    @property
    def view(self) -> str | int:
        """How the review is named: everything open, or as a seat knew it."""
        return "open" if self.looker == OPEN else self.looker


def viewer_of(match: Match, view: int | None) -> Viewer:
    """view: as this seat knew it; None: with every card open. Without secrets both are the same."""
    if not match.is_over:
        raise SetupError("study.error.running")
    viewer: Viewer = EVERYTHING if view is None else view
    match.seen(viewer)  # refuses a seat that is not at the table
    return viewer if match.game.engine.layout.hidden else EVERYTHING


def moments_of(match: Match, view: int | None) -> Iterator[tuple[Sides, int, Moment | None, States]]:
    """Record by record, and the end: whose sides, who looks, what happened, and the position before it."""
    viewer = viewer_of(match, view)
    reader, sides = Reader(match, viewer), sides_of(match)
    looker = viewer if isinstance(viewer, int) else OPEN
    for ply in range(match.ply):
        moment = reader.moment(ply)
        yield sides, looker, moment, moment.seen
    yield sides, looker, None, match.seen(viewer)


def history_of(match: Match, view: int | None = None) -> History:
    """view: as this seat knew it; None: with every card open. Without secrets both are the same."""
    viewer = viewer_of(match, view)
    found = list(moments_of(match, view))
    sides, looker, _, end = found[-1]
    moments = tuple(moment for _, _, moment, _ in found if moment is not None)
    records = tuple(record.seen_by(viewer) for record in match.records)
    return History(match.game, sides, looker, moments, end, records, match.transcript(viewer))


class Reader:
    def __init__(self, match: Match, viewer: Viewer) -> None:
        self.match = match
        self.engine = match.game.engine
        self.viewer = viewer

    def moment(self, ply: int) -> Moment:
        record = self.match.records[ply]
        if record.seat is None:
            states = Match.begin(self.match.header, "manual").seen(EVERYTHING)
            return Moment(self.seen(states), None, None, self.events(states, record))
        now = self.match.at(ply)
        states, own = now.seen(EVERYTHING), now.seen(record.seat)
        path = tuple(self.engine.notation.read(record.action, own[0], record.seat))
        choice = None
        if self.viewer in (EVERYTHING, record.seat) and len(self.engine.paths(states, record.seat)) > 1:
            is_sealed = len(now.actors) > 1 or now.records[-1].sealed
            choice = Choice(own, path, record.action, is_sealed)
        seen = self.seen(states)
        for step in path:
            self.engine.apply(states, record.seat, step)
        return Moment(seen, record.seat, choice, self.events(states, record))

    def events(self, states: States, record: Record) -> tuple[Event, ...]:
        """The draws behind a record; the state is played on."""
        engine = self.engine
        told = record.seen_by(self.viewer).outcomes
        events: list[Event] = []
        texts: list[str] = []
        before, phase, is_hidden = self.seen(states), int(states["phase"][0]), False
        for place, text in enumerate(record.outcomes):
            if phase != int(states["phase"][0]):
                events.append(Event(before, self.seen(states), " ".join(texts), is_hidden))
                before, phase, is_hidden, texts = self.seen(states), int(states["phase"][0]), False, []
            is_hidden |= engine.receiver is not None and engine.receiver(states[0]) is not None
            texts.append(told[place])
            engine.apply(states, CHANCE, engine.notation.read_outcome(text, states[0]))
        if texts:
            events.append(Event(before, self.seen(states), " ".join(texts), is_hidden))
        return tuple(events)

    def seen(self, states: States) -> States:
        return self.engine.seen(states, self.viewer)
