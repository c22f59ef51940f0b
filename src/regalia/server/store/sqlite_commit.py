"""What a group of changes is to SQLite: one transaction of a few statements, each for all of them at once.

Nobody else writes to the file, so a log that does not end where it should is rare: then the group is taken back, and
each change stands for itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from sqlalchemy import Connection, Engine, bindparam, delete, func, update
from sqlalchemy import Table as SqlTable
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlalchemy.sql.dml import Insert

from regalia.server.ports import Append, Change, Conflict, Write
from regalia.server.store import schema
from regalia.server.store.writer import Outcome

MOST_IN_A_GROUP = 512


def upsert(table: SqlTable) -> Insert:
    """Insert a row, or replace the one with the same key."""
    keys = [column.name for column in table.primary_key]
    statement = insert(table)
    others = {column.name: statement.excluded[column.name] for column in table.c if column.name not in keys}
    return statement.on_conflict_do_update(index_elements=keys, set_=others)


UPSERTS = {table.name: upsert(table) for table in (schema.seats, schema.workers, schema.presence)}
INSERT_OUTAGE = insert(schema.outages).on_conflict_do_nothing()
FORGET = [
    delete(schema.workers).where(schema.workers.c.beat_ms < bindparam("before")),
    delete(schema.presence).where(schema.presence.c.seen_ms < bindparam("before")),
]
NEW_TABLE = insert(schema.tables).on_conflict_do_nothing().execution_options(preserve_rowcount=True)
MOVE_HEAD = (
    update(schema.tables)
    .where(schema.tables.c.id == bindparam("table_id"), schema.tables.c.seq == bindparam("expected"))
    .values(final_views=func.coalesce(bindparam("final"), schema.tables.c.final_views))
)  # and the other columns by their names
INSERT_EVENT = insert(schema.events)


class SqliteCommit:
    def __init__(self, engine: Engine, check: Callable[[], None]) -> None:
        """`check` raises StorageError where a commit would be lost."""
        self._engine = engine
        self._check = check

    def __call__(self, changes: list[Write]) -> list[Outcome]:
        try:
            self._transact(changes)
        except (Conflict, IntegrityError) as error:
            if len(changes) == 1:
                return [Conflict(str(error))]
            return [outcome for change in changes for outcome in self([change])]
        return [None] * len(changes)

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


def roll_back(connection: Connection) -> None:
    """Some failures end the transaction by themselves, a full disk for one."""
    driver: Any = connection.connection.dbapi_connection
    try:
        if driver.in_transaction:
            connection.exec_driver_sql("ROLLBACK")
    except SQLAlchemyError:
        connection.invalidate()  # begin the next group on a fresh connection


def moved_row(append: Append) -> dict[str, Any]:
    """The parameters of `MOVE_HEAD`."""
    row = {**append.row, "table_id": append.table_id, "expected": append.expected}
    row["final"] = row.pop("final_views")
    return row


def carry_out(connection: Connection, wish: Change) -> None:
    """Raises Conflict if it must be one row and is not."""
    table = schema.metadata.tables[wish.table]
    statement = delete(table) if wish.values is None else update(table).values(**wish.values)
    for name, value in wish.where.items():
        statement = statement.where(table.c[name] == value)
    if wish.until is not None:
        name, limit = wish.until
        statement = statement.where(table.c[name] < limit)
    if connection.execute(statement).rowcount != 1 and wish.must:
        raise Conflict(f"not one row of {wish.table}")


def apply(connection: Connection, changes: list[Write]) -> None:
    """Raises Conflict if a log does not end where it should."""
    appends = [append for change in changes for append in change.appends]
    new = [append.row for append in appends if append.expected < 0]
    moved = [moved_row(append) for append in appends if append.expected >= 0]
    for statement, rows in ((NEW_TABLE, new), (MOVE_HEAD, moved)):
        if rows and connection.execute(statement, rows).rowcount != len(rows):
            raise Conflict("a log has grown")

    def execute(statement: Any, rows: Iterable[dict[str, Any]]) -> None:
        listed = list(rows)
        if listed:
            connection.execute(statement, listed)

    for change in changes:
        for wish in change.changes:
            carry_out(connection, wish)
        for name, row in change.new:
            connection.execute(insert(schema.metadata.tables[name]), row)
    for name in ("workers", "presence"):
        execute(UPSERTS[name], (row for change in changes for row in getattr(change, name)))
    execute(INSERT_OUTAGE, (row for change in changes for row in change.outages))
    execute(UPSERTS["seats"], (row for append in appends for row in append.seats))
    execute(INSERT_EVENT, (event.__dict__ for append in appends for event in append.events))
    for forget in FORGET:
        execute(
            forget, ({"before": change.forget_before_ms} for change in changes if change.forget_before_ms)
        )
