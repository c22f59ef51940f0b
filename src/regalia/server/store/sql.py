"""What both databases are asked, in one wording."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from sqlalchemy import Connection, and_, or_, select

from regalia.server.model.events import StoredEvent
from regalia.server.ports import Write
from regalia.server.store import schema
from regalia.server.store.writer import Writer

TABLES = schema.tables.c
WAITING = select(TABLES.id, TABLES.deadline_ms, TABLES.bot_due).where(
    TABLES.status == "running", or_(TABLES.bot_due, TABLES.deadline_ms.is_not(None))
)
MOST_AT_ONCE = 500  # names in one question

Answer = TypeVar("Answer")


class SqlStore(ABC):
    """The `EventStore` of an SQL database. A kind of database says how it is written and read."""

    is_shared: bool
    shown: str  # where it is, without secrets
    writer: Writer

    @abstractmethod
    async def _read(self, ask: Callable[[Connection], Answer]) -> Answer:
        """The answer of one connection; of several questions, as of one moment."""

    @abstractmethod
    async def close(self) -> None: ...

    async def write(self, change: Write) -> None:
        await self.writer.write(change)

    async def read(self, table_id: str) -> tuple[dict[str, Any], list[StoredEvent]] | None:
        query = select(schema.tables).where(TABLES.id == table_id)

        def ask(connection: Connection) -> tuple[dict[str, Any], list[StoredEvent]] | None:
            row = connection.execute(query).mappings().one_or_none()
            return None if row is None else (dict(row), read_log(connection, table_id))

        return await self._read(ask)

    async def log(self, table_id: str, after: int = -1) -> list[StoredEvent]:
        return await self._read(lambda connection: read_log(connection, table_id, after))

    async def heads(self, table_ids: Iterable[str]) -> dict[str, int]:
        query = select(TABLES.id, TABLES.seq)
        rows = await self._all_of(table_ids, lambda some: query.where(TABLES.id.in_(some)))
        return {row["id"]: row["seq"] for row in rows}

    async def tables(
        self,
        status: tuple[str, ...],
        players: tuple[str, ...] | None = None,  # who sit there; None: public tables
        game: str | None = None,
        before: tuple[int, str] | None = None,
        limit: int = 50,
        since_ms: int = 0,
    ) -> list[dict[str, Any]]:
        rows = TABLES
        query = select(schema.tables).where(rows.status.in_(status))
        if players is None:
            query = query.where(rows.is_public)
        else:
            mine = select(schema.seats.c.table_id).where(schema.seats.c.player.in_(players))
            query = query.where(rows.id.in_(mine))
        if since_ms:
            query = query.where(rows.updated_ms >= since_ms)
        if game is not None:
            query = query.where(rows.game == game)
        if before is not None:
            at, table = before
            query = query.where(or_(rows.updated_ms < at, and_(rows.updated_ms == at, rows.id < table)))
        return await self._all(query.order_by(rows.updated_ms.desc(), rows.id.desc()).limit(limit))

    async def waiting(self, before_ms: int | None = None) -> list[dict[str, Any]]:
        if before_ms is None:
            return await self._all(WAITING)
        return await self._all(WAITING.where(or_(TABLES.bot_due, TABLES.deadline_ms < before_ms)))

    async def workers(self) -> list[dict[str, Any]]:
        return await self._all(select(schema.workers))

    async def outages(self, after_ms: int) -> list[tuple[int, int]]:
        columns = schema.outages.c
        rows = await self._all(select(schema.outages).where(columns.to_ms > after_ms).order_by(columns.to_ms))
        return [(row["from_ms"], row["to_ms"]) for row in rows]

    async def presence(self, table_ids: Iterable[str]) -> list[dict[str, Any]]:
        query = select(schema.presence)
        return await self._all_of(table_ids, lambda some: query.where(schema.presence.c.table_id.in_(some)))

    async def clock_ms(self) -> int | None:
        return None

    async def rows(
        self, table: str, where: dict[str, Any], since: tuple[str, int] | None = None
    ) -> list[dict[str, Any]]:
        kind = schema.metadata.tables[table]
        query = select(kind).order_by(*kind.primary_key)
        for name, value in where.items():
            column = kind.c[name]
            query = query.where(column.in_(value) if isinstance(value, list) else column == value)
        if since is not None:
            query = query.where(kind.c[since[0]] >= since[1])
        return await self._all(query)

    async def _all(self, query: Any) -> list[dict[str, Any]]:
        return await self._read(
            lambda connection: [dict(row) for row in connection.execute(query).mappings()]
        )

    async def _all_of(self, names: Iterable[str], query: Callable[[list[str]], Any]) -> list[dict[str, Any]]:
        """The rows of a question about many names, which is asked for some of them at a time."""
        wanted = list(names)

        def ask(connection: Connection) -> list[dict[str, Any]]:
            return [
                dict(row)
                for first in range(0, len(wanted), MOST_AT_ONCE)
                for row in connection.execute(query(wanted[first : first + MOST_AT_ONCE])).mappings()
            ]

        return await self._read(ask)


def read_log(connection: Connection, table_id: str, after: int = -1) -> list[StoredEvent]:
    columns = schema.events.c
    query = (
        select(schema.events).where(columns.table_id == table_id, columns.seq > after).order_by(columns.seq)
    )
    return [StoredEvent(**row) for row in connection.execute(query).mappings()]
