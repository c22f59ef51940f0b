"""What an operator does beside the server: checks, copies and upgrades, on both databases."""

from __future__ import annotations

import json
import os
import shutil
import socket
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from postgres import Postgres
from regalia.server.settings import LOOPBACK, Settings
from regalia.server.store.migrate import HEAD
from regalia.server.transport.auth import address_of
from server.harness import Guest, running, wait_for


def regalia(*words: object, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "regalia.cli", *map(str, words)],
        env={**os.environ, "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", **variables},
        capture_output=True,
        text=True,
    )


def fill(folder: Path, database: Path | str) -> str:
    """A match that runs, and one that is over; returns the first one's table."""
    with running(folder, database=database) as server, Guest(server, "Ann") as ann:
        first = str(ann.new_table(seats=["human", "hotseat"])["table"]["id"])
        for _ in range(5):
            view = ann.table(first)
            seat = view["view"]["actors"][0]
            view = ann.table(first, seat=seat)
            ann.must("play", first, seat=seat, seq=view["seq"], action=view["view"]["actions"][0])
        over = ann.new_table(seats=["human", "hotseat"])["table"]["id"]
        ann.must("resign", over, seat=0)
    return first


def test_a_whole_database_is_checked_to_the_last_die(tmp_path: Path, database: Path | str) -> None:
    fill(tmp_path, database)
    done = regalia("check", "--json", REGALIA_DATABASE=str(database))
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["tables"] == 2
    assert report["events"] > 10
    assert report["draws"] >= 20
    assert report["mistakes"] == []


def test_what_is_damaged_is_named(tmp_path: Path) -> None:
    database = tmp_path / "test.sqlite3"
    table = fill(tmp_path, database)
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("DELETE FROM events WHERE table_id = ? AND seq = 6", (table,))
    done = regalia("check", "--database", database)
    assert done.returncode == 1
    assert table in done.stderr
    assert len(done.stderr.strip().splitlines()) == 2


@pytest.mark.parametrize("words", [["check"], ["migrate", "--check"], ["export", "-"]])
def test_a_database_that_is_not_there_is_told_in_one_line(words: list[str], tmp_path: Path) -> None:
    done = regalia(*words, "--database", tmp_path / "nothing.sqlite3")
    assert (done.returncode, len(done.stderr.strip().splitlines())) == (2, 1)
    gone = regalia(*words, "--database", "postgresql://ann:hush@127.0.0.1:1/none")
    assert (gone.returncode, len(gone.stderr.strip().splitlines())) == (2, 1)
    assert "hush" not in gone.stderr


def test_an_old_file_is_told_and_brought_up_to_date(tmp_path: Path) -> None:
    old = tmp_path / "old.sqlite3"
    with closing(sqlite3.connect(old)) as connection:
        connection.executescript((Path(__file__).parent / "golden" / "0.1.0.sql").read_text("utf-8"))
    told = regalia("migrate", "--check", "--database", old)
    assert (told.returncode, HEAD in told.stderr) == (1, True)
    assert regalia("migrate", "--database", old).returncode == 0
    assert regalia("migrate", "--check", "--database", old).returncode == 0
    assert regalia("check", "--database", old).returncode == 0


@pytest.mark.postgres
def test_an_empty_database_is_made_ready(postgres: Postgres) -> None:
    url = postgres.new_database("for-migrate")
    assert regalia("migrate", "--check", "--database", url).returncode == 1
    assert regalia("check", "--database", url).returncode == 2
    assert regalia("migrate", "--database", url).returncode == 0
    assert regalia("migrate", "--check", "--database", url).returncode == 0


@pytest.mark.postgres
def test_a_copy_of_postgresql_is_put_back_and_exported(
    tmp_path: Path, postgres: Postgres, postgres_url: str
) -> None:
    if shutil.which("pg_dump") is None:
        pytest.skip("there is no pg_dump")
    table = fill(tmp_path, postgres_url)
    copy = tmp_path / "copy"
    assert regalia("backup", copy, "--database", postgres_url).returncode == 0
    assert regalia("backup", copy, "--database", postgres_url).returncode == 2  # it is there already
    exported = regalia("export", "-", "--running", "--database", postgres_url).stdout.splitlines()
    assert {json.loads(line)["status"] for line in exported} == {"running", "ended"}
    assert regalia("restore", copy, "--database", postgres_url).returncode == 2  # so is the database
    with running(tmp_path, database=postgres_url) as server, Guest(server, "Bob") as bob:
        bob.must("chat", table, text="this will be gone")
        in_use = regalia("restore", copy, "--force", "--database", postgres_url)
        assert (in_use.returncode, len(in_use.stderr.strip().splitlines())) == (2, 1)
    before = json.loads(regalia("check", "--json", "--database", postgres_url).stdout)["events"]
    restored = regalia("restore", copy, "--force", "--database", postgres_url)
    assert restored.returncode == 0, restored.stderr
    assert json.loads(regalia("check", "--json", "--database", postgres_url).stdout)["events"] == before - 1


