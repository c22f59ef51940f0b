"""What is true of a table: the fold of its events. Everything here follows from the log."""

from __future__ import annotations

import copy
import hmac
import re
from dataclasses import dataclass
from typing import Any

from regalia import Match
from regalia.core.transcript import Record
from regalia.server import events as ev
from regalia.server.fair import FairDice
from regalia.server.ports import Clock, StoredEvent
from regalia.server.protocol import Audience, EventFacts, EventKind, Result, SeatKind, Status, Tempo
from regalia.server.timer import Timer

SPECTATOR_SEAT = -1  # the seat under which a command of someone without one is remembered


@dataclass
class Chair:
    """A seat of the table, and who plays it."""

    kind: SeatKind = SeatKind.OPEN
    player: str = ""
    name: str = ""
    bot: str = ""  # plays the seat now: its own, or standing in
    seed: str = ""
    is_out: bool = False

    @property
    def is_person(self) -> bool:
        return self.kind in (SeatKind.HUMAN, SeatKind.HOTSEAT)


@dataclass
class Line:
    """A record in the order of arrival, with its time."""

    record: Record
    at_ms: int


@dataclass
class Happening:
    """An event that people read, besides records."""

    facts: EventFacts
    to: frozenset[int] | None = None  # only these seats may; None: everyone


