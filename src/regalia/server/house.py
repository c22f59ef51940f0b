"""The tables in memory. Every change goes: validate, commit, acknowledge, broadcast; never another order.

A table that nobody looks at leaves memory and is read from its log when it is needed. Commands on one table
follow each other (a lock); those on different tables share the disk (group commit in the store).
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import Any, TypeVar

from regalia.server import decide, opening, views
from regalia.server import events as ev
from regalia.server import protocol as wire
from regalia.server.decide import Change, Moment, Player
from regalia.server.engines import Engines
from regalia.server.ports import Bus, Clock, EventStore, Randomness, StorageError, StoredEvent, Write
from regalia.server.protocol import Code, Status
from regalia.server.refused import Refused
from regalia.server.rows import command_key, kinds, must_stay, number, row_of, seat_rows
from regalia.server.settings import Settings
from regalia.server.table import Table
from regalia.server.wakeups import Wakeups

LOBBY = "lobby"  # the bus topic of the list of open tables
PRESENCE_S = 0.5

log = logging.getLogger("regalia.house")

Answer = TypeVar("Answer")


def presence_topic(table: str) -> str:
    """The bus topic of who is at a table."""
    return f"{table}#presence"


@dataclass
class Slot:
    """A table's place in memory."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    table: Table | None = None
    watchers: Counter[str] = field(default_factory=Counter)  # sockets per player; "" is nobody in particular
    seen_ms: dict[str, int] = field(
        default_factory=dict
    )  # when a player was last heard or their last socket went
    used_ms: int = 0


