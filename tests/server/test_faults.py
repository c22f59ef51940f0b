"""Things break: the disk, the database, a bot, the time of day. Nothing is lost and play goes on."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

import probe
from regalia import Match
from regalia.bots import BOTS, Choice
from regalia.core.arrays import Steps
from regalia.core.registry import register
from regalia.server.ports import StorageError
from regalia.server.runtime.bot_pool import BotFailed, BotPool
from regalia.server.store import SqliteStore
from server.harness import Guest, running
from server.simulator import World

register(probe.GAME)


def first_action(guest: Guest, table: str) -> dict[str, Any]:
    seat = guest.table(table)["view"]["actors"][0]
    view = guest.table(table, seat=seat)["view"]
    return {"seat": seat, "ply": view["ply"], "action": view["actions"][0]}


# --- Storage ---


def test_a_locked_database_refuses_and_then_goes_on(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr("regalia.server.store.sqlite.BUSY_MS", 200)
    with running(tmp_path) as server, Guest(server, "Ann") as ann:
        table = ann.new_table(seats=["human", "hotseat"])["table"]["id"]
        play = first_action(ann, table)
        other = sqlite3.connect(server.settings.database, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        refused = ann.do("play", table, id="locked-001", **play)
        assert (refused.status, refused.code) == (503, "storage")
        assert ann.table(table)["view"]["ply"] == 1
        other.execute("ROLLBACK")
        other.close()
        assert ann.must("play", table, id="locked-001", **play)["ply"] == 2
        assert server.services.tables.counts["storage_errors"] >= 1


def test_a_full_disk_refuses_and_loses_nothing(tmp_path: Path) -> None:
    """SQLite's own limit on pages stands in for the disk: the same error at the same place."""
    with running(tmp_path) as server, Guest(server, "Ann") as ann:
        table = ann.new_table(seats=["human", "hotseat"])["table"]["id"]
        ann.must("play", table, **first_action(ann, table))
        with server.services.store._writing.connect() as connection:  # type: ignore[attr-defined]
            pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
            connection.exec_driver_sql(f"PRAGMA max_page_count={pages}")
        refused = 0
        for _ in range(60):
            reply = ann.do("chat", table, seat=0, text="fill the disk " * 30)
            if reply.status == 503:
                refused += 1
                assert reply.code == "storage"
                if refused == 3:
                    break
        assert refused == 3
        seq = ann.table(table)["seq"]
        with server.services.store._writing.connect() as connection:  # type: ignore[attr-defined]
            connection.exec_driver_sql("PRAGMA max_page_count=1000000")
        ack = ann.must("play", table, **first_action(ann, table))
        assert ack["seq"] == seq + 1
    with running(tmp_path) as server, Guest(server, None) as nobody:
        assert nobody.table(table)["seq"] == seq + 1


@pytest.mark.skipif(sys.platform == "win32", reason="there an open file can be neither deleted nor replaced")
@pytest.mark.parametrize("is_replaced", [False, True])
def test_nothing_is_acknowledged_into_a_file_that_is_gone(tmp_path: Path, is_replaced: bool) -> None:
    with running(tmp_path) as server, Guest(server, "Ann") as ann:
        table = ann.new_table(seats=["human", "hotseat"])["table"]["id"]
        database = server.settings.database
        play = first_action(ann, table)
        moved = database.rename(tmp_path / "kept.sqlite3")
        if is_replaced:
            shutil.copy(moved, database)
        for _ in range(5):
            assert ann.do("play", table, **play).code == "storage"
        assert ann.post("/api/tables", {"game": "rose_king", "seats": [{}, {}]}).code == "storage"
        health = ann.get("/api/health")
        assert (health.status, health.code) == (503, "storage")
        moved.replace(database)
        assert ann.get("/api/health").status == 200
        ann.must("play", table, **first_action(ann, table))
    with running(tmp_path) as server, Guest(server, None) as nobody:
        assert nobody.table(table)["view"]["ply"] == 2


def test_reading_fails_and_only_what_needs_it_is_refused(tmp_path: Path) -> None:
    with running(tmp_path) as server, Guest(server, "Ann") as ann:
        table = ann.new_table(seats=["human", "hotseat"])["table"]["id"]

        async def failing(*_: Any, **__: Any) -> Any:
            raise StorageError("gone")

        store: Any = server.services.store
        real = store.log, store.read, store.tables
        store.log, store.read, store.tables = failing, failing, failing
        assert ann.get("/api/tables").code == "storage"
        assert ann.get("/api/tables/notloaded0").code == "storage"
        ann.must("play", table, **first_action(ann, table))
        store.log, store.read, store.tables = real
        assert ann.get("/api/tables").status == 200


