"""What is read from a table's log, and what is not: damaged logs, and rules that nobody knows any more."""

from __future__ import annotations

import json
import logging
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from regalia.server import protocol as wire
from regalia.server.model import views
from regalia.server.model.refusals import Refused
from regalia.server.model.values import Status
from regalia.server.ports import Write
from regalia.server.protocol import Code
from server.timed import ANN, BOB, SetTime, TimedTables, with_tables

Story = Callable[[TimedTables], Awaitable[None]]


@pytest.fixture
def played(tmp_path: Path) -> tuple[Path, str]:
    """A database with a running match of some plies."""
    tables: list[str] = []

    async def story(timed: TimedTables) -> None:
        tables.append(await timed.match_of(ANN, BOB))
        for ply in range(6):
            await timed.play((ANN, BOB)[ply % 2], tables[0], ply % 2)

    with_tables(tmp_path, story)
    return tmp_path, tables[0]


def change(folder: Path, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(folder / "test.sqlite3")) as connection, connection:
        assert connection.execute(statement, values).rowcount > 0


@pytest.mark.parametrize(
    "damage",
    [
        "DELETE FROM events WHERE seq > 6",
        "DELETE FROM events WHERE seq = 5",
        "DELETE FROM events WHERE seq = 0",
        "DELETE FROM events",
        "UPDATE tables SET seq = seq - 1",
        "UPDATE events SET body = substr(body, 1, 20) WHERE seq = 5",
        """UPDATE events SET body = '{"type":"played","seat":0,"action":"no such"}' WHERE seq = 5""",
    ],
)
def test_a_log_that_is_not_whole_is_refused_named_in_the_servers_log_and_not_written_to(
    played: tuple[Path, str], damage: str, caplog: pytest.LogCaptureFixture
) -> None:
    folder, table = played
    change(folder, damage)

    async def story(timed: TimedTables) -> None:
        before = await timed.store.log(table)
        for _ in range(2):
            assert await timed.code_of(ANN, wire.Chat, table, "hello", 0) == "storage"
            with pytest.raises(Refused) as refusal:
                await timed.table(table)
            assert refusal.value.code is Code.STORAGE
        assert await timed.store.log(table) == before

    with caplog.at_level(logging.ERROR):
        with_tables(folder, story)
    damages = [getattr(line, "facts", {}) for line in caplog.records if "damaged" in line.message]
    assert [facts["table"] for facts in damages] == [table]


def test_a_damaged_log_keeps_no_other_table_from_being_played(played: tuple[Path, str]) -> None:
    folder, table = played
    change(folder, "DELETE FROM events WHERE table_id = ? AND seq > 6", table)

    async def story(timed: TimedTables) -> None:
        assert await timed.code_of(ANN, wire.Chat, table, "hello", 0) == "storage"
        other = await timed.match_of(ANN, BOB)
        await timed.play(ANN, other, 0)

    with_tables(folder, story)


# --- Final views ---


def test_final_views_are_written_once_at_the_end(tmp_path: Path) -> None:
    async def story(timed: TimedTables) -> None:
        written: list[Any] = []
        write = timed.store.write

        async def listening(group: Write) -> None:
            written.extend(append.row["final_views"] for append in group.appends)
            await write(group)

        timed.store.write = listening  # type: ignore[method-assign]
        table = await timed.match_of(ANN, BOB)
        await timed.play(ANN, table, 0)
        assert written == [None] * len(written)
        await timed.do(ANN, wire.Resign, table, 0)
        final = written[-1]
        assert len(json.loads(final)["views"]) == 3
        await timed.do(ANN, wire.Chat, table, "well played", 0)
        await timed.do(BOB, wire.Rematch, table, 1)
        assert written.count(None) == len(written) - 1
        found = await timed.store.read(table)
        assert found is not None
        assert found[0]["final_views"] == final

    with_tables(tmp_path, story)


@pytest.mark.parametrize("game", ["rose_king", "long_live_the_king"])
def test_an_ended_match_of_unknown_rules_is_shown_as_it_ended(tmp_path: Path, game: str) -> None:
    time = SetTime()
    tables: list[str] = []
    shown: dict[int | None, Any] = {}

    async def before(timed: TimedTables) -> None:
        table = await timed.new_table(
            ANN, "human hotseat hotseat"[: 13 if game == "rose_king" else None], game
        )
        tables.append(table)
        for _ in range(4):
            await timed.play(ANN, table, (await timed.table(table)).actors[0])
        seats = len((await timed.table(table)).chairs)
        for seat in range(seats):
            if (await timed.table(table)).status is Status.RUNNING:
                await timed.do(ANN, wire.Resign, table, seat)
        while (await timed.table(table)).status is Status.RUNNING:
            await timed.bot_plays(table)
        await timed.do(ANN, wire.Chat, table, "the end", 0)
        for seat in (None, *range(seats)):
            shown[seat] = json.loads(views.position(await timed.table(table), seat))

    async def after(timed: TimedTables) -> None:
        table = await timed.table(tables[0])
        assert table.match is None
        for seat, view in shown.items():
            assert json.loads(views.position(table, seat)) == view
        with pytest.raises(Refused) as refusal:
            table.started_match()
        assert refusal.value.key == "error.rules_version"

    with_tables(tmp_path, before, time)
    change(tmp_path, """UPDATE events SET body = replace(body, '"rules":1', '"rules":99') WHERE seq = 0""")
    with_tables(tmp_path, after, time)
