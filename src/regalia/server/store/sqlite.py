"""The store on SQLite: WAL, synchronous=FULL, one connection that writes and checkpoints, a few that read."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, and_, create_engine, event, or_, select
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.pool import QueuePool, StaticPool

from regalia.server.model.events import StoredEvent
from regalia.server.ports import StorageError, Write
from regalia.server.store import schema
from regalia.server.store.file import OpenFile, Unusable, reason_of
from regalia.server.store.migrate import Newer, migrate
from regalia.server.store.writer import Writer

READERS = 2
BUSY_MS = 4000  # how long to wait for another process that holds the database

TABLES = schema.tables.c
WAITING = select(TABLES.id, TABLES.deadline_ms, TABLES.bot_due).where(
    TABLES.status == "running", or_(TABLES.bot_due, TABLES.deadline_ms.is_not(None))
)

Answer = TypeVar("Answer")


def open_engine(path: Path, writes: bool) -> Engine:
    """An engine in autocommit: transactions are begun and ended by name."""
    pool = {"poolclass": StaticPool} if writes else {"poolclass": QueuePool, "pool_size": READERS}
    engine = create_engine(
        f"sqlite:///{path}",
        isolation_level="AUTOCOMMIT",
        connect_args={"check_same_thread": False, "timeout": BUSY_MS / 1000},
        **pool,
    )

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _record: Any) -> None:
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA busy_timeout={BUSY_MS}")
        cursor.execute("PRAGMA foreign_keys=ON")
        if writes:
            cursor.execute("PRAGMA journal_mode=WAL")
            cursor.execute("PRAGMA synchronous=FULL")
        else:
            cursor.execute("PRAGMA query_only=ON")
            cursor.execute("PRAGMA wal_autocheckpoint=0")
        cursor.close()

    return engine


def bring_up_to_date(path: Path) -> None:
    """Also finds out whether the file can be written, and read as far as a start needs it."""
    engine = open_engine(path, writes=True)
    try:
        with engine.connect() as connection:
            migrate(connection)
            connection.exec_driver_sql("BEGIN IMMEDIATE")
            connection.execute(WAITING).all()
            connection.exec_driver_sql("ROLLBACK")
    except DBAPIError as error:
        raise Unusable(reason_of(error.orig), path) from error
    except Newer as error:
        raise Unusable("server.cli.newer", path) from error
    finally:
        engine.dispose()


class SqliteStore:
    """Opens (and brings up to date) the database of a file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        bring_up_to_date(path)
        self._file = OpenFile(path)
        self._writing = open_engine(path, writes=True)
        self._reading = open_engine(path, writes=False)
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="regalia-reader")
        self.writer = Writer(self._writing, self._file.check)

    async def write(self, change: Write) -> None:
        await self.writer.write(change)

    async def log(self, table_id: str, after: int = -1) -> list[StoredEvent]:
        columns = schema.events.c
        query = (
            select(schema.events)
            .where(columns.table_id == table_id, columns.seq > after)
            .order_by(columns.seq)
        )
        return [StoredEvent(**row) for row in await self._all(query)]

    async def table(self, table_id: str) -> dict[str, Any] | None:
        return await self._one(select(schema.tables).where(schema.tables.c.id == table_id))

    async def tables(
        self,
        status: tuple[str, ...],
        player: str | None = None,
        game: str | None = None,
        before: tuple[int, str] | None = None,
        limit: int = 50,
        since_ms: int = 0,
    ) -> list[dict[str, Any]]:
        rows = schema.tables.c
        query = select(schema.tables).where(rows.status.in_(status))
        if player is None:
            query = query.where(rows.is_public)
        else:
            mine = select(schema.seats.c.table_id).where(schema.seats.c.player == player)
            query = query.where(rows.id.in_(mine))
        if since_ms:
            query = query.where(rows.updated_ms >= since_ms)
        if game is not None:
            query = query.where(rows.game == game)
        if before is not None:
            at, table = before
            query = query.where(or_(rows.updated_ms < at, and_(rows.updated_ms == at, rows.id < table)))
        return await self._all(query.order_by(rows.updated_ms.desc(), rows.id.desc()).limit(limit))

    async def waiting(self) -> list[dict[str, Any]]:
        return await self._all(WAITING)

    async def player(self, player: str) -> dict[str, Any] | None:
        return await self._one(select(schema.players).where(schema.players.c.id == player))

    async def token(self, token: str) -> dict[str, Any] | None:
        return await self._one(select(schema.tokens).where(schema.tokens.c.id == token))

    async def tokens(self, player: str) -> list[dict[str, Any]]:
        rows = schema.tokens.c
        return await self._all(select(schema.tokens).where(rows.player == player).order_by(rows.created_ms))

    async def close(self) -> None:
        await asyncio.to_thread(self.writer.stop)
        self._readers.shutdown()
        self._reading.dispose()
        self._writing.dispose()

    async def _one(self, query: Any) -> dict[str, Any] | None:
        rows = await self._all(query)
        return rows[0] if rows else None

    async def _all(self, query: Any) -> list[dict[str, Any]]:
        return await self._read(
            lambda connection: [dict(row) for row in connection.execute(query).mappings()]
        )

    async def _read(self, ask: Callable[[Connection], Answer]) -> Answer:
        def work() -> Answer:
            self._file.check()
            with self._reading.connect() as connection:
                return ask(connection)

        try:
            return await asyncio.get_running_loop().run_in_executor(self._readers, work)
        except SQLAlchemyError as error:
            raise StorageError(type(error).__name__) from error