class House:
    def __init__(
        self, store: EventStore, clock: Clock, randomness: Randomness, bus: Bus, settings: Settings
    ) -> None:
        self.store = store
        self.clock = clock
        self.randomness = randomness
        self.bus = bus
        self.settings = settings
        self.slots: dict[str, Slot] = {}
        self.engines = Engines()
        self.wakeups = Wakeups()  # who must be told that a bot or a clock is due
        self.counts: Counter[str] = Counter()  # for the metrics
        self._tasks: set[asyncio.Task[Any]] = set()
        self._opened_ms = clock.steady_ms()
        self._announced: set[str] = set()  # tables whose presence is about to be told

    # --- Reading ---

    async def open(self, name: str) -> Table:
        """The table, from memory or from its log."""
        slot = self._slot(name)
        if slot.table is not None:
            return slot.table
        return await self._finish(self._open_locked(name, slot))

    async def _open_locked(self, name: str, slot: Slot) -> Table:
        async with slot.lock:
            return await self._load(name, slot)

    async def _load(self, name: str, slot: Slot) -> Table:
        slot.used_ms = self.clock.steady_ms()
        if slot.table is None:
            stored = await self._asked(self.store.log(name))
            if not stored:
                self._forget(name)
                raise Refused(Code.NOT_FOUND)
            await self.engines.load_for(stored)
            slot.table = Table.read(name, stored, self.clock)
            self.counts["loads"] += 1
            self._wake(slot.table)
        return slot.table

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

    async def _finish(self, work: Coroutine[Any, Any, Answer]) -> Answer:
        """Work that must come to its end, also when whoever asked for it goes away."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return await asyncio.shield(task)

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # whoever asked has it

    # --- Commands ---

    async def command(self, player: Player, command: wire.AnyCommand) -> wire.Ack:
        """Carry out a command once, and say under which number it stands in the log."""
        return await self._finish(self._command(player, command))

    async def _command(self, player: Player, command: wire.AnyCommand) -> wire.Ack:
        slot = self._slot(command.table)
        async with slot.lock:
            table = await self._load(command.table, slot)
            invite = command.invite if isinstance(command, wire.Sit | wire.Chat) else ""
            if not table.is_open_to(player.id, invite):
                raise Refused(Code.NOT_FOUND)
            seat, name = command_key(player, command)
            done = table.commands.get((seat, name))
            if done is not None:
                self.counts["repeated"] += 1
                return wire.Ack(command.id, table.id, done, table.ply, table.next)
            table = await self._flag(slot, table)
            if isinstance(command, wire.Rematch):
                table = await self._rematch(slot, table, player, command, (seat, name))
            else:
                change = decide.decide(table, player, command, self._moment(slot))
                table = await self._commit(slot, table, change, (seat, name))
            slot.seen_ms[player.id] = self.clock.steady_ms()
            done = table.commands.get((seat, name), table.seq)
            return wire.Ack(command.id, table.id, done, table.ply, table.next)

    def _moment(self, slot: Slot) -> Moment:
        return Moment(self.clock.steady_ms(), self.randomness.bytes(16).hex(), self._away(slot))

    def _away(self, slot: Slot) -> frozenset[str]:
        """Players of the table without a socket or a word for a while, since the server's start at the earliest."""
        if slot.table is None:
            return frozenset()
        now = self.clock.steady_ms()
        return frozenset(
            chair.player
            for chair in slot.table.chairs
            if chair.player
            and not slot.watchers[chair.player]
            and now - slot.seen_ms.get(chair.player, self._opened_ms) >= self.settings.away_s * 1000
        )

    async def _commit(
        self, slot: Slot, table: Table, change: Change, key: tuple[int, str] | None, also: Write | None = None
    ) -> Table:
        """On disk first; only then is it true here. If the disk refuses, the table is read anew."""
        now = self.clock.wall_ms()
        stored = number(table, change.events, now, key)
        ahead = table.after(change.events, stored, self.clock.steady_ms(), change.match)
        rows = row_of(ahead, self.clock)
        written = Write(events=stored, tables=[rows], seats=seat_rows(table.id, change.events))
        if also is not None:
            written.events.extend(also.events)
            written.tables.extend(also.tables)
            written.seats.extend(also.seats)
        try:
            await self.store.write(written)
        except StorageError as error:
            slot.table = None
            self.counts["storage_errors"] += 1
            raise Refused(Code.STORAGE) from error
        slot.table = ahead
        self.counts["events"] += len(stored)
        self.counts["actions"] += sum(isinstance(event, ev.Played) for event in change.events)
        told = {"table": table.id, "seq": ahead.seq, "events": kinds(change.events)}
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
        name = opening.name_of(player, asked, self.randomness)
        return await self._finish(self._create(name, player, asked))

    async def _create(self, name: str, player: Player, asked: wire.NewTable) -> Table:
        slot = self._slot(name)
        async with slot.lock:
            if asked.id is not None:
                try:
                    return await self._load(name, slot)
                except Refused as error:
                    if error.code is not Code.NOT_FOUND:
                        raise
                    slot = self._slot(name)
            source = await self.open(asked.table) if asked.table is not None else None
            if source is not None and not source.is_open_to(player.id, ""):
                raise Refused(Code.NOT_FOUND)
            plan = opening.plan(player, asked, source, self.randomness)
            table, write = await self._found(name, plan)
            await self._asked(self.store.write(write))
            slot.table = table
            slot.seen_ms[player.id] = self.clock.steady_ms()
            self.counts["tables"] += 1
            self.bus.publish(LOBBY)
            self._wake(table)
            return table

    async def _found(self, name: str, plan: list[ev.AnyEvent]) -> tuple[Table, Write]:
        """A table from its first events; it starts at once when all its seats are filled."""
        table = Table(name)
        now, steady = self.clock.wall_ms(), self.clock.steady_ms()
        stored: list[StoredEvent] = []

        def take(events: list[ev.AnyEvent], change: Change) -> None:
            numbered = number(table, events, now, None)
            for event, line in zip(events, numbered, strict=True):
                table.take(event, line, steady, change.match)
            stored.extend(numbered)

        take(plan, Change())
        if table.is_full and table.created.autostart:
            change = decide.start(table, [])
            take(change.events, change)
        rows = [row_of(table, self.clock)]
        return table, Write(events=stored, tables=rows, seats=seat_rows(name, plan))

    async def _rematch(
        self, slot: Slot, table: Table, player: Player, command: wire.Rematch, key: tuple[int, str]
    ) -> Table:
        seat = decide.own_seat(table, player, command.seat)
        if table.status is not Status.ENDED:
            raise Refused(Code.WRONG_PHASE)
        if table.next is not None:
            return table
        name = opening.random_name(self.randomness)
        made, write = await self._found(name, opening.rematch(table, player, self.randomness))
        change = Change([ev.Rematched(seat, name)], table.match)
        table = await self._commit(slot, table, change, key, also=write)
        self._slot(name).table = made
        self._wake(made)
        self.bus.publish(LOBBY)
        return table

    # --- Clocks and bots ---

    async def flag(self, name: str) -> None:
        """Look whether someone is out of time."""
        await self._finish(self._flag_locked(name))

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
            table = await self._commit(slot, table, decide.go_out(table, seat, by_time=True), None)
        return table

    async def bot_action(self, name: str, seat: int, ply: int, action: str, fallback: str) -> None:
        """A bot's choice, if the seat is still its to play."""
        await self._finish(self._bot_action(name, seat, ply, action, fallback))

    async def _bot_action(self, name: str, seat: int, ply: int, action: str, fallback: str) -> None:
        slot = self._slot(name)
        async with slot.lock:
            table = await self._flag(slot, await self._load(name, slot))
            if table.ply == ply and seat in dict(table.bots_due()):
                change = decide.play_at(table, seat, action, ply, self._moment(slot), fallback)
                await self._commit(slot, table, change, None)

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
            slot.seen_ms[player or ""] = self.clock.steady_ms()
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
