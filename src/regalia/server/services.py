"""Everything a request or socket may need, in one place."""

from __future__ import annotations

import logging
import secrets
from dataclasses import dataclass, field

from regalia.server import protocol as wire
from regalia.server.metrics import Metrics
from regalia.server.model.clock import Now
from regalia.server.model.rights import Player
from regalia.server.people.accounts import Accounts
from regalia.server.people.budgets import Budgets
from regalia.server.people.known import KnownRows
from regalia.server.people.passwords import Passwords
from regalia.server.people.players import Players
from regalia.server.people.sessions import Sessions
from regalia.server.people.sign_in import SignIns
from regalia.server.ports import (
    Bus,
    EventStore,
    FindingStore,
    LocalBus,
    NoStudy,
    Randomness,
    StorageError,
    Study,
    SystemRandomness,
    SystemTime,
    TimeSource,
    read_time,
)
from regalia.server.runtime.background import Background
from regalia.server.runtime.bot_pool import BotPool
from regalia.server.runtime.database_time import DatabaseTime
from regalia.server.runtime.desk import Desk
from regalia.server.runtime.heartbeat import Heartbeat
from regalia.server.runtime.reviews import Reviews
from regalia.server.runtime.study import StudyProcesses
from regalia.server.runtime.tables import Tables
from regalia.server.runtime.workers import Workers
from regalia.server.settings import Settings
from regalia.server.store import open_store
from regalia.server.store.findings import Findings
from regalia.server.transport.limits import Limiter

READY_MS = 5000  # a server that has written something so lately can write

log = logging.getLogger("regalia.services")


def new_worker() -> str:
    return secrets.token_hex(5)


@dataclass
class Services:
    settings: Settings
    store: EventStore
    time: TimeSource = field(default_factory=SystemTime)
    randomness: Randomness = field(default_factory=SystemRandomness)
    bus: Bus = field(default_factory=LocalBus)
    pool: BotPool | None = None
    thinker: Study | None = None
    findings: FindingStore | None = None
    workers: Workers = field(default_factory=Workers)
    build: str = ""  # of the pages
    worker: str = field(default_factory=new_worker)  # the name of this process

    def __post_init__(self) -> None:
        self.metrics = Metrics()
        self.limiter = Limiter(self.settings.rates, self.time)
        self.known = KnownRows(self.store, self.time)
        self.sessions = Sessions(self.known, self.time, self.randomness, self.bus)
        self.passwords = Passwords(lambda: self.limiter.must_allow("hashing", "everybody"))
        self.players = Players(self.known, self.sessions, self.time, self.randomness)
        parts = (Budgets(self.known, self.time, self.randomness), self.time, self.randomness)
        self.accounts = Accounts(self.known, self.players, self.sessions, self.passwords, *parts)
        self.sign_ins = SignIns(
            self.known, self.players, self.sessions, self.accounts, self.passwords, *parts
        )
        self.heartbeat = Heartbeat(self.store, self.time, self.worker)
        self.tables = Tables(
            self.store, self.time, self.randomness, self.bus, self.settings, self.workers, self.heartbeat
        )
        self.bots = self.pool or BotPool(self.settings.bot_threads, self.settings.bot_limit_s)
        self.background = Background(self.tables, self.bots)
        self.study = self.thinker or self._study()
        self.reviews = Reviews(self.study, self.findings or Findings(self.settings.database), self.time)
        self.desk = Desk(self.study, self.time, self.settings.study_workers)
        self.cards: dict[tuple[object, ...], bytes] = {}  # pictures beside links, by what they show
        self.is_stopping = False
        self.is_draining = False  # who is here stays, but a proxy shall send nobody new

    def _study(self) -> Study:
        """It gives way to bots, and waits until the games are compiled."""
        settings = self.settings
        if not settings.study_workers:
            return NoStudy()

        def is_held() -> bool:
            return self.bots.waiting > 0 or bool(self.tables.loader.under_way())

        return StudyProcesses(settings.study_workers, settings.study_addresses, self.time, is_held)

    @property
    def now(self) -> Now:
        return read_time(self.time)

    async def start(self) -> None:
        self.tables.loader.start(self.settings.compilers)
        if isinstance(self.time, DatabaseTime):
            await self.time.ask(self.store)
        try:
            await self.tables.beat()
        except StorageError:  # what is there can be looked at; until it can be written nothing happens
            log.warning("the store cannot be written")
        await self.tables.restore_schedule()
        await self.bus.start()
        self.background.start()
        self.study.start()
        self.sessions.start()

    async def is_ready(self) -> bool:
        """Should a proxy send somebody here? Games are loaded, the time is known, and something was written lately."""
        time = self.time
        if self.is_stopping or self.is_draining or not self.tables.loader.has_all:
            return False
        if isinstance(time, DatabaseTime) and not time.is_sure:
            return False
        if self.heartbeat.was_heard_within(READY_MS):
            return True
        try:
            await self.tables.beat()
        except StorageError:
            return False
        return True

    async def command(self, player: Player, command: wire.AnyCommand) -> wire.Ack:
        """A command over any channel, within the player's rate."""
        self.limiter.must_allow("chat" if isinstance(command, wire.Chat) else "command", player.id)
        if player.also:
            player = player.at(await self.tables.open(command.table))
        began = self.time.steady_ms()
        ack = await self.tables.command(player, command)
        self.metrics.command_s.add((self.time.steady_ms() - began) / 1000)
        return ack

    async def stop(self) -> None:
        """Commands under way are finished and on disk before the store closes."""
        self.is_stopping = True
        self.tables.loader.stop()
        await self.reviews.stop()
        await self.study.stop()
        await self.background.stop()
        await self.sessions.stop()
        await self.heartbeat.leave()
        await self.tables.finish_commands()
        await self.bus.stop()
        self.workers.stop()
        self.passwords.stop()
        await self.store.close()


def services_of(settings: Settings) -> Services:
    """On the database of the settings. Raises `Unusable`."""
    return services_on(settings, open_store(settings.database))


def services_on(settings: Settings, store: EventStore) -> Services:
    """What several processes need besides, where the store is shared."""
    if not store.is_shared:
        return Services(settings, store)
    from regalia.server.store.postgres_bus import PostgresBus

    assert isinstance(settings.database, str)
    worker = new_worker()
    bus = PostgresBus(settings.database, worker)
    return Services(settings, store, DatabaseTime(), bus=bus, worker=worker)
