"""The tables in memory. Every change goes: validate, commit, acknowledge, broadcast; never another order.

A table that nobody looks at leaves memory and is read from its log when it is needed. Commands on one table
follow each other (a lock); those on different tables share the disk (group commit in the store).
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NoReturn, TypeVar

import msgspec

from regalia.core.errors import RegaliaError
from regalia.server import protocol as wire
from regalia.server.model import commands, creation, views
from regalia.server.model import events as ev
from regalia.server.model.clock import Now
from regalia.server.model.commands import Events
from regalia.server.model.ids import new_table_id, random_id
from regalia.server.model.refusals import Refused
from regalia.server.model.rights import Player, own_seat
from regalia.server.model.table import Done, Table
from regalia.server.model.values import Status
from regalia.server.ports import (
    Append,
    Bus,
    Conflict,
    EventStore,
    Randomness,
    StorageError,
    TimeSource,
    Write,
    read_time,
)
from regalia.server.protocol import Code
from regalia.server.runtime.heartbeat import Heartbeat
from regalia.server.runtime.loader import GameLoader
from regalia.server.runtime.presence import Presence, presence_topic
from regalia.server.runtime.rows import (
    Cause,
    event_names,
    from_first_events,
    read_final_views,
    row_of,
    seat_rows,
    to_stored,
)
from regalia.server.runtime.schedule import Schedule
from regalia.server.runtime.workers import Workers
from regalia.server.settings import Settings

LOBBY = "lobby"  # the bus topic of the list of open tables
MOST_CONFLICTS = 8  # with another process, before a command is refused
LOOK_AHEAD_MS = 60_000  # clocks that run out later are found in time by a later look
LONG_LOG = 50  # events: reading more takes milliseconds

log = logging.getLogger("regalia.tables")

Answer = TypeVar("Answer")


def must_be_same(done: Done | None, cause: Cause) -> None:
    """A name stands for one command: not for another one with other contents."""
    if done is not None and done.fingerprint not in (None, cause.fingerprint):
        raise Refused(Code.BAD_MESSAGE, "server.error.id_used")


def duty_topic(table_id: str) -> str:
    """The bus topic of a table that somebody should look after."""
    return f"{table_id}#duty"


def topics_of(before: Table, after: Table) -> list[str]:
    """Who wants to know of a change."""
    is_listed = Status.OPEN in (before.status, after.status) or before.status is not after.status
    return [after.id, LOBBY] if is_listed else [after.id]


def acknowledged(command: wire.AnyCommand, table: Table, seq: int) -> wire.Ack:
    return wire.Ack(command.id, table.id, seq, table.ply, table.next, table.next_commitment)


@dataclass
class Entry:
    """A table's place in memory."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    table: Table | None = None
    is_unsure: bool = False  # a write failed: the log may have more than the table
    hinted: int = -1  # the number of the log's last event, as another process told it
    used_ms: int = 0

    @property
    def is_behind(self) -> bool:
        """Has the log more than the table, or may it have?"""
        return self.table is not None and (self.is_unsure or self.hinted > self.table.seq)

    @property
    def is_needed(self) -> bool:
        """Something is being done at the table, or a clock counts here."""
        return self.lock.locked() or (self.table is not None and self.table.has_live_clock)


