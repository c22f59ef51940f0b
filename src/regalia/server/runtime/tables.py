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
from regalia.server.model.commands import Events, Moment, Player
from regalia.server.model.refusals import Refused
from regalia.server.model.table import Done, Table
from regalia.server.ports import (
    Bus,
    Clock,
    Conflict,
    EventStore,
    Randomness,
    StorageError,
    StoredEvent,
    Write,
)
from regalia.server.protocol import Code, Status
from regalia.server.runtime.loader import Engines
from regalia.server.runtime.rows import Cause, kinds, must_stay, number, read_final_views, row_of, seat_rows
from regalia.server.runtime.schedule import Wakeups
from regalia.server.runtime.workers import Workers
from regalia.server.settings import Settings

LOBBY = "lobby"  # the bus topic of the list of open tables
PRESENCE_S = 0.5
MOST_CONFLICTS = 8  # with another process, before a command is refused
LONG_LOG = 50  # events: reading more takes milliseconds

log = logging.getLogger("regalia.house")

Answer = TypeVar("Answer")


def presence_topic(table: str) -> str:
    """The bus topic of who is at a table."""
    return f"{table}#presence"


def must_be_same(done: Done | None, cause: Cause) -> None:
    """A name stands for one command: not for another one with other contents."""
    if done is not None and done.fingerprint not in (None, cause.fingerprint):
        raise Refused(Code.BAD_MESSAGE, "server.error.id_used")


def acknowledged(command: wire.AnyCommand, table: Table, seq: int) -> wire.Ack:
    return wire.Ack(command.id, table.id, seq, table.ply, table.next, table.next_commitment)


