"""What a group of changes is to PostgreSQL: one transaction, sent in one go.

Each append is one statement that moves the table's head from where its events begin, and writes them only if it could:
an append whose log has grown writes nothing, and the others of the group are not touched by that. Appends are sorted
by table, so that two processes never wait for each other.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import psycopg
from psycopg import Connection, Cursor
from sqlalchemy import Table

from regalia.server.ports import Append, Change, Conflict, StorageError, Write
from regalia.server.store import schema
from regalia.server.store.writer import Outcome

MOST_IN_A_GROUP = 64  # rows stay locked until the group is on disk

COLUMNS = [column.name for column in schema.tables.c]
NEW_HEAD = (
    f"INSERT INTO tables ({', '.join(COLUMNS)}) VALUES ({', '.join(f'%({name})s' for name in COLUMNS)})"  # noqa: S608
    " ON CONFLICT DO NOTHING RETURNING id"
)
MOVED_HEAD = (
    "UPDATE tables SET "  # noqa: S608 - the names are the schema's
    + ", ".join(f"{name} = %({name})s" for name in COLUMNS if name not in ("id", "final_views"))
    + ", final_views = coalesce(%(final_views)s, tables.final_views)"
    " WHERE id = %(id)s AND seq = %(expected)s RETURNING id"
)
# {head} is one of the two above.
APPEND = """
WITH head AS ({head}),
seated AS (
    INSERT INTO seats (table_id, seat, player)
    SELECT head.id, new.* FROM head, unnest(%(seats)s::int[], %(seated)s::text[]) AS new (seat, player)
    ON CONFLICT (table_id, seat) DO UPDATE SET player = excluded.player
)
INSERT INTO events (table_id, seq, at_ms, player, command, fingerprint, body)
SELECT head.id, new.* FROM head, unnest(
    %(seqs)s::int[], %(at)s::bigint[], %(players)s::text[], %(commands)s::text[], %(fingerprints)s::bytea[],
    %(bodies)s::bytea[]
) AS new (seq, at_ms, player, command, fingerprint, body)
"""
APPEND_TO_NEW = APPEND.format(head=NEW_HEAD)
APPEND_TO_OLD = APPEND.format(head=MOVED_HEAD)


def upsert(table: Table) -> str:
    """Insert a row, or replace the one with the same key."""
    names = [column.name for column in table.c]
    keys = [column.name for column in table.primary_key]
    others = ", ".join(f"{name} = excluded.{name}" for name in names if name not in keys)
    return (
        f"INSERT INTO {table.name} ({', '.join(names)})"  # noqa: S608 - the names are the schema's
        f" VALUES ({', '.join(f'%({name})s' for name in names)})"
        f" ON CONFLICT ({', '.join(keys)}) DO UPDATE SET {others}"
    )


UPSERTS = {table.name: upsert(table) for table in (schema.workers, schema.presence)}
INSERT_OUTAGE = "INSERT INTO outages (from_ms, to_ms) VALUES (%(from_ms)s, %(to_ms)s) ON CONFLICT DO NOTHING"
FORGET = [
    "DELETE FROM workers WHERE beat_ms < %(before)s",
    "DELETE FROM presence WHERE seen_ms < %(before)s",
]


class PostgresCommit:
    def __init__(self, connect: Callable[[], Connection[Any]]) -> None:
        self._connect = connect
        self._connection: Connection[Any] | None = None

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def __call__(self, changes: list[Write]) -> list[Outcome]:
        order = sorted(range(len(changes)), key=lambda number: first_table(changes[number]))
        together = [number for number in order if not stands_alone(changes[number])]
        alone = [number for number in order if stands_alone(changes[number])]
        outcomes: dict[int, Outcome] = {}
        for group in (together, *([number] for number in alone)):
            if group:
                outcomes.update(zip(group, self._commit([changes[number] for number in group]), strict=True))
        return [outcomes[number] for number in range(len(changes))]

    def _commit(self, group: list[Write]) -> list[Outcome]:
        """Never tried again once it is perhaps written."""
        try:
            return self._transact(group)
        except (
            psycopg.errors.IntegrityError,
            psycopg.errors.DeadlockDetected,
        ) as error:  # surely not written
            if len(group) == 1:
                return [Conflict(str(error.sqlstate))]
            return [outcome for change in group for outcome in self._commit([change])]
        except psycopg.Error as error:
            return [StorageError(f"{type(error).__name__} {error.sqlstate or ''}".strip())] * len(group)

    def _transact(self, group: list[Write]) -> list[Outcome]:
        connection = self._connection
        if connection is None or connection.closed:
            connection = self._connection = self._connect()
        try:
            with connection.pipeline() as pipeline:
                sent = [send(connection, change) for change in group]
                if stands_alone(group[0]):
                    pipeline.sync()
                    if not is_written(sent[0]):
                        connection.rollback()
                        return [Conflict("a log has grown")]
                connection.commit()
        except BaseException:
            self._roll_back(connection)
            raise
        return [None if is_written(parts) else Conflict("a log has grown") for parts in sent]

    def _roll_back(self, connection: Connection[Any]) -> None:
        try:
            connection.rollback()
        except psycopg.Error:
            connection.close()


def first_table(change: Write) -> str:
    return min((append.table_id for append in change.appends), default="")


def stands_alone(change: Write) -> bool:
    """Several things that must be so: all of it or nothing, which the others of a group cannot wait for."""
    return len(change.appends) > 1 or any(wish.must for wish in change.changes)


Sent = list[tuple[Cursor[Any], int]]  # with the number of rows that it must be


def is_written(parts: Sent) -> bool:
    return all(cursor.rowcount == count for cursor, count in parts)


def statement_of(wish: Change) -> tuple[str, dict[str, Any]]:
    where = [f"{name} = %(where_{name})s" for name in wish.where]
    values = {f"where_{name}": value for name, value in wish.where.items()}
    if wish.until is not None:
        where.append(f"{wish.until[0]} < %(until)s")
        values["until"] = wish.until[1]
    if wish.values is None:
        verb = f"DELETE FROM {wish.table}"  # noqa: S608 - the names are the schema's
    else:
        assignments = ", ".join(f"{name} = %({name})s" for name in wish.values)
        verb = f"UPDATE {wish.table} SET {assignments}"  # noqa: S608
        values |= wish.values
    return f"{verb} WHERE {' AND '.join(where)}", values


def insert(table: str, row: dict[str, Any]) -> str:
    return (
        f"INSERT INTO {table} ({', '.join(row)})"  # noqa: S608 - the names are the schema's
        f" VALUES ({', '.join(f'%({name})s' for name in row)})"
    )


def send(connection: Connection[Any], change: Write) -> Sent:
    """Without waiting for the answers, which the cursors will have."""
    sent: Sent = []
    for wish in change.changes:
        cursor = connection.execute(*statement_of(wish))
        if wish.must:
            sent.append((cursor, 1))
    for table, row in change.new:
        connection.execute(insert(table, row), row)
    for name, statement in UPSERTS.items():
        for row in getattr(change, name):
            connection.execute(statement, row)
    for row in change.outages:
        connection.execute(INSERT_OUTAGE, row)
    if change.forget_before_ms:
        for statement in FORGET:
            connection.execute(statement, {"before": change.forget_before_ms})
    appends = sorted(change.appends, key=lambda append: append.table_id)
    return sent + [
        (connection.execute(statement_for(append), parameters(append)), len(append.events))
        for append in appends
    ]


def statement_for(append: Append) -> str:
    return APPEND_TO_NEW if append.expected < 0 else APPEND_TO_OLD


def parameters(append: Append) -> dict[str, Any]:
    seated = {row["seat"]: row["player"] for row in append.seats}  # the last one counts
    events = append.events
    return {
        **append.row,
        "expected": append.expected,
        "seats": list(seated),
        "seated": list(seated.values()),
        "seqs": [event.seq for event in events],
        "at": [event.at_ms for event in events],
        "players": [event.player for event in events],
        "commands": [event.command for event in events],
        "fingerprints": [event.fingerprint for event in events],
        "bodies": [event.body for event in events],
    }