def test_a_database_from_the_future_or_of_another_kind_is_not_touched(tmp_path: Path) -> None:
    async def made() -> None:
        await SqliteStore(tmp_path / "new.sqlite3").close()

    asyncio.run(made())
    with sqlite3.connect(tmp_path / "new.sqlite3") as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    with pytest.raises(StorageError, match="newer"):
        SqliteStore(tmp_path / "new.sqlite3")
    (tmp_path / "text.sqlite3").write_text("no database " * 100, "utf-8")
    with pytest.raises(StorageError):
        SqliteStore(tmp_path / "text.sqlite3")


# --- Bots ---


FAILURES = {
    "crashed": {"error": BotFailed("crashed")},
    "illegal": {"says": "no such action"},
    "overran": {"think_s": None},
}


@pytest.mark.parametrize("why", FAILURES)
def test_a_bot_that_fails_is_replaced_by_a_legal_action(why: str) -> None:
    with World() as world, Guest(world, "Ann") as ann:
        vars(world.bots).update(FAILURES[why])
        table = ann.new_table(seats=["human", "bot"])["table"]["id"]
        ann.must("play", table, **first_action(ann, table))
        world.tick(25)
        assert ann.table(table, seat=0)["view"]["actors"] == [0]
        assert world.services.tables.counts["bot_fallbacks"] == 1
        assert why in world.log(table)[-1].body.decode()


@pytest.mark.parametrize("error", [RuntimeError("the bot fell over"), TimeoutError("its own")])
def test_a_bot_that_falls_over_is_known_to_have_crashed(error: Exception) -> None:
    def fall_over(match: Match, seat: int, bot: str, seed: int | None, stop: Steps) -> Choice:
        raise error

    async def main() -> None:
        pool = BotPool(1, 20, fall_over)
        with pytest.raises(BotFailed, match="crashed"):
            await pool.choose(Match.new("rose_king", seed=1), 0, "random")
        assert pool.hanging == 0
        pool.stop()

    asyncio.run(main())


def test_a_bot_at_its_limit_is_told_to_stop_and_hands_over_the_best_it_has() -> None:
    def think_on(match: Match, seat: int, bot: str, seed: int | None, stop: Steps) -> Choice:
        while not stop[0]:
            threading.Event().wait(0.001)
        return Choice("the best so far")

    async def main() -> None:
        pool = BotPool(1, 0.2, think_on)
        match = Match.new("rose_king", seed=1)
        assert await pool.choose(match, 0, "random") == Choice("the best so far")
        choosing = asyncio.ensure_future(pool.choose(match, 0, "random"))
        await asyncio.sleep(0)
        choosing.cancel()  # who asked went away: the thread is soon free for the next
        assert await pool.choose(match, 0, "random") == Choice("the best so far")
        assert pool.hanging == 0
        pool.stop()

    asyncio.run(main())


def test_a_bot_that_nobody_waits_for_any_more_frees_its_thread() -> None:
    """One that stops when it is told to, one that hangs, and one that had not begun."""
    released = threading.Event()

    def think(match: Match, seat: int, bot: str, seed: int | None, stop: Steps) -> Choice:
        while not stop[0] or (bot == "hangs" and not released.is_set()):
            threading.Event().wait(0.001)
        return Choice(bot)

    async def main() -> None:
        pool = BotPool(1, 0.2, think)
        match = Match.new("rose_king", seed=1)
        for bot, lost in (("stops", 0), ("hangs", 1)):
            choosing = asyncio.ensure_future(pool.choose(match, 0, bot))
            queued = asyncio.ensure_future(pool.choose(match, 0, "queued"))
            await asyncio.sleep(0.05)
            for each in (queued, choosing):
                each.cancel()
            assert await pool.choose(match, 0, "next") == Choice("next")
            assert pool.hanging == lost
        released.set()
        while pool.hanging:  # noqa: ASYNC110 - until its thread is back
            await asyncio.sleep(0.01)
        pool.stop()

    asyncio.run(main())


