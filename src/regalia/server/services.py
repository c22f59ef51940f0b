"""Everything a request or socket may need, in one place."""

from __future__ import annotations

from dataclasses import dataclass, field

from regalia.server.metrics import Metrics
from regalia.server.players import People
from regalia.server.ports import Bus, Clock, EventStore, LocalBus, Randomness, SystemClock, SystemRandomness
from regalia.server.runtime.background import Drivers
from regalia.server.runtime.bot_pool import BotPool
from regalia.server.runtime.tables import House
from regalia.server.runtime.workers import Workers
from regalia.server.settings import Settings
from regalia.server.transport.limits import Limiter


@dataclass
class Services:
    settings: Settings
    store: EventStore
    clock: Clock = field(default_factory=SystemClock)
    randomness: Randomness = field(default_factory=SystemRandomness)
    bus: Bus = field(default_factory=LocalBus)
    pool: BotPool | None = None
    workers: Workers = field(default_factory=Workers)
    build: str = ""  # of the pages

    def __post_init__(self) -> None:
        self.metrics = Metrics()
        self.limiter = Limiter(self.settings.rates, self.clock)
        self.people = People(self.store, self.clock, self.randomness)
        self.house = House(self.store, self.clock, self.randomness, self.bus, self.settings, self.workers)
        self.bots = self.pool or BotPool(self.settings.bot_threads, self.settings.bot_limit_s)
        self.drivers = Drivers(self.house, self.bots)
        self.is_stopping = False

    async def start(self) -> None:
        await self.house.take_up()
        self.drivers.start()

    async def stop(self) -> None:
        """Commands under way are finished and on disk before the store closes."""
        self.is_stopping = True
        await self.drivers.stop()
        await self.house.settle()
        self.workers.stop()
        await self.store.close()
