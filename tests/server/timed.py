"""Tables without sockets, bots or real time: people act, and time is set. The database is real by default."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from regalia.server import protocol as wire
from regalia.server.model.refusals import Refused
from regalia.server.model.rights import Player
from regalia.server.model.table import Table
from regalia.server.model.values import SeatKind
from regalia.server.ports import EventStore, LocalBus, SystemRandomness, SystemTime
from regalia.server.runtime.tables import Tables
from regalia.server.store import SqliteStore
from server.harness import SEED, fresh_id, settings_for

ANN, BOB, CYD = (Player(f"player-{name.lower()}", name) for name in ("Ann", "Bob", "Cyd"))


class SetTime(SystemTime):
    """Time stands until it is moved on."""

    def __init__(self) -> None:
        self.now_ms = 1_000_000

    def wall_ms(self) -> int:
        return 1_700_000_000_000 + self.now_ms

    def steady_ms(self) -> int:
        return self.now_ms

    def go_on(self, seconds: float) -> None:
        self.now_ms += round(seconds * 1000)


class TimedTables:
    def __init__(self, folder: Path, time: SetTime, store: EventStore | None, **changes: Any) -> None:
        self.time = time
        settings = settings_for(folder, **changes)
        self.store: EventStore = store or SqliteStore(settings.database)
        self.tables = Tables(self.store, time, SystemRandomness(), LocalBus(), settings)

    async def new_table(
        self, host: Player = ANN, seats: str = "human open", game: str = "rose_king", **more: Any
    ) -> str:
        """seats: words like `human`, `open`, `hotseat`, `bot`."""
        kinds = [SeatKind(kind) for kind in seats.split()]
        plan = [wire.SeatPlan(kind, bot="random" if kind is SeatKind.BOT else "") for kind in kinds]
        table = await self.tables.create(host, wire.NewTable(game=game, seats=plan, **more))
        if any(chair.awaits_seed for chair in table.chairs):
            await self.do(host, wire.Seed, table.id, SEED)
        return table.id

    async def match_of(self, *players: Player, **more: Any) -> str:
        """A running table with these people, in the order of their seats."""
        table = await self.new_table(players[0], " ".join(["human", *["open"] * (len(players) - 1)]), **more)
        for seat, player in enumerate(players[1:], 1):
            await self.do(player, wire.Sit, table, seat)
        return table

    async def do(
        self,
        player: Player,
        command: Callable[..., Any],
        table: str,
        *fields: Any,
        name: str = "",
        **more: Any,
    ) -> wire.Ack:
        """`name` is the command's own id."""
        return await self.tables.command(player, command(table, name or fresh_id(), *fields, **more))

    async def code_of(
        self, player: Player, command: Callable[..., Any], table: str, *fields: Any, **more: Any
    ) -> str:
        """Why a command is refused; empty when it is done."""
        try:
            await self.do(player, command, table, *fields, **more)
        except Refused as refusal:
            return str(refusal.code)
        return ""

    async def play(self, player: Player, table: str, seat: int) -> None:
        """Any legal action."""
        now = await self.table(table)
        assert now.match is not None
        await self.do(player, wire.Play, table, seat, now.match.actions(seat)[0], now.seq)

    async def bot_plays(self, table: str) -> None:
        """The bot that is due does something legal."""
        now = await self.table(table)
        (seat, _), *_ = now.bots_due()
        assert now.match is not None
        await self.tables.bot_action(table, seat, now.seq, now.match.actions(seat)[0], "")

    async def table(self, name: str) -> Table:
        return await self.tables.open(name)


def with_tables(
    folder: Path,
    story: Callable[[TimedTables], Awaitable[None]],
    time: SetTime | None = None,
    store: EventStore | None = None,
    **changes: Any,
) -> None:
    """Tell a story in tables of its own, and close it."""

    async def main() -> None:
        timed = TimedTables(folder, time or SetTime(), store, **changes)
        try:
            await story(timed)
        finally:
            await timed.store.close()

    asyncio.run(main())
