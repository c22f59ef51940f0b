"""The store on PostgreSQL: for several processes, also on several machines."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from sqlalchemy import Connection, create_engine
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.pool import QueuePool

from regalia.server.ports import StorageError
from regalia.server.store.file import Unusable
from regalia.server.store.migrate import Newer, migrate
from regalia.server.store.postgres_commit import MOST_IN_A_GROUP, PostgresCommit
from regalia.server.store.sql import SqlStore
from regalia.server.store.writer import Writer

READERS = 4
MIGRATING = 0x7265_6761_6C69_61  # the advisory lock of who changes the schema
OPTIONS: dict[str, Any] = {
    "connect_timeout": 5,
    "target_session_attrs": "read-write",
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "options": "-c statement_timeout=5000 -c idle_in_transaction_session_timeout=10000",
    "application_name": "regalia",
}

Answer = TypeVar("Answer")


def without_password(url: str) -> str:
    """The address as it may be shown."""
    parts = conninfo_to_dict(url)
    parts.pop("password", None)
    return make_conninfo("", **{name: str(value) for name, value in parts.items()})


def connect(url: str, **options: Any) -> psycopg.Connection[Any]:
    return psycopg.connect(url, **{**OPTIONS, **options})


class PostgresStore(SqlStore):
    """Opens (and brings up to date) a database that exists."""

    is_shared = True

    def __init__(self, url: str) -> None:
        bring_up_to_date(url)
        self.url = url
        self.shown = without_password(url)
        self._engine = create_engine(
            "postgresql+psycopg://",
            creator=lambda: connect(url),
            isolation_level="REPEATABLE READ",  # one moment for several questions
            poolclass=QueuePool,
            pool_size=READERS,
            max_overflow=0,
        )
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="regalia-reader")
        self._commit = PostgresCommit(lambda: connect(url))
        self.writer = Writer(self._commit, MOST_IN_A_GROUP)

    async def close(self) -> None:
        await asyncio.to_thread(self.writer.stop)
        self._commit.close()
        self._readers.shutdown()
        self._engine.dispose()

    async def clock_ms(self) -> int | None:
        question = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint"
        now: int = await self._read(lambda connection: connection.exec_driver_sql(question).scalar_one())
        return now

    async def _read(self, ask: Callable[[Connection], Answer]) -> Answer:
        def work() -> Answer:
            with self._engine.connect() as connection:
                return ask(connection)

        def work_also_on_a_new_connection() -> Answer:
            """The database may have ended connections that nobody used: reading twice does no harm."""
            try:
                return work()
            except DBAPIError as error:
                if not error.connection_invalidated:
                    raise
                return work()

        try:
            return await asyncio.get_running_loop().run_in_executor(
                self._readers, work_also_on_a_new_connection
            )
        except SQLAlchemyError as error:
            raise StorageError(type(error).__name__) from error


def bring_up_to_date(url: str) -> None:
    """Also finds out whether the database can be reached, and keeps what it has acknowledged."""
    try:
        shown = without_password(url)
    except psycopg.Error as error:
        raise Unusable("server.cli.bad_url", url) from error
    engine = create_engine("postgresql+psycopg://", creator=lambda: connect(url), poolclass=QueuePool)
    try:
        with engine.begin() as connection:
            for setting in ("fsync", "synchronous_commit"):
                if connection.exec_driver_sql(f"SHOW {setting}").scalar() == "off":
                    raise Unusable("server.cli.unsafe", shown, setting=setting)
            connection.exec_driver_sql("SET LOCAL statement_timeout = 0")
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({MIGRATING})")
            migrate(connection)
    except DBAPIError as error:
        reason = str(error.orig).strip().splitlines()
        raise Unusable("server.cli.unreachable", shown, reason=reason[-1] if reason else "") from error
    except Newer as error:
        raise Unusable("server.cli.newer", shown) from error
    finally:
        engine.dispose()