class Table:
    def __init__(self, name: str) -> None:
        self.id = name
        self.seq = -1
        self.status = Status.OPEN
        self.chairs: list[Chair] = []
        self.match: Match | None = None
        self.dice: FairDice | None = None
        self.drawn = 0  # draws in the log
        self.base = ""  # the transcript at the first decision
        self.times: list[int] = []  # of each record
        self.marks: list[int] = []  # per event: the lowest ply that it changed
        self.happenings: list[Happening] = []
        self.commands: dict[tuple[int, str], int] = {}  # done already, and under which number
        self.draw_offer: int | None = None
        self.offered_at: dict[int, int] = {}  # per seat: the ply of its last offer
        self.out: list[int] = []  # seats that went out, in order
        self.result: Result | None = None
        self.next: str | None = None
        self.created_ms = 0
        self.started_ms: int | None = None
        self.ended_ms: int | None = None
        self.updated_ms = 0
        self.clocked_ms = 0  # wall time since which the clocks stand as they do
        self.cache: dict[object, tuple[int, bytes]] = {}  # of `views`, emptied by every event
        self.shared_view: dict[str, Any] | None = None  # likewise
        self._lines: list[Line] = []  # only while a log is being read

    created: ev.Created
    timer: Timer

    # --- From the log ---

    @classmethod
    def read(cls, name: str, log: list[StoredEvent], clock: Clock) -> Table:
        """The table of a log. Clocks go on: live ones from now, those of turns from when they stood."""
        table = cls(name)
        for stored in log:
            table.take(ev.read(stored.body), stored, clock.steady_ms())
        if table.base:
            table._replay()
        if table.status is Status.RUNNING:
            away = max(0, clock.wall_ms() - table.clocked_ms)
            since = clock.steady_ms() - (away if table.created.clock.tempo is Tempo.TURNS else 0)
            table.timer.run(table.clocked(), (), since)
        table._lines.clear()
        return table

    def _replay(self) -> None:
        """The match, every record through the gate, with the outcomes as they are stored."""
        assert self.dice is not None
        if Match.find(self.created.game).rules != self.created.rules:
            return  # what is kept of it is in its row
        head, _, _ = self.base.rpartition("end ")
        first = self.ply_of_base
        lines = [line.record.line(first + number) for number, line in enumerate(self._lines)]
        text = head + "\n".join([*lines, f"end {first + len(lines)}", ""])
        self.match = Match.replay(text, chance=self.dice)
        self.dice.drawn = self.drawn

    @property
    def ply_of_base(self) -> int:
        return int(self.base.rpartition("end ")[2])

    # --- The fold ---

    def after(
        self, events: list[ev.AnyEvent], stored: list[StoredEvent], steady_ms: int, match: Match | None
    ) -> Table:
        """The table as it will be, beside this one, which stays as it is."""
        twin = copy.copy(self)
        twin.chairs = [copy.copy(chair) for chair in self.chairs]
        twin.timer = copy.copy(self.timer)
        twin.times, twin.marks = self.times[:], self.marks[:]
        twin.happenings, twin.out = self.happenings[:], self.out[:]
        twin.commands, twin.offered_at = self.commands.copy(), self.offered_at.copy()
        twin.cache, twin.shared_view = {}, None
        for event, line in zip(events, stored, strict=True):
            twin.take(event, line, steady_ms, match or self.match)
        return twin

    def take(
        self, event: ev.AnyEvent, stored: StoredEvent, steady_ms: int, match: Match | None = None
    ) -> None:
        """One more event. `match` is the position after it; without one the log is being read."""
        assert stored.seq == self.seq + 1
        self.seq = stored.seq
        self.updated_ms = stored.at_ms
        self.cache.clear()
        self.shared_view = None
        if stored.command is not None and stored.seat is not None:
            self.commands[stored.seat, stored.command] = stored.seq
        lowest = self._ply()
        match event:
            case ev.Created():
                self._create(event, stored)
            case ev.Sat(seat, kind, name, player, bot, seed):
                self.chairs[seat] = Chair(kind, player, name, bot, seed)
                self._tell(stored, EventKind.SAT, seat, bot)
            case ev.Left(seat):
                self._tell(stored, EventKind.LEFT, seat)
                self.chairs[seat] = Chair()
            case ev.Started():
                lowest = 0
                self._start(event, stored, steady_ms, match)
            case ev.Played():
                lowest = self._play(event, stored, steady_ms, match)
            case ev.Undone(seat, ply, left_ms):
                lowest = ply
                self._undo(ply, match)
                self._clock(left_ms, stored, steady_ms)
                self._tell(stored, EventKind.UNDONE, seat)
            case ev.Said(text, name, said_by, audience):
                to = self.side(said_by) if audience is Audience.PARTNERS and said_by is not None else None
                self._tell(stored, EventKind.CHAT, said_by, text, name=name, to=to)
            case ev.TakenOver(seat, bot):
                self.chairs[seat].bot = bot
                self._tell(stored, EventKind.TAKEN_OVER, seat, bot)
            case ev.Reclaimed(seat):
                self.chairs[seat].bot = ""
                self._tell(stored, EventKind.RECLAIMED, seat)
            case ev.Offered(seat):
                self.draw_offer = seat
                self.offered_at[seat] = self._ply()
                self._tell(stored, EventKind.OFFERED, seat)
            case ev.Declined(seat):
                self.draw_offer = None
                self._tell(stored, EventKind.DECLINED, seat)
            case ev.Resigned(seat, by_time, bot):
                self._leave(seat, bot, stored, steady_ms)
                self._tell(stored, EventKind.FLAGGED if by_time else EventKind.RESIGNED, seat)
            case ev.Ended(result):
                self._end(result, stored)
            case ev.Rematched(seat, following):
                self.next = following
                self._tell(stored, EventKind.REMATCH, seat, following)
            case ev.Closed():
                self.status = Status.CLOSED
                self._tell(stored, EventKind.CLOSED)
        self.marks.append(lowest)

    def _create(self, event: ev.Created, stored: StoredEvent) -> None:
        self.created = event
        self.created_ms = stored.at_ms
        self.chairs = [Chair() for _ in range(event.seats)]
        self.timer = Timer(event.clock, event.seats)
        self._tell(stored, EventKind.CREATED, name=event.host_name)

    def _start(self, event: ev.Started, stored: StoredEvent, steady_ms: int, match: Match | None) -> None:
        self.status = Status.RUNNING
        self.started_ms = stored.at_ms
        self.base = event.transcript
        self.drawn = event.drawn
        self.dice = self.new_dice()
        self.dice.drawn = event.drawn
        self.match = match
        self.times = [stored.at_ms] * self.ply_of_base
        self._clock((), stored, steady_ms)
        self._tell(stored, EventKind.STARTED)

    def _play(self, event: ev.Played, stored: StoredEvent, steady_ms: int, match: Match | None) -> int:
        lowest = len(self.times) if event.touches is None else event.touches
        self.times.append(stored.at_ms)
        self.drawn += len(event.outcomes)
        if match is None:
            self._lines.append(Line(Record(event.seat, event.action, event.outcomes), stored.at_ms))
        self.match = match
        if self.draw_offer is not None and self.draw_offer != event.seat:
            self.draw_offer = None
        self._clock(event.left_ms, stored, steady_ms)
        return lowest

    def _undo(self, ply: int, match: Match | None) -> None:
        self.match = match
        del self.times[ply:]
        if match is None:
            del self._lines[ply - self.ply_of_base :]

    def _leave(self, seat: int, bot: str, stored: StoredEvent, steady_ms: int) -> None:
        self.chairs[seat].is_out = True
        self.chairs[seat].bot = bot
        self.out.append(seat)
        if self.match is not None:
            self._clock(self.timer.left(steady_ms), stored, steady_ms)

    def _end(self, result: Result, stored: StoredEvent) -> None:
        self.status = Status.ENDED
        self.result = result
        self.ended_ms = stored.at_ms
        self.draw_offer = None
        self.timer.run((), (), 0)
        self._tell(stored, EventKind.ENDED, text=result.reason)

    def _clock(self, left: tuple[int, ...], stored: StoredEvent, steady_ms: int) -> None:
        self.clocked_ms = stored.at_ms
        self.timer.run(self.clocked(), left, steady_ms)

    def clocked(self) -> tuple[int, ...]:
        """The seats whose clocks run: those that owe a decision and are still in."""
        if self.match is None or self.status is not Status.RUNNING:
            return ()
        return tuple(seat for seat in self.match.actors if not self.chairs[seat].is_out)

    def _tell(
        self,
        stored: StoredEvent,
        kind: EventKind,
        seat: int | None = None,
        text: str = "",
        name: str = "",
        to: frozenset[int] | None = None,
    ) -> None:
        who = name or (self.chairs[seat].name if seat is not None else "")
        audience = Audience.TABLE if to is None else Audience.PARTNERS
        self.happenings.append(
            Happening(EventFacts(stored.seq, stored.at_ms, kind, seat, who, text, audience), to)
        )

    # --- Questions ---

    def _ply(self) -> int:
        return len(self.times)

    @property
    def ply(self) -> int:
        return len(self.times)

    @property
    def actors(self) -> tuple[int, ...]:
        if self.match is None or self.status is not Status.RUNNING:
            return ()
        return self.match.actors

    @property
    def options(self) -> dict[str, str]:
        return self.created.options

    @property
    def is_full(self) -> bool:
        return all(chair.kind is not SeatKind.OPEN for chair in self.chairs)

    def new_dice(self, seeds: list[str] | None = None) -> FairDice:
        """The table's dice at their first draw; `seeds` are the seats' as they will be."""
        shares = [chair.seed for chair in self.chairs] if seeds is None else seeds
        return FairDice(self.created.server_seed, shares, self.id)

    def bots_due(self) -> list[tuple[int, str]]:
        """Seats that owe a decision and are played by a bot."""
        return [(seat, self.chairs[seat].bot) for seat in self.actors if self.chairs[seat].bot]

    def seats_of(self, player: str | None) -> list[int]:
        if not player:
            return []
        return [seat for seat, chair in enumerate(self.chairs) if chair.player == player]

    def is_open_to(self, player: str | None, invite: str) -> bool:
        """May this player see the table at all?"""
        if self.created.is_public or (player and player == self.created.host) or self.seats_of(player):
            return True
        return hmac.compare_digest(invite.encode(), self.created.invite.encode())

    @property
    def partners(self) -> tuple[tuple[int, ...], ...]:
        """The sides of several seats, as the option `partners` writes them: `02-13`."""
        text = self.options.get("partners", "")
        if not re.fullmatch(r"\d{2,}(-\d{2,})+", text):
            return ()
        return tuple(tuple(map(int, side)) for side in text.split("-"))

    @property
    def partners_may_talk(self) -> bool:
        """CM-9: a matter of the table, fixed by the option `confer`."""
        return bool(self.partners) and self.options.get("confer") == "true"

    def side(self, seat: int) -> frozenset[int]:
        """The seat and its partners."""
        return frozenset(next((side for side in self.partners if seat in side), (seat,)))


def changed_from(before: Match, after: Match) -> int:
    """The lowest ply at which two moments of a match differ. Untouched records are the same objects."""
    ply = min(before.ply, after.ply)
    while ply and before.records[ply - 1] is not after.records[ply - 1]:
        ply -= 1
    return ply