@dataclass
class Slot:
    """A table's place in memory."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    table: Table | None = None
    is_unsure: bool = False  # a write failed: the log may have more than the table
    watchers: Counter[str] = field(default_factory=Counter)  # sockets per player; "" is nobody in particular
    used_ms: int = 0


class House:
    def __init__(
        self,
        store: EventStore,
        clock: Clock,
        randomness: Randomness,
        bus: Bus,
        settings: Settings,
        workers: Workers | None = None,
    ) -> None:
        self.store = store
        self.clock = clock
        self.randomness = randomness
        self.bus = bus
        self.settings = settings
        self.workers = workers or Workers()
        self.slots: dict[str, Slot] = {}
        self.engines = Engines()
        self.wakeups = Wakeups()  # who must be told that a bot or a clock is due
        self.counts: Counter[str] = Counter()  # for the metrics
        self._tasks: set[asyncio.Task[Any]] = set()
        self._opened_ms = clock.steady_ms()
        self._announced: set[str] = set()  # tables whose presence is about to be told
        self._damaged: set[str] = set()  # tables whose log is not whole, as was logged
        # When a player was last heard at a table, or their last socket went; not in the slot, which leaves memory.
        self._seen_ms: dict[tuple[str, str], int] = {}

    # --- Reading ---

    async def open(self, name: str) -> Table:
        """The table, from memory or from its log."""
        slot = self._slot(name)
        if slot.table is not None and not slot.is_unsure:
            return slot.table
        return await self._finish(self._open_locked(name, slot))

    async def _open_locked(self, name: str, slot: Slot) -> Table:
        async with slot.lock:
            return await self._load(name, slot)

    async def _load(self, name: str, slot: Slot) -> Table:
        slot.used_ms = self.clock.steady_ms()
        if slot.table is not None and slot.is_unsure:
            lines = await self._asked(self.store.log(name, after=slot.table.seq))
            slot.is_unsure = False
            if lines:
                before, slot.table = slot.table, slot.table.after(lines, self.clock.steady_ms())
                slot.table.remember(lines)
                self._publish(before, slot.table)
        if slot.table is None:
            slot.table = await self._read(name)
            self.counts["loads"] += 1
            self._wake(slot.table)
        return slot.table

    async def _read(self, name: str) -> Table:
        """The table from its log. One that is not whole is refused: nothing may be written on top of it."""
        row = await self._asked(self.store.table(name))
        if row is None:
            self._forget(name)
            raise Refused(Code.NOT_FOUND)
        stored = await self._asked(self.store.log(name))
        if [line.seq for line in stored] != list(range(row["seq"] + 1)):
            self._refuse_damaged(name, f"{len(stored)} events, and the last one should be {row['seq']}")
        try:
            await self.engines.load_for(stored)
            read = partial(Table.read, name, stored, self.clock)
            table = await self._work(read, len(stored) > LONG_LOG)
        except (msgspec.MsgspecError, RegaliaError) as error:
            self._refuse_damaged(name, type(error).__name__)
        if table.match is None and row["final_views"] is not None:
            table.final_views = read_final_views(row["final_views"])
        return table

    def _refuse_damaged(self, name: str, why: str) -> NoReturn:
        self.counts["storage_errors"] += 1
        if name not in self._damaged:
            self._damaged.add(name)
            log.error("the log of a table is damaged", extra={"facts": {"table": name, "why": why}})
        raise Refused(Code.STORAGE)

    def _slot(self, name: str) -> Slot:
        slot = self.slots.get(name)
        if slot is None:
            slot = self.slots[name] = Slot()
        slot.used_ms = self.clock.steady_ms()
        return slot

    def _forget(self, name: str) -> None:
        slot = self.slots.get(name)
        if slot is not None and not slot.watchers:
            del self.slots[name]

    async def _asked(self, work: Coroutine[Any, Any, Answer]) -> Answer:
        try:
            return await work
        except StorageError as error:
            self.counts["storage_errors"] += 1
            raise Refused(Code.STORAGE) from error

    async def _work(self, work: Callable[[], Answer], is_long: bool) -> Answer:
        """What is long is worked out beside the event loop."""
        return await self.workers.run(work) if is_long else work()

    async def _finish(self, work: Coroutine[Any, Any, Answer]) -> Answer:
        """Work that must come to its end, also when whoever asked for it goes away."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return await asyncio.shield(task)

    async def _decided_again(self, work: Callable[[], Coroutine[Any, Any, Answer]]) -> Answer:
        """If another process wrote to the log meanwhile, it is read on and all is decided on what is true now."""
        for _ in range(MOST_CONFLICTS):
            try:
                return await work()
            except Conflict:
                self.counts["conflicts"] += 1
        raise Refused(Code.STORAGE)

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # whoever asked has it

    # --- Commands ---

    async def command(self, player: Player, command: wire.AnyCommand) -> wire.Ack:
        """Carry out a command once, and say under which number it stands in the log."""
        return await self._finish(self._decided_again(partial(self._command, player, command)))

    async def _command(self, player: Player, command: wire.AnyCommand) -> wire.Ack:
        slot = self._slot(command.table)
        async with slot.lock:
            table = await self._load(command.table, slot)
            invite = command.invite if isinstance(command, wire.Sit | wire.Chat) else ""
            if not table.is_open_to(player.id, invite):
                raise Refused(Code.NOT_FOUND)
            cause = Cause.of(player.id, command, command.id)
            done = table.commands.get((player.id, command.id))
            if done is not None:
                self.counts["repeated"] += 1
                must_be_same(done, cause)
                return acknowledged(command, table, done.seq)
            self._saw(table.id, player.id)
            table = await self._flag(slot, table)
            if isinstance(command, wire.Rematch):
                table = await self._rematch(slot, table, player, command, cause)
            else:
                work = partial(commands.decide, table, player, command, self._moment(slot))
                may_replay = table.status is Status.OPEN and table.created.start is not None
                events = await self._work(work, may_replay)
                table = await self._commit(slot, table, events, cause)
            done = table.commands.get((player.id, command.id))
            return acknowledged(command, table, done.seq if done else table.seq)

    def _moment(self, slot: Slot) -> Moment:
        return Moment(self.clock.steady_ms(), self.clock.wall_ms(), self._away(slot))

    def _away(self, slot: Slot) -> frozenset[str]:
        """Players without a socket or a word for a while during which their decision was awaited."""
        if slot.table is None:
            return frozenset()
        table = slot.table
        latest = self.clock.steady_ms() - self.settings.away_s * 1000
        if table.asked_ms > latest:
            return frozenset()
        return frozenset(
            player
            for player in {table.chairs[seat].player for seat in table.actors}
            if player and not slot.watchers[player] and self._last_seen(table.id, player) <= latest
        )

    def _saw(self, table: str, player: str) -> None:
        self._seen_ms[table, player] = self.clock.steady_ms()

    def _last_seen(self, table: str, player: str) -> int:
        """While the server was down nobody could come, so nobody counts as gone before its start."""
        return self._seen_ms.get((table, player), self._opened_ms)

    async def _commit(
        self, slot: Slot, table: Table, events: Events, cause: Cause, also: Write | None = None
    ) -> Table:
        """On disk first; only then is it true here. If the disk refuses, its log is looked at before the next use."""
        now = self.clock.wall_ms()
        stored = number(table, events, now, cause)
        starts = any(isinstance(event, ev.Started) for event in events)
        look_ahead = partial(table.after, stored, self.clock.steady_ms())
        try:
            ahead = await self._work(look_ahead, starts and table.created.start is not None)
            rows = row_of(ahead, self.clock, table.status)
            written = Write(events=stored, tables=[rows], seats=seat_rows(table.id, events))
            if also is not None:
                written.events.extend(also.events)
                written.tables.extend(also.tables)
                written.seats.extend(also.seats)
            await self.store.write(written)
        except BaseException as error:
            slot.is_unsure = True
            if isinstance(error, Conflict) or not isinstance(error, StorageError):
                raise
            self.counts["storage_errors"] += 1
            raise Refused(Code.STORAGE) from error
        ahead.remember(stored)
        slot.table = ahead
        self.counts["events"] += len(stored)
        self.counts["actions"] += sum(isinstance(event, ev.Played) for event in events)
        told = {"table": table.id, "seq": ahead.seq, "events": kinds(events)}
        log.info("committed", extra={"facts": told})
        self._publish(table, ahead)
        return ahead

    def _publish(self, before: Table, after: Table) -> None:
        self.bus.publish(after.id)
        if Status.OPEN in (before.status, after.status) or before.status is not after.status:
            self.bus.publish(LOBBY)
        self._wake(after)

    def _wake(self, table: Table) -> None:
        if table.bots_due():
            self.wakeups.bot(table.id)
        deadline = table.timer.deadline()
        if deadline is not None:
            self.wakeups.deadline(deadline, table.id)

    # --- New tables ---

    async def create(self, player: Player, asked: wire.NewTable) -> Table:
        await self.engines.load(asked.game)
        name = creation.name_of(player, asked, self.randomness)
        return await self._finish(self._create(name, player, asked))

    async def _create(self, name: str, player: Player, asked: wire.NewTable) -> Table:
        slot = self._slot(name)
        async with slot.lock:
            cause = Cause(player.id)
            if asked.id is not None:
                cause = Cause.of(player.id, asked, f"create:{asked.id}")
                try:
                    table = await self._load(name, slot)
                    must_be_same(table.commands.get((player.id, f"create:{asked.id}")), cause)
                    return table
                except Refused as error:
                    if error.code is not Code.NOT_FOUND:
                        raise
                    slot = self._slot(name)
            source = await self.open(asked.table) if asked.table is not None else None
            if source is not None and not source.is_open_to(player.id, ""):
                raise Refused(Code.NOT_FOUND)
            begin = creation.beginning(asked, source)

            def make() -> tuple[Table, Write]:
                return self._found(name, creation.plan(player, asked, begin(), self.randomness), cause)

            table, write = await self._work(make, creation.has_own_start(asked))
            await self._asked(self.store.write(write))
            slot.table = table
            self._saw(table.id, player.id)
            self.counts["tables"] += 1
            self.bus.publish(LOBBY)
            self._wake(table)
            return table

    def _found(self, name: str, plan: list[ev.AnyEvent], cause: Cause) -> tuple[Table, Write]:
        """A table from its first events; it starts at once when only bots play."""
        table = Table(name)
        now, steady = self.clock.wall_ms(), self.clock.steady_ms()
        stored: list[StoredEvent] = []

        def take(events: Events, cause: Cause) -> None:
            numbered = number(table, events, now, cause)
            for line in numbered:
                table.take(line, steady)
            table.remember(numbered)
            stored.extend(numbered)

        take(plan, cause)
        is_ready = table.created.autostart and all(chair.is_ready for chair in table.chairs)
        if table.status is Status.OPEN and is_ready:
            take(commands.start(table, []), Cause(cause.player))
        rows = [row_of(table, self.clock, Status.OPEN)]
        return table, Write(events=stored, tables=rows, seats=seat_rows(name, plan))

    async def _rematch(
        self, slot: Slot, table: Table, player: Player, command: wire.Rematch, cause: Cause
    ) -> Table:
        seat = commands.own_seat(table, player, command.seat)
        if table.status is not Status.ENDED:
            raise Refused(Code.WRONG_PHASE)
        if table.next is not None:
            return table
        name = creation.random_name(self.randomness)
        plan = creation.rematch(table, player, self.randomness)
        made, write = self._found(name, plan, Cause(player.id))
        table = await self._commit(
            slot, table, [ev.Rematched(seat, name, made.commitment)], cause, also=write
        )
        self._slot(name).table = made
        self._wake(made)
        self.bus.publish(LOBBY)
        return table

    # --- Clocks and bots ---

    async def flag(self, name: str) -> None:
        """Look whether someone is out of time."""
        await self._finish(self._decided_again(partial(self._flag_locked, name)))

    async def _flag_locked(self, name: str) -> None:
        slot = self._slot(name)
        async with slot.lock:
            await self._flag(slot, await self._load(name, slot))

    async def _flag(self, slot: Slot, table: Table) -> Table:
        while table.status is Status.RUNNING:
            seat = table.timer.out_of_time(self.clock.steady_ms())
            if seat is None:
                self._wake(table)
                break
            flag = Cause(command=f"flag:{table.seq}")
            events = commands.go_out(table, seat, self.clock.steady_ms(), by_time=True)
            table = await self._commit(slot, table, events, flag)
        return table

    async def bot_action(self, name: str, seat: int, seq: int, action: str, fallback: str) -> None:
        """A bot's choice, if the seat is still its to play and the position the one it saw, in update `seq`."""
        await self._finish(self._decided_again(partial(self._bot_action, name, seat, seq, action, fallback)))

    async def _bot_action(self, name: str, seat: int, seq: int, action: str, fallback: str) -> None:
        slot = self._slot(name)
        async with slot.lock:
            table = await self._flag(slot, await self._load(name, slot))
            if table.is_current(seq, None) and seat in dict(table.bots_due()):
                events = commands.play_now(table, seat, action, self._moment(slot), fallback)
                await self._commit(slot, table, events, Cause())

    # --- Presence and memory ---

    def enter(self, name: str, player: str | None) -> None:
        slot = self._slot(name)
        slot.watchers[player or ""] += 1
        self._announce(name)

    def exit(self, name: str, player: str | None) -> None:
        slot = self._slot(name)
        slot.watchers[player or ""] -= 1
        if slot.watchers[player or ""] <= 0:
            del slot.watchers[player or ""]
            if player:
                self._saw(name, player)
        self._announce(name)

    def _announce(self, name: str) -> None:
        """Tell the others soon, and many changes at once: a crowd that comes costs each of them little."""
        if name not in self._announced:
            self._announced.add(name)
            asyncio.get_running_loop().call_later(PRESENCE_S, self._tell_presence, name)

    def _tell_presence(self, name: str) -> None:
        self._announced.discard(name)
        self.bus.publish(presence_topic(name))

    def presence(self, name: str) -> wire.Presence | None:
        slot = self.slots.get(name)
        if slot is None or slot.table is None:
            return None
        return views.presence(slot.table, set(slot.watchers), slot.watchers.total())

    def tidy(self) -> int:
        """Let go of tables nobody looks at; returns how many."""
        now = self.clock.steady_ms()
        idle = [
            (slot.used_ms, name)
            for name, slot in self.slots.items()
            if not slot.watchers and not slot.lock.locked() and not must_stay(slot.table)
        ]
        idle.sort()
        surplus = max(0, len(idle) - self.settings.most_loaded)
        old = [
            name
            for rank, (used, name) in enumerate(idle)
            if rank < surplus or now - used > self.settings.idle_s * 1000
        ]
        for name in old:
            del self.slots[name]
        # Who is not remembered was last seen at the server's start: longer ago than that threshold either way.
        recent = now - self.settings.away_s * 1000
        self._seen_ms = {key: seen for key, seen in self._seen_ms.items() if seen > recent}
        return len(old)

    async def take_up(self) -> None:
        """At the start: the tables where a bot or a clock is due."""
        wall, steady = self.clock.wall_ms(), self.clock.steady_ms()
        for row in await self.store.waiting():
            if row["bot_due"]:
                self.wakeups.bot(row["id"])
            if row["deadline_ms"] is not None:
                self.wakeups.deadline(steady + max(0, row["deadline_ms"] - wall), row["id"])

    async def settle(self) -> None:
        """Wait for the commands under way."""
        while self._tasks:
            await asyncio.wait(list(self._tasks))
