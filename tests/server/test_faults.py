"""Things break: the disk, the database, a bot, the time of day. Nothing is lost and play goes on."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import probe
from regalia import GAMES, Match, bots
from regalia.bots import Choice
from regalia.server.botpool import BotFailed, BotPool
from regalia.server.ports import Conflict, StorageError, StoredEvent, SystemClock, Write
from regalia.server.services import Services
from regalia.server.settings import Settings
from regalia.server.store import SqliteStore
from server.harness import Guest, running
from server.test_tables import wait_for

Match.registry = {**GAMES, probe.GAME.id: probe.GAME}


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
        assert server.services.house.counts["storage_errors"] >= 1


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


def test_reading_fails_and_only_what_needs_it_is_refused(tmp_path: Path) -> None:
    with running(tmp_path) as server, Guest(server, "Ann") as ann:
        table = ann.new_table(seats=["human", "hotseat"])["table"]["id"]

        async def failing(*_: Any, **__: Any) -> Any:
            raise StorageError("gone")

        store: Any = server.services.store
        real = store.log, store.tables
        store.log, store.tables = failing, failing
        assert ann.get("/api/tables").code == "storage"
        assert ann.get("/api/tables/notloaded0").code == "storage"
        ann.must("play", table, **first_action(ann, table))
        store.log, store.tables = real
        assert ann.get("/api/tables").status == 200


def test_a_conflict_is_told_to_its_writer_alone(tmp_path: Path) -> None:
    async def main() -> None:
        store = SqliteStore(tmp_path / "x.sqlite3")
        row = {
            "id": "t",
            "game": "g",
            "status": "open",
            "is_public": True,
            "seq": 0,
            "updated_ms": 1,
            "summary": b"{}",
            "deadline_ms": None,
            "bot_due": False,
            "outcome": None,
        }
        await store.write(Write(tables=[row], events=[StoredEvent("t", 0, 1, b"{}", 0, "first")]))
        twice = Write(events=[StoredEvent("t", 1, 1, b"{}", 0, "first")])
        same_number = Write(events=[StoredEvent("t", 0, 1, b"{}")])
        good = [Write(events=[StoredEvent("t", seq, 1, b"{}", 0, f"c{seq}")]) for seq in range(1, 40)]
        results = await asyncio.gather(
            *(store.write(change) for change in [*good[:20], twice, same_number, *good[20:]]),
            return_exceptions=True,
        )
        assert [type(result) for result in results if result is not None] == [Conflict, Conflict]
        assert [event.seq for event in await store.log("t")] == list(range(40))
        before = store.writer.groups
        many = [Write(events=[StoredEvent("t", seq, 1, b"{}")]) for seq in range(40, 240)]
        await asyncio.gather(*(store.write(change) for change in many))
        assert store.writer.groups - before < 100  # they share the disk
        await store.close()

    asyncio.run(main())


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


def broken(match: Match, seat: int, bot: str, seed: int | None) -> Choice:
    raise RuntimeError("the bot fell over")


def wrong(match: Match, seat: int, bot: str, seed: int | None) -> Choice:
    return Choice("no such action")


def hanging(match: Match, seat: int, bot: str, seed: int | None) -> Choice:
    time.sleep(3)
    return bots.choose(match, seat, bot, seed)


@pytest.mark.parametrize("choose, why", [(broken, "crashed"), (wrong, "illegal"), (hanging, "overran")])
def test_a_bot_that_fails_is_replaced_by_a_legal_action(tmp_path: Path, choose: Any, why: str) -> None:
    def services(settings: Settings) -> Services:
        return Services(settings, SqliteStore(settings.database), pool=BotPool(1, 0.3, choose))

    with running(tmp_path, make_services=services) as server, Guest(server, "Ann") as ann:
        table = ann.new_table(seats=["human", "bot"])["table"]["id"]
        ann.must("play", table, **first_action(ann, table))
        wait_for(lambda: ann.table(table, seat=0)["view"]["actors"] == [0])
        stored = server.services.house.slots[table].table
        assert stored is not None
        assert server.services.house.counts["bot_fallbacks"] == 1
        log = server.call(lambda: server.services.store.log(table))
        assert why in log[-1].body.decode()


def test_a_hanging_bot_does_not_hold_up_other_tables(tmp_path: Path) -> None:
    def only_first(match: Match, seat: int, bot: str, seed: int | None) -> Choice:
        if match.game.id == "carolus_magnus":
            time.sleep(2)
        return bots.choose(match, seat, bot, seed)

    def services(settings: Settings) -> Services:
        return Services(settings, SqliteStore(settings.database), pool=BotPool(1, 0.2, only_first))

    with running(tmp_path, make_services=services) as server, Guest(server, "Ann") as ann:
        server.call(lambda: server.services.house.engines.load("rose_king"))
        slow = ann.new_table("carolus_magnus", ["bot", "bot"])["table"]["id"]
        quick = ann.new_table("rose_king", ["human", "bot"])["table"]["id"]
        for _ in range(3):
            wait_for(lambda: 0 in ann.table(quick, seat=0)["view"]["actors"])
            ann.must("play", quick, **first_action(ann, quick))
        assert ann.table(slow)["table"]["status"] == "running"


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


class JumpingClock(SystemClock):
    """A time of day that somebody sets."""

    jump_ms = 0

    def wall_ms(self) -> int:
        return super().wall_ms() + self.jump_ms


@pytest.mark.parametrize("jump_ms", [86_400_000, -86_400_000])
def test_a_jump_of_the_time_of_day_moves_no_clock(tmp_path: Path, jump_ms: int) -> None:
    clock = JumpingClock()

    def services(settings: Settings) -> Services:
        return Services(settings, SqliteStore(settings.database), clock=clock)

    with running(tmp_path, make_services=services) as server, Guest(server, "Ann") as ann:
        for tempo in ("live", "turns"):
            timed = {"tempo": tempo, "reserve_ms": 60_000}
            table = ann.new_table(seats=["human", "hotseat"], clock=timed)["table"]["id"]
            clock.jump_ms += jump_ms
            ann.must("play", table, **first_action(ann, table))
            time.sleep(0.1)
            shown = ann.table(table)
            assert shown["table"]["status"] == "running"
            assert all(facts["left_ms"] > 40_000 for facts in shown["table"]["seats"])


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
            told = ann.table(table)["records"]
            assert [record["seat"] for record in told][1:5] == sorted(record["seat"] for record in told[1:5])
            assert all(record["action"].startswith("stake") for record in told[1:5])


def test_who_chooses_at_the_same_time_as_others_is_not_late(tmp_path: Path) -> None:
    """All have seen the same ply: sealed stakes of others since then make nobody's stale, but the own one does."""
    with running(tmp_path) as server, Guest(server, "Ann") as ann:
        table = ann.new_table("probe", ["human", "hotseat", "hotseat", "hotseat"])["table"]["id"]
        views = [ann.table(table, seat=seat)["view"] for seat in range(4)]
        for seat in (2, 0, 3):
            ann.must("play", table, seat=seat, ply=views[seat]["ply"], action=views[seat]["actions"][0])
        for seat in (2, 0):
            again = ann.do("play", table, seat=seat, ply=views[seat]["ply"], action=views[seat]["actions"][0])
            assert again.code == "stale"
        assert ann.table(table)["view"]["actors"] == [1]
        ann.must("play", table, seat=1, ply=views[1]["ply"], action=views[1]["actions"][0])
        late = ann.do("play", table, seat=1, ply=views[1]["ply"], action=views[1]["actions"][0])
        assert late.code == "stale"


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
    body = connection.execute("SELECT body FROM events WHERE match = ? AND seq = 0", (table,)).fetchone()[0]
    changed = body.replace(b'"rules":1', b'"rules":99')
    assert changed != body
    connection.execute("UPDATE events SET body = ? WHERE match = ? AND seq = 0", (changed, table))
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
