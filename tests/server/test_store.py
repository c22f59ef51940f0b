"""The store's contract, over both databases: what is written, what surely is not, and what may be."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import create_engine

from postgres import Postgres
from regalia.server.model.events import StoredEvent
from regalia.server.ports import Append, Change, Conflict, StorageError, Write
from regalia.server.store import SqlStore, open_store, schema
from regalia.server.store.file import Unusable
from regalia.server.store.postgres import connect
from regalia.server.store.postgres_commit import PostgresCommit

Story = Callable[[SqlStore], Awaitable[None]]


def append(seq: int, table: str = "t", command: str = "", seat: int | None = None, **row: Any) -> Append:
    """One event more; `command` names it unless it shall have a name of its own."""
    usual = {
        "id": table,
        "game": "g",
        "status": "open",
        "is_public": True,
        "seq": seq,
        "updated_ms": 1,
        "summary": b"{}",
        "deadline_ms": None,
        "bot_due": False,
        "final_views": None,
    }
    event = StoredEvent(table, seq, 1, b"{}", "ann", command or f"c{seq}", b"print" if seq % 2 else None)
    seats = [] if seat is None else [{"table_id": table, "seat": seat, "player": "ann"}]
    return Append({**usual, **row}, [event], seats)


def with_store(database: Path | str, story: Story) -> None:
    async def main() -> None:
        store = open_store(database)
        try:
            await story(store)
        finally:
            await store.close()

    asyncio.run(main())


async def outcomes(store: SqlStore, *writes: list[Append]) -> list[type[BaseException] | None]:
    """Of writes at the same time."""
    results = await asyncio.gather(*(store.write(Write(write)) for write in writes), return_exceptions=True)
    return [None if result is None else type(result) for result in results]


async def seqs(store: SqlStore, table: str = "t") -> list[int]:
    return [event.seq for event in await store.log(table)]


def test_what_is_written_is_read_back(database: Path | str) -> None:
    async def story(store: SqlStore) -> None:
        first = append(0, seat=1)
        await store.write(Write([first]))
        await store.write(Write([append(1, final_views=b"[1]", seat=1), append(0, "u")]))
        await store.write(Write([append(2, status="running", deadline_ms=7)]))
        found = await store.read("t")
        assert found is not None
        row, log = found
        assert (row["seq"], row["status"], row["final_views"]) == (2, "running", b"[1]")
        assert log[0] == first.events[0]
        assert [event.seq for event in log] == [0, 1, 2]
        assert [event.seq for event in await store.log("t", after=1)] == [2]
        assert await store.heads(["t", "u", "none"]) == {"t": 2, "u": 0}
        assert await store.read("none") is None
        assert [row["id"] for row in await store.tables(("running",))] == ["t"]
        assert {row["id"] for row in await store.tables(("open", "running"), players=("ann",))} == {"t"}
        assert [row["id"] for row in await store.waiting()] == ["t"]

    with_store(database, story)


PLAYER = {"id": "p", "name": "Ann", "created_ms": 5, "name_key": None}
TOKEN = {"id": "k", "player": "p", "label": "bot", "secret_hash": b"2", "created_ms": 6}


def test_rows_beside_the_logs_are_added_changed_and_dropped(database: Path | str) -> None:
    async def story(store: SqlStore) -> None:
        await store.write(Write(new=[("players", PLAYER), ("tokens", TOKEN)]))
        await store.write(Write(changes=[Change("players", {"id": "p"}, {"name": "Anna"})]))
        assert await store.rows("players", {"id": "p"}) == [{**PLAYER, "name": "Anna"}]
        await store.write(Write(new=[("tokens", {**TOKEN, "id": "a", "created_ms": 9})]))
        assert [row["id"] for row in await store.rows("tokens", {"player": "p"})] == ["a", "k"]
        assert [row["id"] for row in await store.rows("tokens", {"id": ["k", "none"]})] == ["k"]
        assert [row["id"] for row in await store.rows("tokens", {}, since=("created_ms", 7))] == ["a"]
        await store.write(Write(changes=[Change("tokens", {"player": "p"}, until=("created_ms", 9))]))
        assert [row["id"] for row in await store.rows("tokens", {})] == ["a"]

    with_store(database, story)


def test_what_must_be_one_row_is_written_whole_or_not_at_all(database: Path | str) -> None:
    async def story(store: SqlStore) -> None:
        await store.write(Write(new=[("players", PLAYER), ("tokens", TOKEN)]))
        take = Write(
            changes=[
                Change("players", {"id": "p"}, {"name": "Bob"}),
                Change("tokens", {"id": "k"}, must=True),
            ]
        )
        results = await asyncio.gather(*(store.write(take) for _ in range(5)), return_exceptions=True)
        assert sorted(str(type(result)) for result in results) == sorted(
            map(str, [type(None), *[Conflict] * 4])
        )
        other = Write(
            changes=[
                Change("players", {"id": "p"}, {"name": "Cyd"}),
                Change("tokens", {"id": "k"}, must=True),
            ]
        )
        with pytest.raises(Conflict):
            await store.write(other)
        with pytest.raises(Conflict):
            await store.write(Write(new=[("players", {**PLAYER, "id": "q"}), ("players", PLAYER)]))
        assert [row["name"] for row in await store.rows("players", {})] == ["Bob"]

    with_store(database, story)


def test_a_conflict_is_told_to_its_writer_alone(database: Path | str) -> None:
    async def story(store: SqlStore) -> None:
        await store.write(Write([append(0, command="first")]))
        good = [[append(seq)] for seq in range(1, 40)]
        twice = [append(21, command="first")]
        results = await outcomes(store, *good[:20], twice, [append(0)], [append(30)], *good[20:])
        assert results == [None] * 20 + [Conflict] * 3 + [None] * 19
        assert await seqs(store) == list(range(40))
        before = store.writer.groups
        assert await outcomes(store, *([append(seq)] for seq in range(40, 240))) == [None] * 200
        assert store.writer.groups - before < 100  # they share the disk

    with_store(database, story)


def test_a_write_to_two_tables_is_written_whole_or_not_at_all(database: Path | str) -> None:
    async def story(store: SqlStore) -> None:
        await store.write(Write([append(0), append(0, "z")]))
        assert await outcomes(store, [append(1), append(0, "z", "other")]) == [Conflict]
        assert await outcomes(store, [append(5), append(1, "z")]) == [Conflict]
        assert await store.heads(["t", "z"]) == {"t": 0, "z": 0}
        assert await outcomes(store, [append(1), append(1, "z")]) == [None]
        assert await outcomes(store, [append(2)]) == [None]
        assert await store.heads(["t", "z"]) == {"t": 2, "z": 1}

    with_store(database, story)


@pytest.mark.postgres
def test_several_processes_write_to_the_same_logs_and_one_of_them_wins(postgres_url: str) -> None:
    """Each writer decides on what it has read. Not sorted by table, the groups would wait for each other in a ring."""
    tables = [f"t{number}" for number in range(6)]

    async def story(store: SqlStore) -> None:
        await store.write(Write([append(0, table) for table in tables]))

    with_store(postgres_url, story)
    written: list[tuple[str, int]] = []

    def write(name: str) -> None:
        async def grow(store: SqlStore, table: str) -> None:
            for turn in range(10):
                while True:
                    head = (await store.heads([table]))[table]
                    try:
                        await store.write(Write([append(head + 1, table, f"{name}-{turn}")]))
                    except Conflict:
                        continue
                    written.append((table, head + 1))
                    break

        async def all_tables(store: SqlStore) -> None:
            await asyncio.gather(*(grow(store, table) for table in tables))
            assert store.writer.failures == 0

        with_store(postgres_url, all_tables)

    threads = [threading.Thread(target=write, args=(name,)) for name in ("a", "b", "c")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)

    async def check(store: SqlStore) -> None:
        for table in tables:
            found = await store.read(table)
            assert found is not None
            row, log = found
            assert row["seq"] == 30
            assert [event.seq for event in log] == list(range(31))

    with_store(postgres_url, check)
    assert len(set(written)) == len(written) == 180


@pytest.mark.postgres
def test_a_connection_that_ends_is_no_end(postgres: Postgres, postgres_url: str) -> None:
    """A write that may or may not be on disk is not tried again; the next one has a connection of its own."""
    name = postgres_url.partition("@/")[2].partition("?")[0]

    async def story(store: SqlStore) -> None:
        await store.write(Write([append(0)]))
        end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = "
        postgres.execute(f"{end}'{name}' AND pid <> pg_backend_pid()")
        assert await seqs(store) == [0]  # reading twice does no harm
        assert await outcomes(store, [append(1)]) == [StorageError]
        assert await outcomes(store, [append(1)]) == [None]
        assert await seqs(store) == [0, 1]

    with_store(postgres_url, story)


@pytest.mark.postgres
def test_an_answer_lost_on_its_way_means_perhaps_and_not_no(postgres_url: str) -> None:
    """The commit reaches the disk, and then the connection breaks."""
    with_store(postgres_url, lambda store: store.write(Write([append(0)])))

    class Cut(psycopg.Connection[Any]):
        def commit(self) -> None:
            super().commit()
            raise psycopg.OperationalError("the server closed the connection")

    commit = PostgresCommit(lambda: Cut.connect(postgres_url))
    (outcome,) = commit([Write([append(1)])])
    commit.close()
    assert type(outcome) is StorageError

    async def check(store: SqlStore) -> None:
        assert await seqs(store) == [0, 1]

    with_store(postgres_url, check)


@pytest.mark.postgres
def test_a_database_that_may_lose_what_it_confirmed_is_refused(postgres: Postgres, postgres_url: str) -> None:
    name = postgres_url.partition("@/")[2].partition("?")[0]
    postgres.execute(f'ALTER DATABASE "{name}" SET synchronous_commit = off')
    with Postgres("-F") as hasty:
        for url, setting in ((postgres_url, "synchronous_commit"), (hasty.url(), "fsync")):
            with pytest.raises(Unusable) as refusal:
                open_store(url)
            assert (refusal.value.key, refusal.value.values["setting"]) == ("server.cli.unsafe", setting)


@pytest.mark.postgres
def test_a_database_of_a_newer_version_is_not_touched(postgres: Postgres, postgres_url: str) -> None:
    name = postgres_url.partition("@/")[2].partition("?")[0]
    postgres.execute("UPDATE alembic_version SET version_num = '9999'", name)
    with pytest.raises(Unusable) as refusal:
        open_store(postgres_url)
    assert refusal.value.key == "server.cli.newer"


@pytest.mark.postgres
def test_the_migrations_lead_to_the_schema_and_many_may_begin_at_once(postgres: Postgres) -> None:
    url = postgres.new_database("fresh")
    results: list[object] = []

    def begin() -> None:
        results.append(with_store(url, lambda store: store.write(Write([]))))

    threads = [threading.Thread(target=begin) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert results == [None] * 3
    engine = create_engine("postgresql+psycopg://", creator=lambda: connect(url))
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), schema.metadata) == []
    engine.dispose()
