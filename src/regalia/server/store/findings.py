"""What was found out for reviews, kept apart from the logs of tables: losing it costs nothing but time.

On SQLite it is a file of its own beside the database, on PostgreSQL tables of their own over a connection of their own,
so that no write of theirs stands before a move. The oldest go when they are too old, or together too large.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import (
    BigInteger,
    Column,
    Engine,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    create_engine,
    delete,
    func,
    select,
)
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import StaticPool

OLDEST_MS = 400 * 86_400_000
MOST_BYTES = 1 << 30
BETWEEN = 500  # writes between two looks at how much there is
AT_ONCE = 200  # digests in one question

metadata = MetaData()
findings = Table(
    "study_findings",
    metadata,
    Column("digest", String, primary_key=True),
    Column("version", Integer, primary_key=True),  # of what judged
    Column("made_ms", BigInteger, nullable=False, index=True),
    Column("body", LargeBinary, nullable=False),
)
reviews = Table(
    "study_reviews",
    metadata,
    Column("table_id", String, primary_key=True),
    Column("view", String, primary_key=True),  # "open", or a seat
    Column("level", String, nullable=False),
    Column("version", Integer, nullable=False),
    Column("made_ms", BigInteger, nullable=False, index=True),
    Column("body", LargeBinary, nullable=False),
)

log = logging.getLogger("regalia.findings")

Answer = TypeVar("Answer")


def open_engine(database: Path | str) -> Engine:
    if isinstance(database, Path):
        path = database.with_name(f"{database.stem}-study{database.suffix}")
        engine = create_engine(
            f"sqlite:///{path}", connect_args={"check_same_thread": False, "timeout": 4}, poolclass=StaticPool
        )
        with engine.begin() as connection:
            connection.exec_driver_sql("PRAGMA journal_mode=WAL")
            connection.exec_driver_sql("PRAGMA synchronous=NORMAL")
            metadata.create_all(connection)
        return engine
    from regalia.server.store.postgres import MIGRATING, connect

    engine = create_engine("postgresql+psycopg://", creator=lambda: connect(database), poolclass=StaticPool)
    with engine.begin() as connection:
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({MIGRATING})")
        metadata.create_all(connection)
    return engine


class Findings:
    """Opened at first use, in a thread of its own. Where it cannot be used, nothing is kept."""

    def __init__(self, database: Path | str, most_bytes: int = MOST_BYTES) -> None:
        self._database = database
        self._most_bytes = most_bytes
        self._engine: Engine | None = None
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="regalia-findings")
        self._writes = 0

    async def known(self, digests: Sequence[str], version: int) -> dict[str, bytes]:
        def ask(engine: Engine) -> dict[str, bytes]:
            found: dict[str, bytes] = {}
            columns = findings.c
            with engine.connect() as connection:
                for first in range(0, len(digests), AT_ONCE):
                    some = digests[first : first + AT_ONCE]
                    query = select(columns.digest, columns.body).where(
                        columns.digest.in_(some), columns.version == version
                    )
                    found.update({row.digest: row.body for row in connection.execute(query)})
            return found

        return await self._do(ask, {})

    async def keep(self, digest: str, version: int, body: bytes, now_ms: int) -> None:
        row = {"digest": digest, "version": version, "made_ms": now_ms, "body": body}
        await self._do(lambda engine: self._put(engine, findings, row), None)

    async def review(self, table_id: str, view: str) -> dict[str, Any] | None:
        columns = reviews.c
        query = select(reviews).where(columns.table_id == table_id, columns.view == view)

        def ask(engine: Engine) -> dict[str, Any] | None:
            with engine.connect() as connection:
                row = connection.execute(query).mappings().one_or_none()
            return None if row is None else dict(row)

        return await self._do(ask, None)

    async def keep_review(self, row: dict[str, Any]) -> None:
        await self._do(lambda engine: self._put(engine, reviews, row), None)

    async def close(self) -> None:
        await asyncio.get_running_loop().run_in_executor(self._thread, self._close)
        self._thread.shutdown()

    # --- In the thread ---

    def _put(self, engine: Engine, table: Table, row: dict[str, Any]) -> None:
        """In place of the row of the same name."""
        same = [column == row[column.name] for column in table.primary_key]
        with engine.begin() as connection:
            connection.execute(delete(table).where(*same))
            connection.execute(table.insert().values(row))
        self._writes += 1
        if self._writes % BETWEEN == 0:
            self._tidy(engine, int(row["made_ms"]))

    def _tidy(self, engine: Engine, now_ms: int) -> None:
        """Findings go before reviews: they can be found again."""
        with engine.begin() as connection:
            for table in (findings, reviews):
                connection.execute(delete(table).where(table.c.made_ms < now_ms - OLDEST_MS))
                size = connection.execute(select(func.sum(func.length(table.c.body)))).scalar() or 0
                if size > self._most_bytes:
                    half = select(table.c.made_ms).order_by(table.c.made_ms)
                    count = connection.execute(select(func.count()).select_from(table)).scalar_one()
                    middle = connection.execute(half.offset(count // 2).limit(1)).scalar_one()
                    connection.execute(delete(table).where(table.c.made_ms < middle))

    def _close(self) -> None:
        if self._engine is not None:
            self._engine.dispose()

    async def _do(self, work: Callable[[Engine], Answer], otherwise: Answer) -> Answer:
        def run() -> Answer:
            try:
                if self._engine is None:
                    self._engine = open_engine(self._database)
                return work(self._engine)
            except (SQLAlchemyError, OSError):  # a process edge: a review is made all the same
                log.exception("findings cannot be kept")
                return otherwise

        return await asyncio.get_running_loop().run_in_executor(self._thread, run)
