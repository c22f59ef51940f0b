"""A command happens once: it is known by its table, its player and its name, on disk and in memory."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from alembic import command as alembic
from alembic.config import Config

from regalia.server import protocol as wire
from regalia.server.model.refusals import Refused
from regalia.server.model.values import SeatKind, Status, Tempo, TimeControl
from regalia.server.store import migrate
from regalia.server.store.export import export
from regalia.server.store.sqlite import open_engine
from server.timed import ANN, BOB, CYD, SetTime, TimedTables, with_tables


def test_two_players_may_use_the_same_name_for_a_command(tmp_path: Path) -> None:
    async def story(timed: TimedTables) -> None:
        table = await timed.new_table(ANN, "open open open", "carolus_magnus")
        for player, seat in ((ANN, 0), (BOB, 1)):
            await timed.do(player, wire.Sit, table, seat, name="my-first-command")
        assert await timed.code_of(CYD, wire.Sit, table, 1, name="my-first-command") == "seat_taken"
        chairs = (await timed.table(table)).chairs
        assert [chair.player for chair in chairs] == [ANN.id, BOB.id, ""]

    with_tables(tmp_path, story)


def test_the_same_command_again_has_no_second_effect_also_after_a_restart(tmp_path: Path) -> None:
    time = SetTime()
    tables: list[str] = []

    async def before(timed: TimedTables) -> None:
        tables.append(await timed.match_of(ANN, BOB))
        for _ in range(2):
            ack = await timed.do(BOB, wire.Chat, tables[0], "hello", 1, name="greeting")
            assert ack.seq == (await timed.table(tables[0])).seq

    async def after(timed: TimedTables) -> None:
        ack = await timed.do(BOB, wire.Chat, tables[0], "hello", 1, name="greeting")
        assert ack.seq == (await timed.table(tables[0])).seq
        await timed.do(ANN, wire.Chat, tables[0], "hello", 0, name="greeting")
        talk = [line for line in (await timed.table(tables[0])).notices if line.text == "hello"]
        assert [line.name for line in talk] == ["Bob", "Ann"]

    with_tables(tmp_path, before, time)
    with_tables(tmp_path, after, time)


def test_a_name_that_was_used_for_something_else_is_refused(tmp_path: Path) -> None:
    async def story(timed: TimedTables) -> None:
        table = await timed.match_of(ANN, BOB)
        await timed.do(ANN, wire.Chat, table, "hello", 0, name="greeting")
        assert await timed.code_of(ANN, wire.Chat, table, "goodbye", 0, name="greeting") == "bad_message"
        assert await timed.code_of(ANN, wire.Chat, table, "hello", name="greeting") == "bad_message"
        assert await timed.code_of(ANN, wire.Resign, table, 0, name="greeting") == "bad_message"
        assert (await timed.table(table)).status is Status.RUNNING

    with_tables(tmp_path, story)


def test_the_name_of_a_new_table_stands_for_one_table_only(tmp_path: Path) -> None:
    async def story(timed: TimedTables) -> None:
        table = await timed.new_table(ANN, "human open", id="new-table")
        assert await timed.new_table(ANN, "human open", id="new-table") == table
        with pytest.raises(Refused) as refusal:
            await timed.new_table(ANN, "human open", id="new-table", hints=False)
        assert refusal.value.code is wire.Code.BAD_MESSAGE
        assert await timed.new_table(BOB, "human open", id="new-table", hints=False) != table
        await timed.do(ANN, wire.Chat, table, "hello", name="new-table")

    with_tables(tmp_path, story)


def test_who_may_not_see_a_table_hears_nothing_of_a_command_there(tmp_path: Path) -> None:
    async def story(timed: TimedTables) -> None:
        table = await timed.new_table(ANN, "human open", is_public=False)
        await timed.do(ANN, wire.Chat, table, "hello", name="greeting")
        assert await timed.code_of(BOB, wire.Chat, table, "hello", name="greeting") == "not_found"

    with_tables(tmp_path, story)


def test_what_the_server_does_by_itself_has_a_name_and_no_player(tmp_path: Path) -> None:
    async def story(timed: TimedTables) -> None:
        table = await timed.match_of(ANN, BOB, clock=TimeControl(Tempo.LIVE, 60_000))
        seq = (await timed.table(table)).seq
        timed.time.go_on(60)
        await timed.tables.flag(table)
        log = await timed.store.log(table)
        assert [(line.player, line.command) for line in log[seq + 1 :]] == [("", f"flag:{seq}"), ("", None)]
        assert {line.player for line in log[: seq + 1]} == {ANN.id, BOB.id}

    with_tables(tmp_path, story)


# --- Databases of the first version ---

CREATED = {
    "type": "created",
    "game": "rose_king",
    "rules": 1,
    "seats": 2,
    "options": {},
    "host": ANN.id,
    "host_name": "Ann",
    "server_seed": "00" * 32,
    "invite": "invited",
    "autostart": False,
}


def sat(seat: int, player: Any, kind: SeatKind = SeatKind.HUMAN) -> dict[str, Any]:
    return {
        "type": "sat",
        "seat": seat,
        "kind": kind,
        "name": player.name,
        "player": player.id,
        "seed": "0a",
    }


def said(text: str, player: Any, seat: int | None = None) -> dict[str, Any]:
    return {"type": "said", "text": text, "name": player.name, "seat": seat}


OLD_LOG: list[tuple[int | None, str | None, dict[str, Any]]] = [  # seat, command, event
    (None, None, CREATED),
    (0, None, sat(0, ANN)),
    (
        1,
        "place-bot",
        {"type": "sat", "seat": 1, "kind": "bot", "name": "random", "bot": "random", "seed": ""},
    ),
    (1, "remove-bot", {"type": "left", "seat": 1}),
    (1, "sit-down", sat(1, BOB)),
    (1, "stand-up", {"type": "left", "seat": 1}),
    (1, "sit-down-2", sat(1, CYD)),
    (-1, f"{BOB.id}.watching", said("hello", BOB)),
    (1, "hello-there", said("hello", CYD, 1)),
    (0, "hello-there", said("hello", ANN, 0)),
    (1, "leave-it", {"type": "left", "seat": 1}),
    (1, "both-seats", sat(1, ANN, SeatKind.HOTSEAT)),
    (0, "one-name", said("left hand", ANN, 0)),
    (1, "one-name", said("right hand", ANN, 1)),
]


@pytest.fixture
def first_version(tmp_path: Path) -> Path:
    """A database as the first version left it, with one open table."""
    path = tmp_path / "test.sqlite3"
    engine = open_engine(path, writes=True)
    with engine.connect() as connection:
        config = Config()
        config.set_main_option("script_location", str(migrate.FOLDER))
        config.attributes["connection"] = connection
        alembic.upgrade(config, "0001")
    engine.dispose()
    with closing(sqlite3.connect(path)) as old, old:
        old.execute(
            "INSERT INTO tables VALUES ('oldtable01', 'rose_king', 'open', 1, ?, 5, '{}', NULL, 0, NULL)",
            (len(OLD_LOG) - 1,),
        )
        old.executemany(
            "INSERT INTO events (match, seq, at_ms, seat, command, body)"
            " VALUES ('oldtable01', ?, 1700000000000, ?, ?, ?)",
            [
                (seq, seat, name, json.dumps(event).encode())
                for seq, (seat, name, event) in enumerate(OLD_LOG)
            ],
        )
    return path


def test_a_database_of_the_first_version_knows_whose_commands_they_were(first_version: Path) -> None:
    async def story(timed: TimedTables) -> None:
        log = await timed.store.log("oldtable01")
        assert [json.loads(line.body) for line in log] == [event for _, _, event in OLD_LOG]
        assert [(line.player, line.command) for line in log if line.command] == [
            (ANN.id, "place-bot"),
            (ANN.id, "remove-bot"),
            (BOB.id, "sit-down"),
            (BOB.id, "stand-up"),
            (CYD.id, "sit-down-2"),
            (BOB.id, "watching"),
            (CYD.id, "hello-there"),
            (ANN.id, "hello-there"),
            (CYD.id, "leave-it"),
            (ANN.id, "both-seats"),
            (ANN.id, "one-name"),
        ]

    with_tables(first_version.parent, story)


def test_a_command_of_the_first_version_sent_again_has_no_second_effect(first_version: Path) -> None:
    async def story(timed: TimedTables) -> None:
        for player, name, seq in ((BOB, "watching", 7), (ANN, "hello-there", 9)):
            ack = await timed.do(player, wire.Chat, "oldtable01", "hello", name=name)
            assert ack.seq == seq
        assert (await timed.table("oldtable01")).seq == len(OLD_LOG) - 1
        await timed.do(BOB, wire.Chat, "oldtable01", "hello", name="hello-there")
        assert (await timed.table("oldtable01")).seq == len(OLD_LOG)

    with_tables(first_version.parent, story)


def test_a_database_of_the_first_version_is_exported_without_being_changed(first_version: Path) -> None:
    assert list(export(first_version, finished_only=False)) == []
    with closing(sqlite3.connect(first_version)) as old:
        assert old.execute("SELECT version_num FROM alembic_version").fetchone() == ("0001",)
