"""Rows that every request asks for, remembered: who is there is not read from the disk each time."""

from __future__ import annotations

from typing import Any

from regalia.server.model.refusals import Refused
from regalia.server.ports import EventStore, StorageError, TimeSource, Write
from regalia.server.protocol import Code

MOST = 20_000
SHARED_MS = 4000  # where other processes may change a row: so long it may be an old one


class KnownRows:
    """Of tables whose key is `id`. Failures of the store are told as refusals."""

    def __init__(self, store: EventStore, time: TimeSource) -> None:
        self.store = store
        self._time = time
        # By table and id, the latest ones, with the steady time at which they were read.
        self._known: dict[tuple[str, str], tuple[dict[str, Any], int]] = {}

    async def row(self, table: str, name: str) -> dict[str, Any] | None:
        known = self._remembered(table, name)
        if known is not None:
            return known
        rows = await self.rows(table, {"id": name})
        if not rows:
            self.forget(table, name)
            return None
        self.remember(table, rows[0])
        return rows[0]

    def _remembered(self, table: str, name: str) -> dict[str, Any] | None:
        known, read_ms = self._known.get((table, name), (None, 0))
        is_fresh = not self.store.is_shared or self._time.steady_ms() - read_ms < SHARED_MS
        return known if is_fresh else None

    async def rows(
        self, table: str, where: dict[str, Any], since: tuple[str, int] | None = None
    ) -> list[dict[str, Any]]:
        """Not remembered."""
        try:
            return await self.store.rows(table, where, since)
        except StorageError as error:
            raise Refused(Code.STORAGE) from error

    async def group(self, table: str, column: str, name: str) -> list[dict[str, Any]]:
        """The rows that belong to a name, remembered together."""
        kept = self._remembered(f"{table}.{column}", name)
        if kept is not None:
            rows: list[dict[str, Any]] = kept["rows"]
            return rows
        rows = await self.rows(table, {column: name})
        self.remember(f"{table}.{column}", {"id": name, "rows": rows})
        return rows

    async def write(self, change: Write) -> None:
        try:
            await self.store.write(change)
        except StorageError as error:
            raise Refused(Code.STORAGE) from error

    def remember(self, table: str, row: dict[str, Any]) -> None:
        if len(self._known) >= MOST:
            del self._known[next(iter(self._known))]
        self._known[table, row["id"]] = row, self._time.steady_ms()

    def forget(self, table: str, name: str) -> None:
        self._known.pop((table, name), None)
