"""The server for many: on PostgreSQL, in one process and in several."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from postgres import Postgres
from regalia import GAMES
from regalia.server.runtime.database_time import DatabaseTime
from regalia.server.runtime.loader import warm
from regalia.server.services import Services, services_of
from regalia.server.settings import Settings
from regalia.server.store import open_store
from server.harness import SEED, Guest, Line, Running, running, wait_for
from server.simulator import SimulatedBots
from server.test_sessions import another_browser, browser_headers

pytestmark = pytest.mark.postgres

app = typer.Typer()
app.command("serve")(import_module("regalia.cli.commands.serve").serve)
app.command("other")(lambda: None)  # with one command alone it would have no name


@pytest.fixture(scope="module", autouse=True)
def is_compiled() -> None:
    """It may take longer than a request waits."""
    warm(GAMES["rose_king"])


def with_quick_bots(settings: Settings) -> Services:
    """Bots that need no search, which may have to be compiled."""
    services = services_of(settings)
    bots = SimulatedBots()
    bots.think_s = 0.02
    services.background.pool.stop()
    services.bots = services.background.pool = bots  # type: ignore[assignment]
    return services


def play(guest: Guest, table: str) -> dict[str, Any]:
    """Any legal action of a seat that is due and the guest's own."""
    state = guest.table(table)
    seat = next(
        facts["seat"]
        for facts in state["table"]["seats"]
        if facts["is_yours"] and facts["seat"] in state["view"]["actors"]
    )
    view = guest.table(table, seat=seat)
    return guest.must("play", table, seat=seat, seq=view["seq"], action=view["view"]["actions"][0])


# --- One process ---


def test_a_whole_evening_on_postgresql(tmp_path: Path, postgres_url: str) -> None:
    with (
        running(tmp_path, database=postgres_url, make_services=with_quick_bots) as server,
        Guest(server, "Ann") as ann,
    ):
        table = ann.new_table(seats=["human", "bot"])["table"]["id"]
        with ann.socket() as line:
            line.watch(table, 0)
            for _ in range(3):
                play(ann, table)
                wait_for(lambda: ann.table(table)["view"]["actors"] == [0])
            assert line.receive("update")["seq"] > 0
        ann.must("chat", table, seat=0, text="good evening")
        again = ann.do("chat", table, id="the-same-1", seat=0, text="once")
        assert ann.do("chat", table, id="the-same-1", seat=0, text="once").json == again.json
        seq = ann.table(table)["seq"]
        cookies = ann.http.cookies
    with running(tmp_path, database=postgres_url) as server, Guest(server, None) as ann:
        ann.http.cookies = cookies
        assert ann.table(table)["seq"] == seq
        play(ann, table)
        ann.must("resign", table, seat=0)
        rematch = ann.must("rematch", table, seat=0)
        assert ann.table(rematch["next"])["table"]["status"] == "open"
        mine = ann.get("/api/tables", list="mine").json["tables"]
        assert {line["id"] for line in mine} == {table, rematch["next"]}
        token = ann.post("/api/tokens", {"label": "bot"}).json["token"]
        with Guest(server, None, {"authorization": f"Bearer {token}"}) as program:
            assert program.get("/api/me").json["name"] == "Ann"


def test_a_database_that_goes_away_for_a_while_loses_nothing(tmp_path: Path) -> None:
    with Postgres() as own:
        url = own.new_database("away")
        with running(tmp_path, database=url) as server, Guest(server, "Ann") as ann:
            table = ann.new_table(seats=["human", "hotseat"])["table"]["id"]
            seq = play(ann, table)["seq"]
            own.stop("immediate")
            assert ann.do("chat", table, id="during-the-outage", seat=0, text="there?").code == "storage"
            assert ann.get("/api/health").status == 503
            own.start()
            said = wait_for(
                lambda: (
                    (reply := ann.do("chat", table, id="during-the-outage", seat=0, text="there?")).status
                    == 200
                    and reply.json
                )
            )
            assert said["seq"] == seq + 1
            assert ann.get("/api/health").status == 200


# --- Several processes ---


@pytest.fixture
def workers(tmp_path: Path, postgres_url: str) -> Iterator[tuple[Running, Running]]:
    """Two servers on one database, each with what a process of its own would have."""
    options: dict[str, Any] = {"database": postgres_url, "make_services": with_quick_bots}
    with running(tmp_path, **options) as one, running(tmp_path, **options) as two:
        wait_for(lambda: len(one.services.heartbeat.alive) == 2)
        yield one, two


