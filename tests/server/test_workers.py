"""`regalia serve --workers 2`: real processes behind one port, killed, renewed and stopped."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from postgres import Postgres
from regalia import GAMES
from regalia.server.runtime.loader import warm
from regalia.server.transport.run import GOODBYE_S, GRACE_S
from regalia.server.transport.supervisor import PATIENCE_S
from server.harness import SEED, Guest, wait_for

pytestmark = [pytest.mark.postgres, pytest.mark.slow]


class Parent:
    """The command, as somebody starts it."""

    def __init__(self, database: str, folder: Path, *options: str) -> None:
        words = ["serve", "--port", "0", "--no-browser", "--no-limits", "--bot-pause", "0", "--log", "info"]
        words += ["--patience", "60"]  # a busy machine ends nobody
        self._log = folder / "log"
        with self._log.open("w") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "regalia.cli", *words, *options],
                env={**os.environ, "REGALIA_DATABASE": database, "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"},
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        assert self.process.stdout is not None
        self.said = [self.process.stdout.readline() for _ in range(4)]
        self.base = self.said[0].split()[-1].rstrip("/")
        self.name = database.partition("@/")[2].partition("?")[0]  # of the database

    def children(self) -> set[int]:
        """The processes that serve: multiprocessing keeps one more, for what they share."""
        listed = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text("utf-8")
        return {pid for pid in map(int, listed.split()) if b"spawn_main" in command_of(pid)}

    def logged(self, what: str) -> list[dict[str, Any]]:
        """The facts of each such line of its log."""
        lines = [
            json.loads(line) for line in self._log.read_text("utf-8").splitlines() if line.startswith("{")
        ]
        return [line for line in lines if what in line.values()]

    def end(self, how: signal.Signals) -> int:
        """The exit code."""
        self.process.send_signal(how)
        code = self.process.wait(60)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return code


def command_of(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


@pytest.fixture
def parent(postgres_url: str, tmp_path: Path) -> Iterator[Parent]:
    if not Path("/proc/self/task").is_dir():
        pytest.skip("children are counted by /proc")
    for game in GAMES.values():
        warm(game)  # so that the processes find everything compiled
    started = Parent(postgres_url, tmp_path, "--workers", "2")
    yield started
    if started.process.poll() is None:
        started.end(signal.SIGKILL)


class Visitor:
    """Opens one connection after the other, and counts those that failed."""

    def __init__(self, base: str) -> None:
        self.base = base
        self.visits = 0
        self.failures: list[str] = []
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def _run(self) -> None:
        while not self._is_over.is_set():
            try:
                with Guest(self.base, None) as nobody:
                    assert nobody.get("/api/games").status == 200
            except Exception as error:  # whatever it is
                self.failures.append(repr(error))
            self.visits += 1

    def __enter__(self) -> Visitor:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._thread.join(30)


def test_a_worker_that_dies_is_replaced_and_nothing_acknowledged_is_lost(
    parent: Parent, postgres: Postgres
) -> None:
    assert "2 processes" in parent.said[2]
    wait_for(lambda: beaten(postgres, parent.name) == 2, 120)
    first = parent.children()
    with Guest(parent.base, "Ann") as ann:
        talk = Talk(ann)
        talk.go_on()
        os.kill(min(first), signal.SIGKILL)
        wait_for(lambda: len(parent.children()) == 2 and min(first) not in parent.children(), 60)
        talk.go_on()
        assert talk.in_log(postgres, parent.name) == talk.sent
        wait_for(lambda: beaten(postgres, parent.name) == 3, 120)
    assert parent.end(signal.SIGTERM) == 0
    rows = postgres.execute("SELECT is_leaving FROM workers", parent.name)
    assert sorted(rows) == [(False,), (True,), (True,)]  # the two that were left have said goodbye


def test_workers_that_are_told_to_stop_leave_by_themselves_whatever_clients_do(
    parent: Parent, postgres: Postgres
) -> None:
    """What they wait for is less than the parent's patience, and that is less than 5 seconds. Here it has more: that
    none was ended then shows that nothing but work holds them up."""
    assert GOODBYE_S + GRACE_S < PATIENCE_S - 2 < 3
    wait_for(lambda: beaten(postgres, parent.name) == 2, 120)
    port = int(parent.base.rpartition(":")[2])
    with Guest(parent.base, "Ann") as ann, ExitStack() as opened:
        table = ann.new_table(seats=["human", "hotseat"])["table"]["id"]
        lines = [opened.enter_context(ann.socket()) for _ in range(4)]
        for line in lines:
            line.watch(table, 0)
        lines[0].send(type="chat", table=table, id="under-way-1", seat=0, text="now")
        for _ in range(4):  # a request whose body never ends
            slow = opened.enter_context(socket.create_connection(("127.0.0.1", port)))
            slow.sendall(b"POST /api/guest HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 99\r\n\r\n{")
        assert parent.end(signal.SIGTERM) == 0
        for line in lines[1:]:
            assert line.receive("gone")["reason"] == "stop"
    left = parent.logged("worker left")
    assert [line["code"] for line in left] == [0, 0], left
    assert postgres.execute("SELECT is_leaving FROM workers", parent.name) == [(True,), (True,)]


@pytest.mark.long
def test_all_workers_are_renewed_while_people_come_and_go(parent: Parent, postgres: Postgres) -> None:
    wait_for(lambda: beaten(postgres, parent.name) == 2, 120)
    before = parent.children()
    with Guest(parent.base, "Ann") as ann:
        talk = Talk(ann)
        with Visitor(parent.base) as visitor:
            parent.process.send_signal(signal.SIGHUP)
            while len(parent.children()) != 2 or before & parent.children():
                talk.go_on()
            talk.go_on()
        assert visitor.failures == []
        assert visitor.visits > 0
        assert talk.in_log(postgres, parent.name) == talk.sent


class Talk:
    """Somebody says one thing after the other, and sends it again with the same id until it is acknowledged."""

    def __init__(self, guest: Guest) -> None:
        self.guest = guest
        self.table = guest.new_table(seats=["human", "hotseat"])["table"]["id"]
        self.sent: list[str] = []

    def go_on(self) -> None:
        self.sent.append(f"said-{len(self.sent):04}")
        wait_for(self._is_answered, 60)

    def _is_answered(self) -> bool:
        try:
            reply = self.guest.do("chat", self.table, id=self.sent[-1], seat=0, text=SEED)
        except Exception:  # its worker died
            return False
        if reply.status == 409:  # the table has heard enough
            self.table = self.guest.new_table(seats=["human", "hotseat"])["table"]["id"]
        return reply.status == 200

    def in_log(self, postgres: Postgres, database: str) -> list[str]:
        log = postgres.execute(
            "SELECT command FROM events WHERE command LIKE 'said%' ORDER BY command", database
        )
        return [command for (command,) in log]


def beaten(postgres: Postgres, name: str) -> int:
    """How many workers have given a sign of life since the beginning."""
    return int(postgres.execute("SELECT count(*) FROM workers", name)[0][0])


def test_children_leave_when_their_parent_is_gone(parent: Parent) -> None:
    children = wait_for(lambda: len(parent.children()) == 2 and parent.children(), 60)
    with Guest(parent.base, None) as nobody:
        wait_for(lambda: nobody.get("/api/health").status == 200, 60)
    wait_for(lambda: parent.children() == children)
    parent.end(signal.SIGKILL)
    wait_for(lambda: not any(b"spawn_main" in command_of(child) for child in children), 60)


def test_several_workers_need_postgresql(tmp_path: Path) -> None:
    words = ["serve", "--workers", "2", "--database", str(tmp_path / "x.sqlite3")]
    done = subprocess.run(
        [sys.executable, "-m", "regalia.cli", *words],
        env={**os.environ, "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "postgresql://" in done.stderr
    assert not (tmp_path / "x.sqlite3").exists()
