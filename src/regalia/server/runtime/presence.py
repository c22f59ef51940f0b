"""Who is at which table, and when they were last there. Not part of the log."""

from __future__ import annotations

import asyncio
from collections import Counter

from regalia.server.model.table import Table
from regalia.server.ports import Bus, TimeSource

ANNOUNCE_S = 0.5
NOBODY = ""  # a socket without a player


def presence_topic(table_id: str) -> str:
    """The bus topic of who is at a table."""
    return f"{table_id}#presence"


class Presence:
    def __init__(self, time: TimeSource, bus: Bus) -> None:
        self._time = time
        self._bus = bus
        self._began_ms = time.steady_ms()
        self._sockets: dict[str, Counter[str]] = {}  # by table: how many each player has
        self._seen_ms: dict[
            tuple[str, str], int
        ] = {}  # when a player was last heard, or their last socket went
        self._to_announce: set[str] = set()  # tables whose presence is about to be told

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
        return table_id in self._sockets

    def is_here(self, table_id: str, player: str) -> bool:
        return player in self._sockets.get(table_id, ())

    def online(self, table_id: str) -> set[str]:
        """The players with a socket."""
        return set(self._sockets.get(table_id, ())) - {NOBODY}

    def count(self, table_id: str) -> int:
        """How many sockets follow the table."""
        return self._sockets.get(table_id, Counter()).total()

    def saw(self, table_id: str, player: str) -> None:
        self._seen_ms[table_id, player] = self._time.steady_ms()

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
        self._seen_ms = {key: seen for key, seen in self._seen_ms.items() if seen > recent}

    def _last_seen(self, table_id: str, player: str) -> int:
        """While the server was down nobody could come, so nobody counts as gone before its start."""
        return self._seen_ms.get((table_id, player), self._began_ms)

    def _announce(self, table_id: str) -> None:
        """Tell the others soon, and many changes at once: a crowd that comes costs each of them little."""
        if table_id not in self._to_announce:
            self._to_announce.add(table_id)
            asyncio.get_running_loop().call_later(ANNOUNCE_S, self._publish, table_id)

    def _publish(self, table_id: str) -> None:
        self._to_announce.discard(table_id)
        self._bus.publish(presence_topic(table_id))
