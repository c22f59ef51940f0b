"""What is true of a table: the fold of its events. Everything here follows from the log.

`Table.take` alone changes a table: while its log is read, when it is read on, and at a commit.
"""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from regalia import CHANCE, Match
from regalia.core.chance import Chance
from regalia.core.due import Due
from regalia.core.game import Game
from regalia.core.transcript import Record
from regalia.server.model import events as ev
from regalia.server.model.box import Box, Entry, Proposal
from regalia.server.model.clock import NO_OUTAGES, Now, Outages, Timer
from regalia.server.model.copies import shallow_copy
from regalia.server.model.dice import ProvableDice, commitment
from regalia.server.model.events import StoredEvent
from regalia.server.model.growing import Growing
from regalia.server.model.refusals import refuse
from regalia.server.model.values import ChatScope, Notice, NoticeKind, Result, SeatKind, Status, Tempo
from regalia.server.protocol import Code


@dataclass
class Chair:
    """A seat of the table, and who plays it."""

    kind: SeatKind = SeatKind.OPEN
    player: str = ""
    name: str = ""
    bot: str = ""  # plays the seat now: its own, or standing in
    seed: str = ""
    awaits_seed: bool = False  # the player's client is yet to send it
    is_out: bool = False
    is_account: bool = False  # the name is the player's own

    @property
    def is_person(self) -> bool:
        return self.kind in (SeatKind.HUMAN, SeatKind.HOTSEAT)

    @property
    def is_ready(self) -> bool:
        """The match need not wait for it."""
        return self.kind is not SeatKind.OPEN and not self.awaits_seed


@dataclass(frozen=True)
class Done:
    """A command that was carried out."""

    seq: int  # of its first event
    fingerprint: bytes | None  # of what was commanded; None: not known


