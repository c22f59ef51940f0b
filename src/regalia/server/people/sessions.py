"""Sessions: the browsers in which somebody is a player.

A session ends when it is not used for a while, at a fixed time at the latest, or when its player says so; then the
sockets it has open are closed. Other processes hear of that from the bus, and look for themselves every few seconds.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from regalia.server import protocol as wire
from regalia.server.model.ids import random_id
from regalia.server.model.refusals import Refused
from regalia.server.people import keys
from regalia.server.people.known import KnownRows
from regalia.server.ports import Bus, Change, Conflict, Randomness, StorageError, TimeSource, Write
from regalia.server.protocol import Code

DAY_MS = 86_400_000
IDLE_MS = 90 * DAY_MS
LONGEST_MS = 400 * DAY_MS  # browsers keep no cookie for longer
RENEWED_MS = 3_600_000  # so often at most it is written down that a session is used
FRESH_MS = 600_000  # so long after showing who is there, sensitive things may be done
MOST = 20  # of one player: the one that was used least recently makes room
CHECK_S = 3.0


class Via(StrEnum):
    """How a session began."""

    GUEST = "guest"
    PASSKEY = "passkey"
    PASSWORD = "password"  # noqa: S105 - the name of a way
    RECOVERY = "recovery"


@dataclass(frozen=True)
class Session:
    id: str
    player: str
    key: str  # what the browser keeps
    keep_s: int  # for so long
    fresh_ms: int
    is_renewed: bool = False  # the browser must be told to keep it for longer


def topic(table: str, name: str) -> str:
    """The bus topic of a session or token that ends."""
    return f"{name}#{table}"


class Sessions:
    def __init__(self, known: KnownRows, time: TimeSource, randomness: Randomness, bus: Bus) -> None:
        self._known = known
        self._time = time
        self._randomness = randomness
        self._bus = bus
        self._open: Counter[tuple[str, str]] = Counter()  # by which table and id sockets are there
        self._checking: asyncio.Task[None] | None = None

    # --- Beginning, and being known again ---

    def new(self, player: str, via: Via, label: str) -> tuple[dict[str, Any], Session]:
        """The row of a new session, to be written."""
        now = self._time.wall_ms()
        secret = keys.new_secret(self._randomness)
        row = {
            "id": random_id(self._randomness.bytes),
            "player": player,
            "secret_hash": keys.digest(secret),
            "created_ms": now,
            "seen_ms": now,
            "expires_ms": now + LONGEST_MS,
            "fresh_ms": now,
            "label": label,
            "via": str(via),
        }
        return row, self._session(row, secret, is_renewed=True)

    async def known(self, key: str) -> Session | None:
        parts = keys.split(key)
        row = None if parts is None else await self._known.row("sessions", parts[0])
        if parts is None or row is None or not keys.opens(parts[1], row):
            return None
        now = self._time.wall_ms()
        if not is_alive(row, now):
            return None
        is_renewed = now - row["seen_ms"] >= RENEWED_MS
        if is_renewed:
            row = await self._renew(row, now)
        return self._session(row, parts[1], is_renewed)

    async def _renew(self, row: dict[str, Any], now: int) -> dict[str, Any]:
        """Whoever is there stays there, also while the store cannot be written."""
        renewed = {**row, "seen_ms": now}
        try:
            await self._known.store.write(
                Write(changes=[Change("sessions", {"id": row["id"]}, {"seen_ms": now})])
            )
        except StorageError:
            return row
        self._known.remember("sessions", renewed)
        return renewed

    def _session(self, row: dict[str, Any], secret: str, is_renewed: bool) -> Session:
        left_ms = min(IDLE_MS, row["expires_ms"] - self._time.wall_ms())
        return Session(
            row["id"], row["player"], f"{row['id']}.{secret}", left_ms // 1000, row["fresh_ms"], is_renewed
        )

    async def room_for_one(self, player: str) -> list[Change]:
        """What goes when one more begins: those that are over, and the least used of too many."""
        rows = await self._known.rows("sessions", {"player": player})
        now = self._time.wall_ms()
        alive = sorted(
            (row for row in rows if is_alive(row, now)), key=lambda row: row["seen_ms"], reverse=True
        )
        kept = {row["id"] for row in alive[: MOST - 1]}
        return [Change("sessions", {"id": row["id"]}) for row in rows if row["id"] not in kept]

    # --- The list, and ending them ---

    async def listed(self, player: str, here: str) -> list[wire.SessionFacts]:
        now = self._time.wall_ms()
        rows = [row for row in await self._known.rows("sessions", {"player": player}) if is_alive(row, now)]
        rows.sort(key=lambda row: (row["id"] != here, -row["seen_ms"]))
        return [
            wire.SessionFacts(
                row["id"], row["label"], row["via"], row["created_ms"], row["seen_ms"], row["id"] == here
            )
            for row in rows
        ]

    async def label(self, session: Session) -> str:
        row = await self._known.row("sessions", session.id)
        return "" if row is None else str(row["label"])

    async def end(self, player: str, name: str) -> None:
        try:
            await self._known.store.write(
                Write(changes=[Change("sessions", {"id": name, "player": player}, must=True)])
            )
        except Conflict as error:
            raise Refused(Code.NOT_FOUND) from error
        except StorageError as error:
            raise Refused(Code.STORAGE) from error
        self.ended("sessions", name)

    async def end_others(self, player: str, here: str) -> None:
        others = [
            row["id"] for row in await self._known.rows("sessions", {"player": player}) if row["id"] != here
        ]
        await self._known.write(Write(changes=[Change("sessions", {"id": name}) for name in others]))
        for name in others:
            self.ended("sessions", name)

    def ended(self, table: str, name: str) -> None:
        """Of a session or token: nobody is known by it any more, and its sockets close."""
        self._known.forget(table, name)
        self._bus.publish(topic(table, name))

    # --- Sockets ---

    def listen(self, table: str, name: str, drop: Callable[[], None]) -> Callable[[], None]:
        """`drop` is called when the session or token ends; returns what ends listening."""
        self._open[table, name] += 1
        stop = self._bus.subscribe(topic(table, name), drop)

        def end() -> None:
            stop()
            self._open[table, name] -= 1
            if not self._open[table, name]:
                del self._open[table, name]

        return end

    def start(self) -> None:
        if self._known.store.is_shared:
            self._checking = asyncio.ensure_future(self._check_for_ever())

    async def stop(self) -> None:
        if self._checking is not None:
            self._checking.cancel()
            await asyncio.gather(self._checking, return_exceptions=True)

    async def _check_for_ever(self) -> None:
        """A hint may be lost: what another process has ended is looked for."""
        while True:
            await self._time.sleep(CHECK_S)
            try:
                await self.check()
            except StorageError:
                continue

    async def check(self) -> None:
        now = self._time.wall_ms()
        for table in {table for table, _ in self._open}:
            names = [name for kind, name in self._open if kind == table]
            rows = await self._known.store.rows(table, {"id": names})
            there = {row["id"] for row in rows if table != "sessions" or is_alive(row, now)}
            for name in set(names) - there:
                self._known.forget(table, name)
                self._bus.wake(topic(table, name))


def is_alive(row: dict[str, Any], now: int) -> bool:
    return bool(now < row["expires_ms"] and now - row["seen_ms"] < IDLE_MS)


BROWSERS = (
    ("Edg", "Edge"),
    ("OPR", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrom", "Chrome"),
    ("Safari", "Safari"),
)
SYSTEMS = (
    ("Windows", "Windows"),
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Mac OS", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


def label_of(agent: str) -> str:
    """The families of browser and system, for people to tell their devices apart; no version, nothing else."""
    found = [next((name for mark, name in families if mark in agent), "") for families in (BROWSERS, SYSTEMS)]
    return " · ".join(name for name in found if name)
