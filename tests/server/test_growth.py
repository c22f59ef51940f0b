"""What a table may cost: talk has an end, and a commit costs the same however much has happened before."""

from __future__ import annotations

from pathlib import Path

import pytest

from regalia.server import protocol as wire
from regalia.server.model import views
from regalia.server.model.growing import Growing
from regalia.server.model.rights import LAST_WORDS_MS, MOST_LINES
from regalia.server.model.views import MOST_KEPT
from regalia.server.ports import StorageError, read_time
from server.simulator import MemoryStore
from server.timed import ANN, BOB, CYD, TimedTables, with_tables


def test_talk_at_a_table_has_an_end_and_onlookers_leave_half_of_it_to_the_players(tmp_path: Path) -> None:
    async def story(timed: TimedTables) -> None:
        table = await timed.match_of(ANN, BOB)
        for number in range(MOST_LINES // 2):
            await timed.do(CYD, wire.Chat, table, f"look at me {number}")
        assert await timed.code_of(CYD, wire.Chat, table, "and me") == "not_at_this_table"
        for number in range(MOST_LINES // 2):
            await timed.do(BOB, wire.Chat, table, f"please be quiet {number}", 1)
        assert await timed.code_of(BOB, wire.Chat, table, "at last", 1) == "not_at_this_table"
        await timed.play(ANN, table, 0)

    with_tables(tmp_path, story, store=MemoryStore())


def test_after_the_end_the_players_may_talk_for_a_day_and_strangers_not_at_all(tmp_path: Path) -> None:
    async def story(timed: TimedTables) -> None:
        table = await timed.match_of(ANN, BOB)
        await timed.do(BOB, wire.Resign, table, 1)
        assert await timed.code_of(CYD, wire.Chat, table, "what a match") == "match_over"
        timed.time.go_on(LAST_WORDS_MS / 1000 - 1)
        await timed.do(BOB, wire.Chat, table, "well played", 1)
        timed.time.go_on(1)
        assert await timed.code_of(ANN, wire.Chat, table, "thank you", 0) == "match_over"

    with_tables(tmp_path, story, store=MemoryStore())


def test_a_commit_copies_nothing_that_grows_with_the_commands_before_it(tmp_path: Path) -> None:
    """Play, take back, and so on: what each command adds to is the same object at the end."""

    async def story(timed: TimedTables) -> None:
        table = await timed.new_table(ANN, "human hotseat")
        await timed.play(ANN, table, 0)
        first = await timed.table(table)
        items = {name: getattr(first, name)._items for name in ("marks", "notices")}
        for _ in range(300):
            now = await timed.table(table)
            await timed.do(ANN, wire.Undo, table, 0, now.seq)
            await timed.play(ANN, table, 0)
        last = await timed.table(table)
        assert len(last.commands) > 600
        assert last.commands is first.commands
        assert {name: getattr(last, name)._items for name in items} == items
        assert all(getattr(last, name)._items is shared for name, shared in items.items())
        sizes = {
            name: len(value) for name, value in vars(last).items() if isinstance(value, list | dict | set)
        }
        del sizes["commands"]
        assert max(sizes.values()) <= MOST_KEPT

    with_tables(tmp_path, story, store=MemoryStore())


def test_a_command_whose_commit_failed_is_not_done(tmp_path: Path) -> None:
    async def story(timed: TimedTables) -> None:
        assert isinstance(timed.store, MemoryStore)
        table = await timed.match_of(ANN, BOB)
        before = await timed.table(table)
        timed.store.error = StorageError("the disk is full")
        assert await timed.code_of(ANN, wire.Chat, table, "hello", 0, name="greeting") == "storage"
        timed.store.error = None
        assert (await timed.table(table)).notices[-1].text != "hello"
        ack = await timed.do(ANN, wire.Chat, table, "hello", 0, name="greeting")
        assert ack.seq == before.seq + 1
        assert (await timed.table(table)).notices[-1].text == "hello"

    with_tables(tmp_path, story, store=MemoryStore())


def test_what_is_kept_encoded_of_a_table_does_not_grow_with_what_is_asked_for(tmp_path: Path) -> None:
    async def story(timed: TimedTables) -> None:
        table = await timed.match_of(ANN, BOB)
        for number in range(60):
            await timed.do(ANN, wire.Chat, table, f"line {number}", 0)
        now = await timed.table(table)
        for since in range(60):
            views.update(now, BOB.id, 1, "", since, read_time(timed.time))
        assert len(now.cache) <= MOST_KEPT

    with_tables(tmp_path, story, store=MemoryStore())


def test_copies_of_a_growing_list_do_not_see_each_others_items() -> None:
    first = Growing([1, 2])
    second = first.copy()
    second.append(3)
    third = first.copy()
    third.append(4)
    second.cut(1)
    second.append(5)
    assert [list(each) for each in (first, second, third)] == [[1, 2], [1, 5], [1, 2, 4]]
    assert third == Growing([1, 2, 4]) != first
    assert (third[-1], third[1:], list(reversed(third)), len(first)) == (4, [2, 4], [4, 2, 1], 2)
    with pytest.raises(IndexError):
        first[2]