def same_person(guest: Guest, server: Running) -> Guest:
    """The guest's browser, at another worker."""
    other = Guest(server, None)
    other.http.cookies = guest.http.cookies
    other.id = guest.id
    return other


def test_people_at_different_workers_play_one_match(workers: tuple[Running, Running]) -> None:
    one, two = workers
    with Guest(one, "Ann") as ann, Guest(two, "Bob") as bob:
        table = ann.new_table()["table"]["id"]
        bob.must("sit", table, seat=1, seed=SEED)
        with ann.socket() as hers, bob.socket() as his:
            for line, seat in ((hers, 0), (his, 1)):
                line.watch(table, seat)
            for _ in range(6):
                seat = ann.table(table)["view"]["actors"][0]
                ack = play((ann, bob)[seat], table)
                for line in (hers, his):
                    while line.receive("update")["seq"] < ack["seq"]:
                        pass
        log = one.call(lambda: one.services.store.log(table))
        assert [event.seq for event in log] == list(range(len(log)))
        assert two.call(lambda: two.services.tables.open(table)).seq == log[-1].seq


def test_everybody_at_once_at_different_workers_loses_and_doubles_nothing(
    workers: tuple[Running, Running],
) -> None:
    with Guest(workers[0], "Ann") as ann:
        table = ann.new_table(seats=["human", "hotseat"])["table"]["id"]
        guests = [same_person(ann, workers[number % 2]) for number in range(4)]

        def talk(number: int) -> list[int]:
            return [
                guests[number].must("chat", table, id=f"said-{number}-{line}", seat=0, text="hello")["seq"]
                for line in range(15)
            ]

        with ThreadPoolExecutor(4) as pool:
            told = [seq for seqs in pool.map(talk, range(4)) for seq in seqs]
        log = workers[0].call(lambda: workers[0].services.store.log(table))
        assert [event.seq for event in log] == list(range(len(log)))
        assert sorted(told) == sorted(
            event.seq for event in log if event.command is not None and event.command.startswith("said")
        )
        assert len(set(told)) == 60
        again = guests[1].must("chat", table, id="said-0-3", seat=0, text="hello")
        assert again["seq"] == told[3]  # known at every worker
        for guest in guests:
            guest.close()


def test_without_any_hint_all_is_right_and_only_later(tmp_path: Path, postgres_url: str) -> None:
    def deaf(settings: Settings) -> Services:
        return Services(settings, open_store(settings.database), DatabaseTime())

    with (
        running(tmp_path, database=postgres_url, make_services=deaf) as one,
        running(tmp_path, database=postgres_url, make_services=deaf) as two,
        Guest(one, "Ann") as ann,
        Guest(two, "Bob") as bob,
    ):
        table = ann.new_table()["table"]["id"]
        bob.must("sit", table, seat=1, seed=SEED)
        with ann.socket() as hers:
            seq = hers.watch(table, 0)["seq"]
            told = bob.must("chat", table, seat=1, text="can you hear me?")["seq"]
            began = time.monotonic()
            while seq < told:
                seq = hers.receive("update", seconds=10)["seq"]
            assert time.monotonic() - began < 5
        ann.must("chat", table, seat=0, text="now I can")
        assert ann.do("sit", table, seat=1).code != "storage"


def test_a_bot_acts_once_and_goes_on_when_its_worker_is_gone(workers: tuple[Running, Running]) -> None:
    one, two = workers
    with Guest(one, "Ann") as ann:
        tables = [ann.new_table(seats=["bot", "bot"])["table"]["id"] for _ in range(4)]

        def logs() -> list[list[Any]]:
            return [one.call(lambda name=name: one.services.store.log(name)) for name in tables]

        wait_for(lambda: all(len(log) > 8 for log in logs()))
        for server in workers:
            assert server.services.tables.counts["conflicts"] <= 4  # while the two got to know each other
        two.call(two.services.background.stop)  # as if it were dead: it leaves without a word
        before = [len(log) for log in logs()]
        wait_for(lambda: all(len(log) > 3 + size for log, size in zip(logs(), before, strict=True)), 60)
        for log in logs():
            assert [event.seq for event in log] == list(range(len(log)))
        assert one.services.heartbeat.alive == (one.services.worker,)


