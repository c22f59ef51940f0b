"""The one writer: a thread that takes all changes waiting and commits them together.

Callers wait for the disk, not for each other: while one group is being synced the next one gathers.
"""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
from collections.abc import Callable, Iterable
from typing import Any

from sqlalchemy import Connection, Engine, bindparam, delete, func
from sqlalchemy import Table as SqlTable
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlalchemy.sql.dml import Insert

from regalia.server.ports import Conflict, StorageError, Write
from regalia.server.store import schema

MOST_IN_A_GROUP = 512

log = logging.getLogger("regalia.store")

Job = tuple[Write, "asyncio.Future[None]"]


def upsert(table: SqlTable) -> Insert:
    """Insert a row, or replace the one with the same key."""
    keys = [column.name for column in table.primary_key]
    statement = insert(table)
    others: dict[str, Any] = {
        column.name: statement.excluded[column.name] for column in table.c if column.name not in keys
    }
    if table is schema.tables:
        others["final_views"] = func.coalesce(statement.excluded.final_views, table.c.final_views)
    return statement.on_conflict_do_update(index_elements=keys, set_=others)


INSERT_EVENT = insert(schema.events)
UPSERTS = {
    table.name: upsert(table) for table in (schema.players, schema.tokens, schema.tables, schema.seats)
}
DROP_TOKEN = delete(schema.tokens).where(schema.tokens.c.id == bindparam("dropped"))


class Writer:
    def __init__(self, engine: Engine, check: Callable[[], None]) -> None:
        """`check` raises StorageError where a commit would be lost."""
        self._engine = engine
        self._check = check
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="regalia-writer", daemon=True)
        self.groups = 0
        self.writes = 0
        self.failures = 0
        self._thread.start()

    async def write(self, change: Write) -> None:
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._jobs.put((change, done))
        await asyncio.shield(done)  # a caller that goes away does not undo what may be on disk

    def stop(self) -> None:
        """Finish what waits, then end."""
        self._jobs.put(None)
        self._thread.join()

    def _run(self) -> None:
        stopping = False
        while not stopping:
            group: list[Job] = []
            job = self._jobs.get()
            while job is not None:
                group.append(job)
                if len(group) == MOST_IN_A_GROUP:
                    break
                try:
                    job = self._jobs.get_nowait()
                except queue.Empty:
                    break
            stopping = job is None
            if group:
                self._commit(group)

    def _commit(self, group: list[Job]) -> None:
        try:
            self._transact([change for change, _ in group])
        except IntegrityError as error:
            if len(group) == 1:
                self._finish(group, Conflict(str(error.orig)))
                return
            for job in group:  # one of them is at fault: each on its own
                self._commit([job])
        except Exception as error:  # a process edge: every caller must hear of it, and the thread must live
            self.failures += 1
            log.error("write failed", extra={"facts": {"error": type(error).__name__, "writes": len(group)}})
            self._finish(group, StorageError(type(error).__name__))
        else:
            self.groups += 1
            self.writes += len(group)
            self._finish(group, None)

    def _transact(self, changes: list[Write]) -> None:
        self._check()
        with self._engine.connect() as connection:
            try:
                connection.exec_driver_sql("BEGIN IMMEDIATE")
                apply(connection, changes)
                connection.exec_driver_sql("COMMIT")
            except BaseException:
                roll_back(connection)
                raise

    def _finish(self, group: list[Job], error: StorageError | None) -> None:
        """Wake the callers, once per event loop."""
        loops: dict[asyncio.AbstractEventLoop, list[asyncio.Future[None]]] = {}
        for _, done in group:
            loops.setdefault(done.get_loop(), []).append(done)
        for loop, waiting in loops.items():
            try:
                loop.call_soon_threadsafe(wake, waiting, error)
            except RuntimeError:  # the loop is closed: nobody waits any more
                log.warning("a caller was gone before its write ended")


def roll_back(connection: Connection) -> None:
    """Some failures end the transaction by themselves, a full disk for one."""
    driver: Any = connection.connection.dbapi_connection
    try:
        if driver.in_transaction:
            connection.exec_driver_sql("ROLLBACK")
    except SQLAlchemyError:
        connection.invalidate()  # begin the next group on a fresh connection


def wake(waiting: list[asyncio.Future[None]], error: StorageError | None) -> None:
    for done in waiting:
        if done.cancelled():
            continue
        if error is None:
            done.set_result(None)
        else:
            done.set_exception(type(error)(*error.args))
            done.exception()  # seen: a caller that went away leaves no warning


def apply(connection: Connection, changes: list[Write]) -> None:
    def every(part: str) -> list[Any]:
        return [row for change in changes for row in getattr(change, part)]

    for name in ("players", "tokens", "tables", "seats"):
        rows: Iterable[dict[str, Any]] = every(name)
        if rows:
            connection.execute(UPSERTS[name], list(rows))
    events = every("events")
    if events:
        connection.execute(INSERT_EVENT, [event.__dict__ for event in events])
    dropped = every("dropped_tokens")
    if dropped:
        connection.execute(DROP_TOKEN, [{"dropped": token} for token in dropped])