def test_after_a_restore_clients_are_told_to_drop_what_they_have(
    tmp_path: Path, database: Path | str
) -> None:
    if not isinstance(database, Path) and shutil.which("pg_dump") is None:
        pytest.skip("there is no pg_dump")
    fill(tmp_path, database)

    def epoch() -> int:
        with (
            running(tmp_path, database=database) as server,
            Guest(server, "Bob") as bob,
            bob.socket() as line,
        ):
            return int(line.welcome["epoch"])

    copy = tmp_path / "copy"
    assert epoch() == 0
    assert regalia("backup", copy, "--database", database).returncode == 0
    assert epoch() == 0
    assert regalia("restore", copy, "--force", "--database", database).returncode == 0
    first = epoch()
    assert first > 0
    assert epoch() == first


# --- Is it well? ---


def test_a_server_is_ready_when_its_games_are_loaded_and_it_can_write(tmp_path: Path) -> None:
    with running(tmp_path) as server, Guest(server, None) as nobody:
        assert nobody.get("/api/live").status == 200
        wait_for(lambda: nobody.get("/api/ready").status == 200, 120)
        heartbeat = server.services.heartbeat
        (tmp_path / "test.sqlite3").rename(tmp_path / "gone.sqlite3")
        heartbeat._beat_at = None  # as if it were long ago
        assert nobody.get("/api/ready").status == 503
        assert nobody.get("/api/live").status == 200
        (tmp_path / "gone.sqlite3").rename(tmp_path / "test.sqlite3")
        assert nobody.get("/api/ready").status == 200
        server.services.is_stopping = True
        assert nobody.get("/api/ready").status == 503


def test_the_operator_asks_one_process_and_lets_it_get_no_new_visitors(tmp_path: Path) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as probe:
        port = probe.getsockname()[1]
    address = f"127.0.0.1:{port}"
    with running(tmp_path, admin=address) as server, Guest(server, None) as nobody:
        wait_for(lambda: nobody.get("/api/ready").status == 200, 120)
        with Guest(f"http://{address}", None) as operator:
            figures = operator.get("/metrics").text
            assert f'regalia_sockets{{worker="{server.services.worker}"}} 0' in figures
            assert f'{{worker="{server.services.worker}",route="GET /api/ready",status="200"}} 1' in figures
            assert operator.get("/live").json["draining"] is False
            assert operator.get("/nothing").status == 404
        told = regalia("admin", "drain", REGALIA_ADMIN=address)
        assert told.returncode == 0, told.stderr
        assert server.services.worker in told.stdout
        assert nobody.get("/api/ready").status == 503
        assert nobody.get("/api/games").status == 200
        assert regalia("admin", "drain", "--resume", REGALIA_ADMIN=address).returncode == 0
        assert nobody.get("/api/ready").status == 200
    gone = regalia("admin", "drain", REGALIA_ADMIN=address)
    assert (gone.returncode, len(gone.stderr.strip().splitlines())) == (2, 1)


def test_the_operator_sees_processes_and_tables(tmp_path: Path, database: Path | str) -> None:
    fill(tmp_path, database)
    with running(tmp_path, database=database) as server:
        shown = regalia("admin", "workers", REGALIA_DATABASE=str(database)).stdout
        line = next(line for line in shown.splitlines() if server.services.worker in line)
        assert "serving" in line
    counted = regalia("admin", "tables", REGALIA_DATABASE=str(database)).stdout.split()
    assert counted == ["rose_king", "ended", "1", "rose_king", "running", "1"]


# --- Who is believed ---


@pytest.mark.parametrize(
    "client, header, proxies, address",
    [
        ("203.0.113.9", "198.51.100.7", (), "203.0.113.9"),
        ("203.0.113.9", "198.51.100.7", LOOPBACK, "203.0.113.9"),  # who is no proxy says what they like
        ("127.0.0.1", "198.51.100.7", LOOPBACK, "198.51.100.7"),
        ("127.0.0.1", "", LOOPBACK, "127.0.0.1"),
        ("127.0.0.1", "1.2.3.4, 198.51.100.7", LOOPBACK, "198.51.100.7"),  # only the last hop is known
        (
            "10.0.0.5",
            "198.51.100.7, 10.0.0.6",
            ("10.0.0.0/8",),
            "198.51.100.7",
        ),  # through two proxies of ours
        ("::ffff:10.0.0.5", "198.51.100.7", ("10.0.0.0/8",), "198.51.100.7"),
        ("127.0.0.1", "nonsense", LOOPBACK, "nonsense"),
    ],
)
def test_only_proxies_that_are_named_say_where_somebody_comes_from(
    client: str, header: str, proxies: tuple[str, ...], address: str
) -> None:
    settings = Settings(Path("nowhere"), proxies=proxies)
    assert address_of({"client": (client, 1)}, {"x-forwarded-for": header}, settings) == address