def test_a_clock_runs_out_once_and_is_the_same_everywhere(workers: tuple[Running, Running]) -> None:
    one, two = workers
    with Guest(one, "Ann") as ann, Guest(two, "Bob") as bob:
        control = {"tempo": "live", "reserve_ms": 4000}
        table = ann.new_table(clock=control)["table"]["id"]
        bob.must("sit", table, seat=1, seed=SEED)

        def left(server: Running) -> int:
            tables = server.services.tables
            known = server.call(lambda: tables.open(table))
            return min(known.timer.left(tables.time.steady_ms()))

        assert abs(left(one) - left(two)) < 300
        wait_for(lambda: bob.table(table)["table"]["status"] == "ended")
        wait_for(lambda: ann.table(table)["table"]["status"] == "ended")
        log = one.call(lambda: one.services.store.log(table))
        assert sum((event.command or "").startswith("flag:") for event in log) == 1


def test_who_is_at_a_table_is_known_at_every_worker(workers: tuple[Running, Running]) -> None:
    one, two = workers
    with Guest(one, "Ann") as ann, Guest(two, "Bob") as bob:
        table = ann.new_table()["table"]["id"]
        bob.must("sit", table, seat=1, seed=SEED)

        def until(line: Line, *online: bool) -> None:
            while line.receive("presence")["online"] != list(online):
                pass

        with ann.socket() as hers:
            hers.watch(table, 0)
            with bob.socket() as his:
                his.watch(table, 1)
                until(his, True, True)
                until(hers, True, True)
                away = one.call(lambda: one.services.tables.presence.away)
                known = one.call(lambda: one.services.tables.open(table))
                assert away(known, -1.0) == frozenset()
            until(hers, True, False)
            watchers = two.services.tables.presence
            two.call(lambda: watchers.read([table]))
            assert watchers.online(table) == {ann.id}
        wait_for(lambda: two.call(lambda: watchers.read([table])) or not watchers.online(table))


def test_a_dropped_token_is_worth_nothing_anywhere(workers: tuple[Running, Running]) -> None:
    one, two = workers
    with Guest(one, "Ann") as ann:
        made = ann.post("/api/tokens", {"label": "bot"}).json
        with Guest(two, None, {"authorization": f"Bearer {made['token']}"}) as program:
            assert program.get("/api/me").status == 200
            with program.socket(authorization=f"Bearer {made['token']}") as line:
                ann.http.delete(f"/api/tokens/{made['id']}")
                assert line.receive("gone")["reason"] == "dropped"
            wait_for(lambda: program.get("/api/me").status == 401)


def test_an_ended_session_is_worth_nothing_anywhere(workers: tuple[Running, Running]) -> None:
    one, two = workers
    with Guest(one, "Ann") as ann, same_person(ann, two) as elsewhere, another_browser(two, ann) as phone:
        with phone.socket(**browser_headers(phone)) as line, elsewhere.socket() as own:
            ann.post("/api/me/sessions/end_others", {})
            assert line.receive("gone")["reason"] == "signed_out"
            own.send(type="ping", t=1)
            own.receive("pong")
        wait_for(lambda: phone.get("/api/me").status == 401)
        assert elsewhere.get("/api/me").status == 200


def test_an_ended_session_is_found_out_without_any_hint(tmp_path: Path, postgres_url: str) -> None:
    def deaf(settings: Settings) -> Services:
        return Services(settings, open_store(settings.database), DatabaseTime())

    with (
        running(tmp_path, database=postgres_url, make_services=deaf) as one,
        running(tmp_path, database=postgres_url, make_services=deaf) as two,
        Guest(one, "Ann") as ann,
        another_browser(two, ann) as phone,
        phone.socket(**browser_headers(phone)) as line,
    ):
        assert phone.get("/api/me").status == 200
        ann.post("/api/me/sessions/end_others", {})
        assert line.receive("gone")["reason"] == "signed_out"
        assert phone.get("/api/me").status == 401


# --- The command ---


def refused(*arguments: str) -> str:
    """What `serve` says before it gives up."""
    result = CliRunner().invoke(app, ["serve", "--port", "0", *arguments])
    assert result.exit_code == 2
    assert len(result.output.strip().splitlines()) == 1, result.output
    return str(result.output)


def test_an_address_that_cannot_be_used_is_told_in_one_line(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    nowhere = f"postgresql://ann:hidden@/nowhere?host={postgres.folder}"
    said = refused("--database", nowhere)
    assert "does not exist" in said
    assert "hidden" not in said
    assert "cannot be reached" in refused("--database", "postgresql://127.0.0.1:1/none")
    assert "cannot be read" in refused("--database", "postgresql://a:b:c@[/")
    monkeypatch.setenv("REGALIA_DATABASE", nowhere)
    assert "does not exist" in refused()
    monkeypatch.setitem(sys.modules, "psycopg", None)
    monkeypatch.delitem(sys.modules, "regalia.server.store.postgres")
    assert 'pip install "regalia[postgres]"' in refused()
