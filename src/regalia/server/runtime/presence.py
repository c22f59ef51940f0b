"""Who is at which table, and when they were last there. Not part of the log.

Where several processes serve, each writes down who is at its own sockets; the others read that when they are told to,
and count only what living processes have written.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Coroutine, Iterable
from typing import Any

from regalia.server.model.table import Table
from regalia.server.ports import Bus, EventStore, StorageError, TimeSource, Write
from regalia.server.runtime.heartbeat import Heartbeat

ANNOUNCE_S = 0.5
NOBODY = ""  # a socket without a player

log = logging.getLogger("regalia.presence")


def presence_topic(table_id: str) -> str:
    """The bus topic of who is at a table."""
    return f"{table_id}#presence"


class Presence:
    def __init__(self, time: TimeSource, bus: Bus, store: EventStore, heartbeat: Heartbeat) -> None:
        self._time = time
        self._bus = bus
        self._store = store
        self._heartbeat = heartbeat
        self._began_ms = time.steady_ms()
        self._sockets: dict[str, Counter[str]] = {}  # by table: how many each player has
        # By table: when a player was last heard, or their last socket went.
        self._seen_ms: dict[str, dict[str, int]] = {}
        self._to_announce: set[str] = set()  # tables whose presence is about to be told
        self._elsewhere: dict[str, list[dict[str, Any]]] = {}  # by table: what other processes have written
        self._written: dict[
            str, set[str]
        ] = {}  # by table: the players that this process has written as present
        self._tasks: set[asyncio.Task[None]] = set()

    def enter(self, table_id: str, player: str | None) -> None:
        self._sockets.setdefault(table_id, Counter())[player or NOBODY] += 1
        self._announce(table_id)

    def exit(self, table_id: str, player: str | None) -> None:
        sockets = self._sockets[table_id]
        sockets[player or NOBODY] -= 1
        if not sockets[player or NOBODY]:
            del sockets[player or NOBODY]
            if player:
                self.saw(table_id, player)
        if not sockets:
            del self._sockets[table_id]
        self._announce(table_id)

    def is_watched(self, table_id: str) -> bool:
        """From this process."""
        return table_id in self._sockets

    def is_here(self, table_id: str, player: str) -> bool:
        return player in self.online(table_id)

    def online(self, table_id: str) -> set[str]:
        """The players with a socket, at any process."""
        elsewhere = {row["player"] for row in self._living(table_id) if row["sockets"]}
        return (set(self._sockets.get(table_id, ())) | elsewhere) - {NOBODY}

    def count(self, table_id: str) -> int:
        """How many sockets follow the table."""
        elsewhere: int = sum(row["sockets"] for row in self._living(table_id))
        return self._sockets.get(table_id, Counter()).total() + elsewhere

    def saw(self, table_id: str, player: str) -> None:
        self._seen_ms.setdefault(table_id, {})[player] = self._time.steady_ms()
        if self._store.is_shared and player not in self._sockets.get(table_id, ()):
            self._announce(table_id)  # else a socket tells the others that the player is there

    def away(self, table: Table, seconds: float) -> frozenset[str]:
        """Players without a socket or a word for so long while their decision was awaited."""
        latest = self._time.steady_ms() - seconds * 1000
        if table.due_since_ms > latest:
            return frozenset()
        return frozenset(
            player
            for player in {table.chairs[seat].player for seat in table.actors}
            if player and not self.is_here(table.id, player) and self._last_seen(table.id, player) <= latest
        )

    def forget(self, seconds: float) -> None:
        """Who is not remembered was last seen at the server's start: longer ago than so many seconds either way."""
        recent = self._time.steady_ms() - seconds * 1000
        for table_id, seen in list(self._seen_ms.items()):
            self._seen_ms[table_id] = {player: ms for player, ms in seen.items() if ms > recent}
            if not self._seen_ms[table_id]:
                del self._seen_ms[table_id]
        self._elsewhere = {name: rows for name, rows in self._elsewhere.items() if self.is_watched(name)}

    def _last_seen(self, table_id: str, player: str) -> int:
        """While the server was down nobody could come, so nobody counts as gone before its start."""
        offset = self._time.wall_ms() - self._time.steady_ms()
        rows = self._elsewhere.get(table_id, ())
        elsewhere: list[int] = [row["seen_ms"] - offset for row in rows if row["player"] == player]
        return max(self._seen_ms.get(table_id, {}).get(player, self._began_ms), *elsewhere, self._began_ms)

    def _announce(self, table_id: str) -> None:
        """Tell the others soon, and many changes at once: a crowd that comes costs each of them little."""
        if table_id not in self._to_announce:
            self._to_announce.add(table_id)
            asyncio.get_running_loop().call_later(ANNOUNCE_S, self._publish, table_id)

    def _publish(self, table_id: str) -> None:
        self._to_announce.discard(table_id)
        if self._store.is_shared:
            self._begin(self._write_and_publish(table_id))
        else:
            self._bus.publish(presence_topic(table_id))

    # --- Other processes ---

    async def read(self, table_ids: Iterable[str]) -> None:
        """What other processes have written."""
        wanted = list(table_ids)
        rows = await self._store.presence(wanted)
        for table_id in wanted:
            self._elsewhere[table_id] = []
        for row in rows:
            if row["worker"] != self._heartbeat.worker:
                self._elsewhere[row["table_id"]].append(row)

    def heard(self, table_id: str) -> None:
        """Another process has written who is at a table."""
        if self.is_watched(table_id):
            self._begin(self._read_and_wake([table_id]))

    async def refresh(self) -> None:
        """Write and read all anew: hints may be lost, and old rows are thrown away."""
        tables = list(self._sockets)
        await self._store.write(Write(presence=[row for table_id in tables for row in self._rows(table_id)]))
        before = {table_id: (self.online(table_id), self.count(table_id)) for table_id in tables}
        await self.read(tables)
        for table_id, known in before.items():
            if known != (self.online(table_id), self.count(table_id)):
                self._bus.wake(presence_topic(table_id))

    def _living(self, table_id: str) -> list[dict[str, Any]]:
        rows = self._elsewhere.get(table_id, ())
        return [row for row in rows if self._heartbeat.is_alive(row["worker"])]

    def _rows(self, table_id: str) -> list[dict[str, Any]]:
        """Of who is here, was here, or has said something."""
        sockets, seen_ms = self._sockets.get(table_id, Counter()), self._seen_ms.get(table_id, {})
        players = set(sockets) | set(seen_ms) | self._written.pop(table_id, set())
        if sockets:
            self._written[table_id] = set(sockets)
        steady = self._time.steady_ms()
        offset = self._time.wall_ms() - steady
        return [
            {
                "worker": self._heartbeat.worker,
                "table_id": table_id,
                "player": player,
                "sockets": sockets[player],
                "seen_ms": offset + (steady if sockets[player] else seen_ms.get(player, steady)),
            }
            for player in sorted(players)
        ]

    async def _write_and_publish(self, table_id: str) -> None:
        await self._store.write(Write(presence=self._rows(table_id)))
        self._bus.publish(presence_topic(table_id))
        if self.is_watched(table_id):
            await self._read_and_wake([table_id])

    async def _read_and_wake(self, table_ids: list[str]) -> None:
        await self.read(table_ids)
        for table_id in table_ids:
            self._bus.wake(presence_topic(table_id))

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        async def safely() -> None:
            try:
                await work
            except StorageError:  # it is refreshed soon anyway
                log.warning("presence could not be told")

        task = asyncio.ensure_future(safely())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