def test_a_person_does_not_wait_for_bots_among_themselves() -> None:
    order: list[str] = []
    is_free = threading.Event()

    def note(match: Match, seat: int, bot: str, seed: int | None, stop: Steps) -> Choice:
        is_free.wait(20)
        order.append(bot)
        return Choice("anything")

    async def main() -> None:
        pool = BotPool(1, 20, note)
        match = Match.new("rose_king", seed=1)
        waiting = [asyncio.ensure_future(pool.choose(match, 0, "first"))]
        await asyncio.sleep(0)
        while pool.waiting:  # noqa: ASYNC110 - until the one thread has it
            await asyncio.sleep(0.001)
        waiting += [
            asyncio.ensure_future(pool.choose(match, 0, bot, is_awaited=False))
            for bot in ("alone", "alone too")
        ]
        waiting.append(asyncio.ensure_future(pool.choose(match, 0, "awaited")))
        await asyncio.sleep(0)
        is_free.set()
        await asyncio.gather(*waiting)
        assert order == ["first", "awaited", "alone", "alone too"]
        pool.stop()

    asyncio.run(main())


def test_nobody_asks_a_bot_while_its_game_is_being_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []

    def slow_to_load(match: Match, seat: int, bot: str, seed: int | None = None, **_: Any) -> Choice:
        if bot == BOTS[1]:
            threading.Event().wait(0.1)
        order.append(bot)
        return Choice("anything")

    monkeypatch.setattr("regalia.bots.choose", slow_to_load)

    async def main() -> None:
        pool = BotPool(2, 20)
        match = Match.new("rose_king", seed=1)
        await asyncio.gather(*(pool.choose(match, 0, "random") for _ in range(2)))
        assert order == [BOTS[1], "random", "random"]
        pool.stop()

    asyncio.run(main())


def test_tables_without_a_person_take_turns_at_letting_their_bots_think() -> None:
    with World() as world, Guest(world, "Ann") as ann, Guest(world, "Bob") as bob:
        world.bots.think_s = 1.0
        for _ in range(5):
            ann.new_table(seats=["bot", "bot"])
        bob.new_table(seats=["bot", "bot"])
        before = len(world.bots.answers)
        world.tick(10)
        actions = len(world.bots.answers) - before
        assert 18 <= actions <= 22  # one a second for each host, not one for each table


def test_a_hanging_bot_does_not_hold_up_other_tables() -> None:
    """There is one thread; the bot of seat 0 does not come back."""
    released = threading.Event()

    def hang(match: Match, seat: int, bot: str, seed: int | None, stop: Steps) -> Choice:
        if seat == 0:
            released.wait()
        return Choice("anything")

    async def main() -> None:
        pool = BotPool(1, 0.05, hang)
        match = Match.new("rose_king", seed=1)
        answers = await asyncio.gather(
            *(pool.choose(match, seat, "random") for seat in (0, 1, 1)), return_exceptions=True
        )
        assert [str(answer) for answer in answers[:1]] == ["overran"]
        assert answers[1:] == [Choice("anything")] * 2
        released.set()
        pool.stop()

    asyncio.run(main())


def test_the_pool_gives_up_when_everything_hangs() -> None:
    async def main() -> None:
        pool = BotPool(1, 0.05, lambda *_: (released.wait(20) and Choice("")) or Choice(""))
        match = Match.new("rose_king", seed=1)
        reasons = []
        for _ in range(18):
            try:
                await pool.choose(match, 0, "random")
            except BotFailed as failure:
                reasons.append(str(failure))
        assert reasons == ["overran"] * 16 + ["crowded"] * 2
        released.set()
        for _ in range(200):
            if pool.hanging == 0:
                break
            await asyncio.sleep(0.02)
        assert pool.hanging == 0
        pool.stop()

    released = threading.Event()
    asyncio.run(main())


# --- Time ---


@pytest.mark.parametrize("jump_ms", [86_400_000, -86_400_000])
def test_a_jump_of_the_time_of_day_moves_no_clock(jump_ms: int) -> None:
    with World() as world, Guest(world, "Ann") as ann:
        for tempo in ("live", "turns"):
            timed = {"tempo": tempo, "reserve_ms": 60_000}
            table = ann.new_table(seats=["human", "hotseat"], clock=timed)["table"]["id"]
            world.time.jump_ms += jump_ms
            world.tick(1)
            ann.must("play", table, **first_action(ann, table))
            world.tick(1)
            shown = ann.table(table)
            assert shown["table"]["status"] == "running"
            assert [facts["left_ms"] for facts in shown["table"]["seats"]] == [59_000, 59_000]


# --- Restarts ---