class Table:
    def __init__(self, table_id: str) -> None:
        self.id = table_id
        self.seq = -1
        self.status = Status.OPEN
        self.chairs: list[Chair] = []
        self.match: Match | None = None
        self.position_seq = 0  # the last event that changed the position: started, played, undone
        self.is_practice = False  # somebody went back over bots' answers or over chance
        self.first_ply = 0  # the ply at which play began here: what was before is given
        self.times: Growing[int] = Growing()  # of each record
        self.clocks: Growing[tuple[int, ...]] = Growing()  # after each record: what is left on every clock
        self.marks: Growing[int] = Growing()  # per event: the lowest ply that it changed
        self.notices: Growing[Notice] = Growing()
        self.lines_said = 0
        self.commands: dict[tuple[str, str], Done] = {}  # by player and name; shared with the table `after`
        self.draw_offer: int | None = None
        self.offered_at: dict[int, int] = {}  # per seat: the ply of its last offer
        self.out: list[int] = []  # seats that went out, in order
        self.box = Box()  # what is typed by people who have it
        self.result: Result | None = None
        self.next: str | None = None
        self.next_commitment: str | None = None
        self.created_ms = 0
        self.started_ms: int | None = None
        self.ended_ms: int | None = None
        self.updated_ms = 0
        self.clocked_ms = 0  # wall time since which the clocks stand as they do
        self.due_since_ms = 0  # steady time since which the seats that owe a decision owe it
        self.undo_floor: dict[int, int] = {}  # per seat: the ply below which it may take nothing back
        self.final_views: tuple[
            bytes, ...
        ] = ()  # as kept at the end; only of a match by rules not known any more
        self._is_match_shared = False  # with the table before: it is copied before it changes
        self.cache: dict[object, tuple[int, bytes]] = {}  # of `views`, emptied by every event
        self.shared_view: dict[str, Any] | None = None  # likewise

    created: ev.Created
    timer: Timer

    # --- From the log ---

    @classmethod
    def read(cls, table_id: str, log: list[StoredEvent], now: Now, outages: Outages = NO_OUTAGES) -> Table:
        """The table of a log, its clocks running."""
        table = cls(table_id)
        for stored in log:
            table.take(stored, now.steady_ms)
        table.remember(log)
        table.run_clocks(now, outages)
        return table

    def run_clocks(self, now: Now, outages: Outages) -> None:
        """Count from when the clocks stood, but for the time in which nobody could play.

        So they tell the same to everybody who reads the log, and nobody gains by a restart.
        """
        if self.status is Status.RUNNING:
            self.due_since_ms = now.steady_ms - outages.time_between(self.clocked_ms, now.wall_ms)
            self.timer.run(self.clocked(), (), self.due_since_ms)

    # --- The fold ---

    def after(self, lines: list[StoredEvent], steady_ms: int, played: Match | None = None) -> Table:
        """The table as it will be, beside this one, which stays as it is.

        `played` is the match as it will be, where the action that is among the lines was just judged on a copy.

        What grows with every command is not copied but shared, or a commit would cost more and more. When it
        has come true, `remember` notes the commands.
        """
        twin = shallow_copy(self)
        twin.chairs = [shallow_copy(chair) for chair in self.chairs]
        twin.timer = shallow_copy(self.timer)
        twin.times, twin.clocks, twin.marks = self.times.copy(), self.clocks.copy(), self.marks.copy()
        twin.notices, twin.out, twin.box = self.notices.copy(), self.out[:], self.box.copy()
        twin.offered_at, twin.undo_floor = self.offered_at.copy(), self.undo_floor.copy()
        twin.cache, twin.shared_view = {}, None
        twin._is_match_shared = True
        for stored in lines:
            twin.take(stored, steady_ms, played)
        return twin

    def remember(self, stored: list[StoredEvent]) -> None:
        """The commands of a commit are done, now that it is on disk."""
        for line in stored:
            if line.command is not None:
                self.commands[line.player, line.command] = Done(line.seq, line.fingerprint)

    def take(self, stored: StoredEvent, steady_ms: int, played: Match | None = None) -> None:
        """One more event. `played`: see `after`."""
        assert stored.seq == self.seq + 1
        event = ev.read(stored.body)
        self.seq = stored.seq
        self.updated_ms = stored.at_ms
        self.cache.clear()
        self.shared_view = None
        lowest = self.ply
        match event:
            case ev.Created():
                self._create(event, stored)
            case ev.Sat(seat, _, _, _, bot):
                self.chairs = self.chairs_after(event)
                self._tell(stored, NoticeKind.SAT, seat, bot)
            case ev.Seeded():
                self.chairs = self.chairs_after(event)
            case ev.Left(seat):
                self._tell(stored, NoticeKind.LEFT, seat)
                self.chairs[seat] = Chair()
            case ev.Started():
                lowest = 0
                self._start(event, stored, steady_ms)
            case ev.Played():
                lowest = self._play(event, stored, steady_ms, played)
            case ev.Rolled():
                lowest = self.ply - 1
                self._roll(event, stored, steady_ms)
            case ev.Dealt(seat, outcomes):
                self.box.hands[seat] = outcomes
            case ev.Miscounted():
                self.box.hands = {}
                self._tell(stored, NoticeKind.MISCOUNTED)
            case ev.Proposed(player, name, ply, kept):
                self.box.proposal = Proposal(name, ply, kept, frozenset({player}))
                self._tell(stored, NoticeKind.PROPOSED, name=name)
            case ev.Agreed(player):
                self.box.agree(player)
            case ev.Kept(name):
                self.box.proposal = None
                self._tell(stored, NoticeKind.KEPT, name=name)
            case ev.Amended(name, ply, _, _, left_ms):
                lowest = ply
                self.position_seq = stored.seq
                self._amend(event, stored.at_ms)
                self._clock(left_ms, stored, steady_ms)
                self._tell(stored, NoticeKind.AMENDED, name=name)
            case ev.Undone(seat, ply, left_ms, drawn, is_practice):
                lowest = ply
                self.box.cut(ply)
                self.position_seq = stored.seq
                self.is_practice |= is_practice
                self._undo(ply, drawn)
                self._clock(left_ms, stored, steady_ms)
                self._tell(stored, NoticeKind.UNDONE, seat)
            case ev.Said(text, name, said_by, audience):
                self.lines_said += 1
                scope = ChatScope.TABLE if said_by is None else audience
                self._tell(stored, NoticeKind.CHAT, said_by, text, name=name, scope=scope)
            case ev.TakenOver(seat, bot):
                self.chairs[seat].bot = bot
                self._tell(stored, NoticeKind.TAKEN_OVER, seat, bot)
            case ev.Reclaimed(seat):
                self.chairs[seat].bot = ""
                self._tell(stored, NoticeKind.RECLAIMED, seat)
            case ev.Offered(seat):
                self.draw_offer = seat
                self.offered_at[seat] = self.ply
                self._tell(stored, NoticeKind.OFFERED, seat)
            case ev.Declined(seat):
                self.draw_offer = None
                self._tell(stored, NoticeKind.DECLINED, seat)
            case ev.Resigned(seat, by_time, bot, left_ms):
                self._leave(seat, bot)
                self._clock(left_ms, stored, steady_ms)
                self._tell(stored, NoticeKind.FLAGGED if by_time else NoticeKind.RESIGNED, seat)
            case ev.Ended(result):
                self._end(result, stored)
            case ev.Rematched(seat, following, promised):
                self.next, self.next_commitment = following, promised or None
                self._tell(stored, NoticeKind.REMATCH, seat, following)
            case ev.Closed():
                self.status = Status.CLOSED
                self._tell(stored, NoticeKind.CLOSED)
        self.marks.append(lowest)

    def _create(self, event: ev.Created, stored: StoredEvent) -> None:
        self.created = event
        self.created_ms = stored.at_ms
        self.chairs = [Chair() for _ in range(event.seats)]
        self.timer = Timer(event.clock, event.seats)
        self._tell(stored, NoticeKind.CREATED, name=event.host_name)

    def _start(self, event: ev.Started, stored: StoredEvent, steady_ms: int) -> None:
        self.status = Status.RUNNING
        self.started_ms = stored.at_ms
        self.position_seq = stored.seq
        if Match.find(self.created.game).rules == self.created.rules:  # else what is kept of it is in its row
            dice = self.new_dice(self.chairs)
            dice.skip(event.drawn)
            self.match = Match.replay(event.transcript, chance=self.chance(dice))
        self.first_ply = int(event.transcript.rpartition("end ")[2])
        self.times = Growing([stored.at_ms] * self.first_ply)
        self.clocks = Growing([self.timer.left(steady_ms)] * self.first_ply)
        self.box.drawn_before = Growing([0] * self.first_ply)
        self._clock((), stored, steady_ms)
        self._tell(stored, NoticeKind.STARTED)

    def _play(self, event: ev.Played, stored: StoredEvent, steady_ms: int, played: Match | None) -> int:
        """A record more; returns the lowest ply that reads differently now."""
        self.times.append(stored.at_ms)
        self.clocks.append(event.left_ms)
        lowest = self.ply - 1
        match = self.match
        if match is not None:
            self.box.drawn_before.append(dice_of(match).drawn)
            sealed = sealed_seats(match)
            match = self._match_after(event) if played is None else played
            self.match, self._is_match_shared = match, False
            if sealed and not match.records[-1].sealed:
                lowest -= len(sealed)
                self._reorder(
                    lowest, [*sealed, event.seat], [record.seat for record in match.records[lowest:]]
                )
        if match is None or not match.records[-1].sealed:
            self.position_seq = stored.seq  # else nothing has changed for who still chooses
        if self.chairs[event.seat].bot:  # what a bot did for a person is not the person's to take back
            self.undo_floor[event.seat] = self.ply
        if self.draw_offer is not None and self.draw_offer != event.seat:
            self.draw_offer = None
        self._clock(event.left_ms, stored, steady_ms)
        return lowest

    def _match_after(self, event: ev.Played) -> Match:
        match = self._own_match()
        assert match is not None
        is_typed = bool(self.created.by_hand)
        match.append(Record(event.seat, event.action, event.outcomes), may_lack_outcomes=is_typed)
        dice_of(match).skip(len(event.outcomes))
        return match

    def _roll(self, event: ev.Rolled, stored: StoredEvent, steady_ms: int) -> None:
        """The outcomes behind the last record grow."""
        self.box.hands = {}
        match = self._own_match()
        if match is not None:
            dice, last = dice_of(match), match.records[-1]
            typed = event.outcomes[: len(event.outcomes) - event.drawn]
            self.box.entries.append(Entry(self.ply - 1, len(last.outcomes), event.seat, typed, dice.drawn))
            match.append_outcomes(event.outcomes)
            dice.skip(event.drawn)
        self.position_seq = stored.seq
        self._clock((), stored, steady_ms)

    def _amend(self, event: ev.Amended, at_ms: int) -> None:
        """Back to a record, or into it: then it stands again, with fewer outcomes."""
        ply, outcomes = event.ply, event.outcomes
        match = self._own_match()
        if match is not None:
            drawn = self.box.drawn_before[ply] if ply < self.ply else 0
            if outcomes is None:
                match.back_to(ply)
            else:
                match.reopen(ply, outcomes)
            dice_of(match).drawn = event.drawn
            self.box.cut(ply, outcomes)
            if outcomes is not None:
                self.box.drawn_before.append(drawn)
        clock = self.clocks[ply] if outcomes is not None else ()
        self.times.cut(ply)
        self.clocks.cut(ply)
        if outcomes is not None:
            self.times.append(at_ms)
            self.clocks.append(clock)
        self.box.proposal = None
        self.box.floor = ply

    def _reorder(self, first: int, arrived: list[int | None], ordered: list[int | None]) -> None:
        """All have chosen, and their records are told in the order of the rules: times and clocks stay with them."""
        kept = dict(zip(arrived, zip(self.times[first:], self.clocks[first:], strict=True), strict=True))
        self.times.cut(first)
        self.clocks.cut(first)
        for seat in ordered:
            at_ms, left = kept[seat]
            self.times.append(at_ms)
            self.clocks.append(left)

    def _undo(self, ply: int, drawn: int | None) -> None:
        match = self._own_match()
        if match is not None:
            match.back_to(ply)
            if drawn is not None:
                dice_of(match).drawn = drawn
        self.times.cut(ply)
        self.clocks.cut(ply)

    def _own_match(self) -> Match | None:
        """The match, to be changed."""
        if self._is_match_shared and self.match is not None:
            self.match = self.match.copy()
        self._is_match_shared = False
        return self.match

    def _leave(self, seat: int, bot: str) -> None:
        self.chairs[seat].is_out = True
        self.chairs[seat].bot = bot
        self.out.append(seat)

    def _end(self, result: Result, stored: StoredEvent) -> None:
        self.status = Status.ENDED
        self.result = result
        self.ended_ms = stored.at_ms
        self.draw_offer = None
        self.timer.run((), (), 0)
        self._tell(stored, NoticeKind.ENDED, text=result.reason)

    def _clock(self, left: tuple[int, ...], stored: StoredEvent, steady_ms: int) -> None:
        self.clocked_ms = stored.at_ms
        self.due_since_ms = steady_ms
        self.timer.run(self.clocked(), left, steady_ms)

    def clocked(self) -> tuple[int, ...]:
        """The seats whose clocks run: those that owe a decision and are still in."""
        if self.match is None or self.status is not Status.RUNNING:
            return ()
        return tuple(seat for seat in self.actors if not self.chairs[seat].is_out)

    def _tell(
        self,
        stored: StoredEvent,
        kind: NoticeKind,
        seat: int | None = None,
        text: str = "",
        name: str = "",
        scope: ChatScope = ChatScope.TABLE,
    ) -> None:
        who = name or (self.chairs[seat].name if seat is not None else "")
        self.notices.append(Notice(stored.seq, stored.at_ms, kind, seat, who, text, scope))

    # --- Questions ---

    @property
    def ply(self) -> int:
        return len(self.times)

    def is_current(self, seq: int | None, ply: int | None) -> bool:
        """Is the position still the one of update `seq`, and of `ply`? None: of any."""
        return (seq is None or self.position_seq <= seq <= self.seq) and (ply is None or ply == self.ply)

    def is_for(self, notice: Notice, seat: int | None) -> bool:
        """May the seat (None: a spectator) read it? Talk among partners is for their side alone."""
        if notice.audience is ChatScope.TABLE or notice.seat is None:
            return True
        return seat is not None and seat in self.side(notice.seat)

    def started_match(self) -> Match:
        """The match, once there is one, and while its rules are known."""
        if self.match is None:
            if self.started_ms is None:
                refuse(Code.WRONG_PHASE)
            game, rules = self.created.game, self.created.rules
            refuse(Code.SETUP, "error.rules_version", game=game, rules=rules, known="?")
        return self.match

    @property
    def has_live_clock(self) -> bool:
        """Such a clock counts in memory while it runs."""
        return bool(self.timer.running) and self.created.clock.tempo is Tempo.LIVE

    @property
    def actors(self) -> tuple[int, ...]:
        """The seats that owe a decision: none while something that fell at a real table is to be typed."""
        if self.match is None or self.status is not Status.RUNNING:
            return ()
        return tuple(seat for seat in self.match.actors if seat != CHANCE)

    @property
    def due(self) -> Due | None:
        """What is to be typed now."""
        if self.match is None or self.status is not Status.RUNNING or not self.created.by_hand:
            return None
        return self.match.due

    @property
    def awaited(self) -> tuple[int, ...]:
        """The seats that the table waits for: to decide, or to roll and type."""
        due = self.due
        if due is None:
            return self.actors
        if due.shares:
            return tuple(seat for seat in due.shares if seat not in self.box.hands)
        return () if due.seat is None else (due.seat,)

    @property
    def tells_odds(self) -> bool:
        return self.created.hints if self.created.odds is None else self.created.odds

    def chance(self, dice: ProvableDice) -> Chance:
        """Where the outcomes of the match come from."""
        return Chance(dice, self.created.by_hand or None)

    @property
    def options(self) -> dict[str, str]:
        return self.created.options

    @property
    def is_full(self) -> bool:
        return all(chair.kind is not SeatKind.OPEN for chair in self.chairs)

    def chairs_after(self, *events: ev.Sat | ev.Seeded) -> list[Chair]:
        """The chairs as they will be when people have sat down or sent their seeds."""
        chairs = [shallow_copy(chair) for chair in self.chairs]
        for event in events:
            match event:
                case ev.Sat(seat, kind, name, player, bot, seed, awaits_seed, is_account):
                    chairs[seat] = Chair(kind, player, name, bot, seed, awaits_seed, is_account=is_account)
                case ev.Seeded(seats, seed):
                    for seat in seats:
                        chairs[seat].seed, chairs[seat].awaits_seed = seed, False
        return chairs

    def new_dice(self, chairs: list[Chair]) -> ProvableDice:
        """The table's dice at their first draw, with the seats' shares."""
        return ProvableDice(self.created.server_seed, [chair.seed for chair in chairs], self.id)

    @property
    def commitment(self) -> str:
        """Binds the server to its seed; told before anybody sends theirs."""
        return commitment(self.created.server_seed)

    @property
    def has_person(self) -> bool:
        """Does somebody play here, and not only bots, or bots that stand in?"""
        return any(chair.is_person and not chair.bot for chair in self.chairs)

    def bots_due(self) -> list[tuple[int, str]]:
        """Seats that owe a decision and are played by a bot."""
        return [(seat, self.chairs[seat].bot) for seat in self.actors if self.chairs[seat].bot]

    @property
    def is_due(self) -> bool:
        """Will something happen here by itself?"""
        return bool(self.bots_due()) or self.timer.deadline() is not None

    def seats_of(self, player: str | None) -> list[int]:
        if not player:
            return []
        return [seat for seat, chair in enumerate(self.chairs) if chair.player == player]

    def is_open_to(self, player: str | None, invite: str) -> bool:
        """May this player look at the table, sit down while a seat is free, and talk?"""
        if self.created.is_public or (player and player == self.created.host) or self.seats_of(player):
            return True
        return hmac.compare_digest(invite.encode(), self.created.invite.encode())

    def may_be_seen_by(self, player: str | None, secret: str) -> bool:
        """May this player look at the table? `secret` is that of an invitation, or the key of a link to watch."""
        if self.is_open_to(player, secret):
            return True
        return hmac.compare_digest(secret.encode(), self.watch_key.encode())

    @cached_property
    def watch_key(self) -> str:
        """The secret of the link to watch. Of a table of version 0.1 it follows from another of its secrets."""
        if self.created.watch_key:
            return self.created.watch_key
        seed = bytes.fromhex(self.created.server_seed)
        return hmac.digest(seed, f"watch|{self.id}".encode(), "sha256").hex()[:32]

    @cached_property
    def game(self) -> Game:
        return Match.find(self.created.game)

    @cached_property
    def partners(self) -> tuple[tuple[int, ...], ...]:
        """The sides of several seats."""
        return tuple(side for side in self.game.sides(len(self.chairs), self.options) if len(side) > 1)

    @property
    def partners_may_talk(self) -> bool:
        return self.game.partners_may_talk(self.options)

    def side(self, seat: int) -> frozenset[int]:
        """The seat and its partners."""
        return frozenset(self.game.side(seat, len(self.chairs), self.options))


def dice_of(match: Match) -> ProvableDice:
    """What the match of a table draws from."""
    dice = match.source
    assert isinstance(dice, ProvableDice)
    return dice


def sealed_seats(match: Match) -> list[int | None]:
    """The seats that have chosen while others still choose, in the order of arrival."""
    first = match.ply
    while first and match.records[first - 1].sealed:
        first -= 1
    return [record.seat for record in match.records[first:]]
