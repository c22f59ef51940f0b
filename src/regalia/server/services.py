"""Everything a request or socket may need, in one place."""

from __future__ import annotations

from dataclasses import dataclass, field

from regalia.server import protocol as wire
from regalia.server.metrics import Metrics
from regalia.server.model.clock import Now
from regalia.server.model.rights import Player
from regalia.server.players import Players
from regalia.server.ports import (
    Bus,
    EventStore,
    LocalBus,
    Randomness,
    SystemRandomness,
    SystemTime,
    TimeSource,
    read_time,
)
from regalia.server.runtime.background import Background
from regalia.server.runtime.bot_pool import BotPool
from regalia.server.runtime.tables import Tables
from regalia.server.runtime.workers import Workers
from regalia.server.settings import Settings
from regalia.server.transport.limits import Limiter


@dataclass
class Services:
    settings: Settings
    store: EventStore
    time: TimeSource = field(default_factory=SystemTime)
    randomness: Randomness = field(default_factory=SystemRandomness)
    bus: Bus = field(default_factory=LocalBus)
    pool: BotPool | None = None
    workers: Workers = field(default_factory=Workers)
    build: str = ""  # of the pages

    def __post_init__(self) -> None:
        self.metrics = Metrics()
        self.limiter = Limiter(self.settings.rates, self.time)
        self.players = Players(self.store, self.time, self.randomness)
        self.tables = Tables(self.store, self.time, self.randomness, self.bus, self.settings, self.workers)
        self.bots = self.pool or BotPool(self.settings.bot_threads, self.settings.bot_limit_s)
        self.background = Background(self.tables, self.bots)
        self.is_stopping = False

    @property
    def now(self) -> Now:
        return read_time(self.time)

    async def start(self) -> None:
        await self.tables.restore_schedule()
        self.background.start()

    async def command(self, player: Player, command: wire.AnyCommand) -> wire.Ack:
        """A command over any channel, within the player's rate."""
        self.limiter.must_allow("chat" if isinstance(command, wire.Chat) else "command", player.id)
        began = self.time.steady_ms()
        ack = await self.tables.command(player, command)
        self.metrics.command_s.add((self.time.steady_ms() - began) / 1000)
        return ack

    async def stop(self) -> None:
        """Commands under way are finished and on disk before the store closes."""
        self.is_stopping = True
        await self.background.stop()
        await self.tables.finish_commands()
        self.workers.stop()
        await self.store.close()
