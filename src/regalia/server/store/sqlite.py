"""The store on SQLite: WAL, synchronous=FULL, one connection that writes and checkpoints, a few that read."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.pool import QueuePool, StaticPool

from regalia.server.ports import StorageError
from regalia.server.store.file import OpenFile, Unusable, reason_of
from regalia.server.store.migrate import Newer, is_up_to_date, migrate
from regalia.server.store.sql import WAITING, SqlStore
from regalia.server.store.sqlite_commit import MOST_IN_A_GROUP, SqliteCommit
from regalia.server.store.writer import Writer

READERS = 2
BUSY_MS = 4000  # how long to wait for another process that holds the database

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


@contextmanager
def exclusive(connection: Connection) -> Iterator[None]:
    """A transaction that nobody else writes beside."""
    connection.exec_driver_sql("BEGIN IMMEDIATE")
    try:
        yield
        connection.exec_driver_sql("COMMIT")
    except BaseException:
        connection.exec_driver_sql("ROLLBACK")
        raise


def bring_up_to_date(path: Path) -> None:
    """Also finds out whether the file can be written, and read as far as a start needs it."""
    engine = open_engine(path, writes=True)
    try:
        with engine.connect() as connection:
            if not is_up_to_date(connection):
                with exclusive(connection):
                    migrate(connection)
            with exclusive(connection):
                connection.execute(WAITING).all()
    except DBAPIError as error:
        raise Unusable(reason_of(error.orig), path) from error
    except Newer as error:
        raise Unusable("server.cli.newer", path) from error
    finally:
        engine.dispose()


class SqliteStore(SqlStore):
    """Opens (and brings up to date) the database of a file."""

    is_shared = False

    def __init__(self, path: Path) -> None:
        self.shown = str(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        bring_up_to_date(path)
        self._file = OpenFile(path)
        self._writing = open_engine(path, writes=True)
        self._reading = open_engine(path, writes=False)
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="regalia-reader")
        self.writer = Writer(SqliteCommit(self._writing, self._file.check), MOST_IN_A_GROUP)

    async def close(self) -> None:
        await asyncio.to_thread(self.writer.stop)
        self._readers.shutdown()
        self._reading.dispose()
        self._writing.dispose()

    async def _read(self, ask: Callable[[Connection], Answer]) -> Answer:
        def work() -> Answer:
            self._file.check()
            with self._reading.connect() as connection:
                connection.exec_driver_sql("BEGIN")
                try:
                    return ask(connection)
                finally:
                    connection.exec_driver_sql("ROLLBACK")

        try:
            return await asyncio.get_running_loop().run_in_executor(self._readers, work)
        except SQLAlchemyError as error:
            raise StorageError(type(error).__name__) from error