class Tables:
    def __init__(
        self,
        store: EventStore,
        time: TimeSource,
        randomness: Randomness,
        bus: Bus,
        settings: Settings,
        workers: Workers | None = None,
        heartbeat: Heartbeat | None = None,
    ) -> None:
        self.store = store
        self.time = time
        self.randomness = randomness
        self.bus = bus
        self.settings = settings
        self.workers = workers or Workers()
        self.heartbeat = heartbeat or Heartbeat(store, time, "only")
        self.entries: dict[str, Entry] = {}
        self.loader = GameLoader()
        self.presence = Presence(time, bus, store, self.heartbeat)
        self.schedule = Schedule()  # of the bots and clocks that are due
        self.counts: Counter[str] = Counter()  # for the metrics
        self._tasks: set[asyncio.Task[Any]] = set()
        self._damaged: set[str] = set()  # tables whose log is not whole, as was logged
        self.may_be_behind = asyncio.Event()  # other processes may have said what was not heard here
        bus.follow(self.heard, self.may_be_behind.set)

    # --- Reading ---

    async def open(self, table_id: str, at_least: int = -1) -> Table:
        """The table, from memory or from its log, and with event `at_least`, if there is one."""
        entry = self._entry(table_id)
        entry.hinted = max(entry.hinted, at_least)
        if entry.table is not None and not entry.is_behind:
            return entry.table
        return await self._finish(self._open_locked(table_id, entry))

    async def open_newest(self, table_id: str) -> Table:
        """The table as it is, also if another process changed it a moment ago and its hint is still on the way."""
        await self._is_outdated(table_id)
        return await self.open(table_id)

    async def open_told(
        self, table_id: str, player: str | None, seat: int | None, since: int | None
    ) -> Table:
        """The table, ready to be told to this viewer: what takes long of it was done beside the event loop.

        Time has passed by then: what the viewer may see is judged when the telling begins.
        """
        table = await self.open(table_id, -1 if since is None else since)
        telling = views.untold(table, player, seat, since)
        if telling is None:
            return table
        await self.workers.run(telling)
        return await self.open(table_id)

    async def _open_locked(self, table_id: str, entry: Entry) -> Table:
        async with entry.lock:
            return await self._load(table_id, entry)

    async def _load(self, table_id: str, entry: Entry) -> Table:
        entry.used_ms = self.time.steady_ms()
        if entry.table is None:
            entry.table = await self._read(table_id)
            entry.is_unsure = False
            self.counts["loads"] += 1
            self._wake(entry.table)
        elif entry.is_behind:
            lines = await self._stored(self.store.log(table_id, after=entry.table.seq))
            entry.is_unsure = False
            if lines:
                before, entry.table = entry.table, entry.table.after(lines, self.time.steady_ms())
                entry.table.remember(lines)
                entry.table.run_clocks(read_time(self.time), self.heartbeat.outages)
                self.counts["catch_ups"] += 1
                for topic in topics_of(before, entry.table):
                    self.bus.wake(topic)
                self._wake(entry.table)
        entry.hinted = entry.table.seq
        return entry.table

    async def _read(self, table_id: str) -> Table:
        """The table from its log. One that is not whole is refused: nothing may be written on top of it."""
        found = await self._stored(self.store.read(table_id))
        if found is None:
            self._forget(table_id)
            raise Refused(Code.NOT_FOUND)
        row, stored = found
        if [line.seq for line in stored] != list(range(row["seq"] + 1)):
            self._refuse_damaged(table_id, f"{len(stored)} events, and the last one should be {row['seq']}")
        try:
            await self.loader.load_for(stored)
            read = partial(Table.read, table_id, stored, read_time(self.time), self.heartbeat.outages)
            table = await self._work(read, len(stored) > LONG_LOG)
        except (msgspec.MsgspecError, RegaliaError) as error:
            self._refuse_damaged(table_id, type(error).__name__)
        if table.match is None and row["final_views"] is not None:
            table.final_views = read_final_views(row["final_views"])
        return table

    def _refuse_damaged(self, table_id: str, why: str) -> NoReturn:
        self.counts["storage_errors"] += 1
        if table_id not in self._damaged:
            self._damaged.add(table_id)
            log.error("the log of a table is damaged", extra={"facts": {"table": table_id, "why": why}})
        raise Refused(Code.STORAGE)

    def _entry(self, table_id: str) -> Entry:
        entry = self.entries.get(table_id)
        if entry is None:
            entry = self.entries[table_id] = Entry()
        entry.used_ms = self.time.steady_ms()
        return entry

    def _forget(self, table_id: str) -> None:
        entry = self.entries.get(table_id)
        if entry is not None and not self.presence.is_watched(table_id):
            del self.entries[table_id]

    async def _stored(self, work: Coroutine[Any, Any, Answer]) -> Answer:
        try:
            return await work
        except StorageError as error:
            self.counts["storage_errors"] += 1
            raise Refused(Code.STORAGE) from error

    async def _work(self, work: Callable[[], Answer], is_long: bool) -> Answer:
        """What is long is worked out beside the event loop."""
        return await self.workers.run(work) if is_long else work()

    async def _finish(self, work: Coroutine[Any, Any, Answer]) -> Answer:
        """Work that must come to its end, also when who asked for it goes away."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return await asyncio.shield(task)

    async def _decide_again(self, table_id: str, work: Callable[[], Coroutine[Any, Any, Answer]]) -> Answer:
        """If another process wrote to the log meanwhile, it is read on and all is decided on what is true now.

        So is a refusal that was decided on an old picture: one is final only at the head of the log.
        """
        for _ in range(MOST_CONFLICTS):
            try:
                return await work()
            except Conflict:
                self.counts["conflicts"] += 1
            except Refused as refusal:
                if refusal.code is Code.STORAGE or not await self._is_outdated(table_id):
                    raise
                self.counts["refusals_taken_back"] += 1
        raise Refused(Code.STORAGE)

    async def _is_outdated(self, table_id: str) -> bool:
        """Whether the log has more than is known here; then it will be read on."""
        entry = self.entries.get(table_id)
        if not self.store.is_shared or entry is None or entry.table is None:
            return False
        heads = await self._stored(self.store.heads([table_id]))
        entry.hinted = max(entry.hinted, heads.get(table_id, -1))
        return entry.is_behind

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # who asked has it

    # --- Commands ---

    async def command(self, player: Player, command: wire.AnyCommand) -> wire.Ack:
        """Carry out a command once, and say under which number it stands in the log."""
        return await self._finish(self._decide_again(command.table, partial(self._command, player, command)))

    async def _command(self, player: Player, command: wire.AnyCommand) -> wire.Ack:
        entry = self._entry(command.table)
        async with entry.lock:
            table = await self._load(command.table, entry)
            invite = command.invite if isinstance(command, wire.Sit | wire.Chat) else ""
            if not table.is_open_to(player.id, invite):
                raise Refused(Code.NOT_FOUND)
            self.presence.saw(table.id, player.id)  # also who says it again, since the answer was lost
            cause = Cause.of(player.id, command, command.id)
            done = table.commands.get((player.id, command.id))
            if done is not None:
                self.counts["repeated"] += 1
                must_be_same(done, cause)
                return acknowledged(command, table, done.seq)
            table = await self._flag(entry, table)
            if self.store.is_shared and isinstance(command, wire.Takeover):
                await self._stored(self.presence.read([table.id]))
            if isinstance(command, wire.Rematch):
                table = await self._rematch(entry, table, player, command, cause)
            else:
                work = partial(commands.decide, table, player, command, self._now(table))
                may_replay = table.status is Status.OPEN and table.created.start is not None
                events = await self._work(work, may_replay)
                table = await self._commit(entry, table, events, cause)
            done = table.commands.get((player.id, command.id))
            return acknowledged(command, table, done.seq if done else table.seq)

    def _now(self, table: Table) -> Now:
        away = self.presence.away(table, self.settings.away_s)
        return Now(self.time.steady_ms(), self.time.wall_ms(), away)

    async def _commit(
        self, entry: Entry, table: Table, events: Events, cause: Cause, also: Write | None = None
    ) -> Table:
        """On disk first; only then is it true here. If the disk refuses, its log is looked at before the next use."""
        stored = to_stored(table, events, max(table.updated_ms, self.time.wall_ms()), cause)
        starts = any(isinstance(event, ev.Started) for event in events)
        played = events.match if isinstance(events, commands.Played) else None
        look_ahead = partial(table.after, stored, self.time.steady_ms(), played)
        try:
            ahead = await self._work(look_ahead, starts and table.created.start is not None)
            row = row_of(ahead, read_time(self.time), table.status)
            appends = [Append(row, stored, seat_rows(table.id, events))]
            await self.store.write(Write([*appends, *(also.appends if also is not None else [])]))
        except BaseException as error:
            entry.is_unsure = True
            if isinstance(error, Conflict) or not isinstance(error, StorageError):
                raise
            self.counts["storage_errors"] += 1
            raise Refused(Code.STORAGE) from error
        ahead.remember(stored)
        entry.table = ahead
        self.counts["events"] += len(stored)
        self.counts["actions"] += sum(isinstance(event, ev.Played) for event in events)
        facts = {"table": table.id, "seq": ahead.seq, "events": event_names(events)}
        log.info("committed", extra={"facts": facts})
        self._publish(table, ahead)
        return ahead

    def _publish(self, before: Table, after: Table) -> None:
        for topic in topics_of(before, after):
            self.bus.publish(topic, after.seq)
        self._wake(after)
        if after.is_due and not self.heartbeat.is_on_duty(after.id):
            self.bus.publish(duty_topic(after.id))

    def _wake(self, table: Table) -> None:
        """What happens by itself at a table happens where its duty is."""
        if not self.heartbeat.is_on_duty(table.id):
            return
        if table.bots_due():
            self.schedule.bot(table.id)
        deadline = table.timer.deadline()
        if deadline is not None:
            self.schedule.deadline(deadline, table.id)

    # --- Other processes ---

    def heard(self, topic: str, seq: int) -> None:
        """Another process has something new: of a table its last event, or that somebody should look after it."""
        table_id, _, kind = topic.partition("#")
        entry = self.entries.get(table_id)
        if not kind and entry is not None:
            entry.hinted = max(entry.hinted, seq)
        elif topic == presence_topic(table_id):
            self.presence.heard(table_id)
        elif topic == duty_topic(table_id) and self.heartbeat.is_on_duty(table_id):
            self.schedule.bot(table_id)

    async def look_around(self) -> None:
        """What hints should have told: logs that have grown, and tables to look after."""
        self.may_be_behind.clear()
        heads = await self.store.heads(table_id for table_id, entry in self.entries.items() if entry.table)
        for table_id, seq in heads.items():
            entry = self.entries.get(table_id)
            if entry is not None:
                entry.hinted = max(entry.hinted, seq)
                if entry.is_behind:
                    self.bus.wake(table_id)
        await self.restore_schedule(self.time.wall_ms() + LOOK_AHEAD_MS)

    async def beat(self) -> None:
        """Give a sign of life. If nobody could play for a while, no clock has counted."""
        is_busy = self.store.is_shared or any(
            entry.table is not None and entry.table.has_live_clock for entry in self.entries.values()
        )
        if not await self.heartbeat.beat(is_busy):
            return
        now = read_time(self.time)
        for entry in self.entries.values():
            if entry.table is not None:
                entry.table.run_clocks(now, self.heartbeat.outages)
                self._wake(entry.table)

    # --- New tables ---

    async def create(self, player: Player, new_table: wire.NewTable) -> Table:
        await self.loader.load(new_table.game)
        table_id = new_table_id(player.id, new_table.id, self.randomness.bytes)
        return await self._finish(
            self._decide_again(table_id, partial(self._create, table_id, player, new_table))
        )

    async def _create(self, table_id: str, player: Player, new_table: wire.NewTable) -> Table:
        entry = self._entry(table_id)
        async with entry.lock:
            cause = Cause(player.id)
            if new_table.id is not None:
                cause = Cause.of(player.id, new_table, f"create:{new_table.id}")
                try:
                    table = await self._load(table_id, entry)
                    must_be_same(table.commands.get((player.id, f"create:{new_table.id}")), cause)
                    return table
                except Refused as error:
                    if error.code is not Code.NOT_FOUND:
                        raise
                    entry = self._entry(table_id)
            source = await self.open(new_table.table) if new_table.table is not None else None
            if source is not None and not source.may_be_seen_by(player.id, new_table.key):
                raise Refused(Code.NOT_FOUND)
            starting_match = creation.starting_match(new_table, source)

            def make() -> tuple[Table, Write]:
                first = creation.events_for(player, new_table, starting_match(), self.randomness.bytes)
                return from_first_events(table_id, first, cause, read_time(self.time))

            table, write = await self._work(make, creation.has_own_start(new_table))
            try:
                await self.store.write(write)
            except Conflict:  # another process has made it
                raise
            except StorageError as error:
                self.counts["storage_errors"] += 1
                raise Refused(Code.STORAGE) from error
            entry.table = table
            self.presence.saw(table.id, player.id)
            self.counts["tables"] += 1
            self._publish(table, table)
            return table

    async def _rematch(
        self, entry: Entry, table: Table, player: Player, command: wire.Rematch, cause: Cause
    ) -> Table:
        seat = own_seat(table, player, command.seat)
        if table.status is not Status.ENDED:
            raise Refused(Code.WRONG_PHASE)
        if table.next is not None:
            return table
        table_id = random_id(self.randomness.bytes)
        first = creation.rematch(table, player, self.randomness.bytes)
        following, write = from_first_events(table_id, first, Cause(player.id), read_time(self.time))
        table = await self._commit(
            entry, table, [ev.Rematched(seat, table_id, following.commitment)], cause, also=write
        )
        self._entry(table_id).table = following
        self._publish(following, following)
        return table

    # --- Clocks and bots ---

    async def flag(self, table_id: str) -> None:
        """Look whether someone is out of time."""
        await self._finish(self._decide_again(table_id, partial(self._flag_locked, table_id)))

    async def _flag_locked(self, table_id: str) -> None:
        entry = self._entry(table_id)
        async with entry.lock:
            await self._flag(entry, await self._load(table_id, entry))

    async def _flag(self, entry: Entry, table: Table) -> Table:
        while self.store.is_shared and table.timer.running and self.heartbeat.is_late:
            await self._stored(
                self.beat()
            )  # first find out whether anybody could play; that may take long, too
        while table.status is Status.RUNNING:
            seat = table.timer.out_of_time(self.time.steady_ms())
            if seat is None:
                self._wake(table)
                break
            flag = Cause(command=f"flag:{table.seq}")
            events = commands.forfeit(table, seat, self.time.steady_ms(), by_time=True)
            table = await self._commit(entry, table, events, flag)
        return table

    async def bot_action(self, table_id: str, seat: int, seq: int, action: str, fallback: str) -> None:
        """A bot's choice, if the seat is still its to play and the position the one it saw, in update `seq`."""
        await self._finish(
            self._decide_again(table_id, partial(self._bot_action, table_id, seat, seq, action, fallback))
        )

    async def _bot_action(self, table_id: str, seat: int, seq: int, action: str, fallback: str) -> None:
        entry = self._entry(table_id)
        async with entry.lock:
            table = await self._flag(entry, await self._load(table_id, entry))
            if table.is_current(seq, None) and seat in dict(table.bots_due()):
                events = commands.play_now(table, seat, action, self._now(table), fallback)
                await self._commit(entry, table, events, Cause())

    # --- Presence and memory ---

    def enter(self, table_id: str, player: str | None) -> None:
        self._entry(table_id)
        self.presence.enter(table_id, player)

    def exit(self, table_id: str, player: str | None) -> None:
        self._entry(table_id)
        self.presence.exit(table_id, player)

    def who_is_here(self, table_id: str) -> wire.Presence | None:
        entry = self.entries.get(table_id)
        if entry is None or entry.table is None:
            return None
        return views.presence(entry.table, self.presence.online(table_id), self.presence.count(table_id))

    def tidy(self) -> int:
        """Let go of tables nobody looks at; returns how many."""
        now = self.time.steady_ms()
        idle = [
            (entry.used_ms, table_id)
            for table_id, entry in self.entries.items()
            if not self.presence.is_watched(table_id) and not entry.is_needed
        ]
        idle.sort()
        surplus = max(0, len(idle) - self.settings.most_loaded)
        old = [
            table_id
            for rank, (used, table_id) in enumerate(idle)
            if rank < surplus or now - used > self.settings.idle_s * 1000
        ]
        for table_id in old:
            del self.entries[table_id]
        self.presence.forget(self.settings.away_s)
        return len(old)

    async def restore_schedule(self, before_ms: int | None = None) -> None:
        """The tables where a bot is due, or a clock runs out before then (None: ever)."""
        wall, steady = self.time.wall_ms(), self.time.steady_ms()
        for row in await self.store.waiting(before_ms):
            if not self.heartbeat.is_on_duty(row["id"]):
                continue
            if row["bot_due"]:
                self.schedule.bot(row["id"])
            if row["deadline_ms"] is not None:
                self.schedule.deadline(steady + max(0, row["deadline_ms"] - wall), row["id"])

    async def finish_commands(self) -> None:
        """Wait for the commands under way."""
        while self._tasks:
            await asyncio.wait(list(self._tasks))