def test_a_restart_in_the_middle_of_a_dispute_keeps_the_stakes_half_given(tmp_path: Path) -> None:
    """Some have staked, some have not: afterwards exactly these still owe it, and no stake is told."""
    with running(tmp_path) as server, Guest(server, "Ann") as ann:
        table = ann.new_table("probe", ["human", "hotseat", "hotseat", "hotseat"])["table"]["id"]
        for seat in (2, 0):
            view = ann.table(table, seat=seat)["view"]
            ann.must("play", table, seat=seat, ply=view["ply"], action=view["actions"][-1])
        before = {seat: ann.table(table, seat=seat) for seat in (0, 1, 2, 3)}
        outside = ann.table(table)
        assert outside["view"]["actors"] == [1, 3]
        assert [record["action"] for record in outside["records"]][1:] == ["?", "?"]
        cookies = dict(ann.http.cookies)
        shutil.copytree(tmp_path, tmp_path.with_name("copy"))
    for folder in (tmp_path, tmp_path.with_name("copy")):  # after a stop, and as a kill would leave it
        with running(folder) as server, Guest(server, None) as ann:
            ann.http.cookies.update(cookies)
            for seat, shown in before.items():
                now = ann.table(table, seat=seat)
                assert (now["view"], now["records"]) == (shown["view"], shown["records"])
            for seat in (3, 1):
                view = ann.table(table, seat=seat)["view"]
                ann.must("play", table, seat=seat, ply=view["ply"], action=view["actions"][0])
            records = ann.table(table)["records"]
            assert [record["seat"] for record in records][1:5] == sorted(
                record["seat"] for record in records[1:5]
            )
            assert all(record["action"].startswith("stake") for record in records[1:5])


def test_who_chooses_at_the_same_time_as_others_is_not_late(tmp_path: Path) -> None:
    """All have seen the same update: what others staked since then, sealed, makes nobody's stake stale."""
    with running(tmp_path) as server, Guest(server, "Ann") as ann:
        table = ann.new_table("probe", ["human", "hotseat", "hotseat", "hotseat"])["table"]["id"]
        shown = [ann.table(table, seat=seat) for seat in range(4)]
        stakes = [
            {"seat": seat, "seq": update["seq"], "action": update["view"]["actions"][0]}
            for seat, update in enumerate(shown)
        ]
        for seat in (2, 0):
            ann.must("play", table, **stakes[seat])
        cookies = dict(ann.http.cookies)
    with running(tmp_path) as server, Guest(server, None) as ann:
        ann.http.cookies.update(cookies)
        ann.must("play", table, **stakes[3])
        for seat in (2, 0):
            assert ann.do("play", table, **stakes[seat]).code == "not_your_turn"
        assert ann.table(table)["view"]["actors"] == [1]
        ann.must("play", table, **stakes[1])
        assert ann.do("play", table, **stakes[1]).code == "stale"


def test_who_watches_through_the_reveal_gets_the_records_anew(tmp_path: Path) -> None:
    with running(tmp_path) as server, Guest(server, "Ann") as ann, Guest(server, None) as nobody:
        table = ann.new_table("probe", ["human", "hotseat", "hotseat", "hotseat"])["table"]["id"]
        with nobody.socket() as line:
            mine = line.watch(table)["records"]
            for seat in (3, 1, 0, 2):
                view = ann.table(table, seat=seat)["view"]
                ann.must("play", table, seat=seat, ply=view["ply"], action=view["actions"][0])
                update = line.receive("update")
                mine = mine[: update["from_ply"]] + update["records"]
        assert mine == ann.table(table)["records"]
        assert update["from_ply"] == 1


def test_a_match_of_an_unknown_rules_version_is_refused_clearly(tmp_path: Path) -> None:
    with running(tmp_path) as server, Guest(server, "Ann") as ann:
        table = ann.new_table(seats=["human", "hotseat"])["table"]["id"]
        cookies = dict(ann.http.cookies)
        database = server.settings.database
    connection = sqlite3.connect(database)
    body = connection.execute("SELECT body FROM events WHERE table_id = ? AND seq = 0", (table,)).fetchone()[
        0
    ]
    changed = body.replace(b'"rules":1', b'"rules":99')
    assert changed != body
    connection.execute("UPDATE events SET body = ? WHERE table_id = ? AND seq = 0", (changed, table))
    connection.commit()
    connection.close()
    with running(tmp_path) as server, Guest(server, None) as ann:
        ann.http.cookies.update(cookies)
        assert ann.table(table)["view"] is None
        error = ann.do("play", table, seat=0, ply=1, action="N1").json["error"]
        assert (error["code"], error["key"]) == ("setup", "error.rules_version")


def test_a_stop_tells_the_sockets(tmp_path: Path) -> None:
    with running(tmp_path) as server, Guest(server, "Ann") as ann, ann.socket() as line:
        stopping = threading.Thread(target=lambda: setattr(server.server, "should_exit", True))
        stopping.start()
        assert line.receive("gone")["reason"] == "stop"
        stopping.join()
