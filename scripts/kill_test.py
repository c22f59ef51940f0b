"""Plays many matches over sockets while the server is killed (SIGKILL) again and again, then reads the log.

python scripts/kill_test.py --kills 1000 --tables 12 --seed 1
python scripts/kill_test.py --workers 2 --kills 1000 --stops 200 --restarts 50 --terminations 50
python scripts/kill_test.py --workers 2 --hosts 2 --kills 20          two parents behind a proxy
python scripts/kill_test.py --workers 2 --renewals 5                  rolling restart under load
python scripts/kill_test.py --workers 2 --database postgresql://…     in a database that is there, and empty

It checks that every acknowledged action stands in the log exactly once and under the number that was told, that
the numbers have no gaps, that the order was kept, and that every view a player got is the one replay gives.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import os
import random
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import closing, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage

from kill_workers import Cluster, torment
from kill_workers import logs as worker_logs
from postgres import Postgres
from regalia import GAMES
from regalia.server.model import events as ev
from regalia.server.model import views
from regalia.server.model.events import StoredEvent
from regalia.server.model.table import Table
from regalia.server.ports import SystemTime, read_time
from regalia.server.runtime.loader import warm
from regalia.server.store.whole import read_log

LOST = (ConnectionClosed, InvalidHandshake, InvalidMessage, OSError, TimeoutError, EOFError)


@dataclass
class Journal:
    """What the clients saw: acknowledged commands, and a digest of every view."""

    acks: list[tuple[str, int, str, str, int]] = field(default_factory=list)  # table, seat, id, action, seq
    views: dict[tuple[str, int | None, int], str] = field(default_factory=dict)  # table, seat, seq
    mistakes: list[str] = field(default_factory=list)
    repeats: int = 0
    recoveries: list[float] = field(default_factory=list)
    killed_at: float | None = None
    acked_at: float = 0.0
    pauses: list[float] = field(default_factory=list)  # between two acknowledgements of a client

    def acknowledged(self, table: str, seat: int, name: str, action: str, seq: int) -> None:
        self.acks.append((table, seat, name, action, seq))
        self.acked_at = time.monotonic()

    def recovered(self, line_began: float) -> None:
        """An answer on a line that began after the kill; one on an older line is the dead server's last word."""
        if self.killed_at is not None and line_began > self.killed_at:
            self.recoveries.append(time.monotonic() - self.killed_at)
            self.killed_at = None

    def seen(self, table: str, update: dict[str, Any]) -> None:
        key = (table, update["seat"], update["seq"])
        mark = digest(update["view"])
        if self.views.setdefault(key, mark) != mark:
            self.mistakes.append(f"two different views of {key}")


def digest(view: object) -> str:
    return hashlib.sha256(json.dumps(view, sort_keys=True).encode()).hexdigest()


class Process:
    """The server as a process of its own, forked off one that has everything loaded: many kills are cheap.

    (How long a whole start takes is the bench's matter: `recovery_s`.)
    """

    def __init__(self, database: Path) -> None:
        self.database = database
        with closing(socket.create_server(("127.0.0.1", 0))) as probe:
            self.port: int = probe.getsockname()[1]
        command = [sys.executable, __file__, "--nursery", str(self.port), str(database)]
        self.nursery = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.pid: int | None = None

    def _ask(self, word: str) -> int:
        assert self.nursery.stdin is not None
        assert self.nursery.stdout is not None
        self.nursery.stdin.write(word + "\n")
        self.nursery.stdin.flush()
        return int(self.nursery.stdout.readline())

    def start(self) -> None:
        self.pid = self._ask("start")

    def wait_until_up(self) -> None:
        while True:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/api/health", timeout=5):
                    return
            except OSError:
                time.sleep(0.02)

    def end(self, how: signal.Signals) -> int:
        """Returns the exit code; minus the signal if that ended it."""
        assert self.pid is not None
        os.kill(self.pid, how)
        self.pid = None
        return self._ask("wait")

    def close(self) -> None:
        if self.pid is not None:
            self.end(signal.SIGKILL)
        assert self.nursery.stdin is not None
        self.nursery.stdin.close()
        self.nursery.wait(10)
        assert self.nursery.stdout is not None
        self.nursery.stdout.close()


def nursery(port: int, database: Path) -> None:
    """Load everything once, then fork a server at each `start`; `wait` tells how it ended."""
    from regalia.cli.commands.serve import serve
    from regalia.server.transport import run as _loaded

    for game in GAMES.values():
        warm(game)
    child = 0
    for line in sys.stdin:
        if line.strip() == "wait":
            print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
            continue
        child = os.fork()
        if child == 0:
            os.dup2(os.open(os.devnull, os.O_RDWR), 0)
            os.dup2(0, 1)
            serve(port=port, database=str(database), browser=False, bot_pause=0.0, no_limits=True)
            os._exit(0)
        print(child, flush=True)
    del _loaded


class Client:
    """One player with all seats of one table, and as many matches as time allows."""

    def __init__(self, server: Process | Cluster, journal: Journal, rng: random.Random, cookie: str) -> None:
        self.server = server
        self.journal = journal
        self.rng = rng
        self.cookie = cookie
        self.tables = 0
        self.acked_at: float | None = None

    async def run(self, stop: asyncio.Event) -> None:
        while not stop.is_set():
            name = await self.until_done(self.new_table, stop)
            if name is not None:
                await self.play(name, stop)

    async def until_done(self, work: Any, stop: asyncio.Event) -> Any:
        """Try until the server is there."""
        while not stop.is_set():
            try:
                return await asyncio.to_thread(work)
            except OSError:
                await asyncio.sleep(0.05)
        return None

    def new_table(self) -> str:
        game = GAMES[self.rng.choice(sorted(GAMES))]
        seats = self.rng.choice(game.seats)
        plan = [{"kind": "human"}, *({"kind": "hotseat"} for _ in range(seats - 1))]
        if self.rng.random() < 0.3:
            plan[-1] = {"kind": "bot", "bot": "random"}
        self.tables += 1
        body = {"game": game.id, "seats": plan, "id": f"made-{self.rng.getrandbits(60):x}"}
        name = str(self.post("/api/tables", body)["table"]["id"])
        seed = {"type": "seed", "table": name, "id": f"seed-{self.rng.getrandbits(60):x}", "seed": "5eed" * 8}
        self.post(f"/api/tables/{name}/commands", seed)
        return name

    def post(self, path: str, body: object) -> Any:
        """Again and again, until the server has answered."""
        while True:
            try:
                return post(self.server.port, path, body, self.cookie)[0]
            except OSError:
                time.sleep(0.05)

    async def play(self, table: str, stop: asyncio.Event) -> None:
        pending: dict[str, Any] | None = None  # sent, and not yet answered
        while not stop.is_set():
            try:
                began = time.monotonic()
                async with connect(
                    f"ws://127.0.0.1:{self.server.port}/ws",
                    additional_headers={"cookie": self.cookie},
                    open_timeout=10,
                    max_size=None,
                ) as line:
                    while not stop.is_set():
                        if pending is None:
                            pending = await self.next_command(line, table)
                            if pending is None:
                                return
                        else:
                            self.journal.repeats += 1
                        await line.send(json.dumps(pending))
                        await self.answered(line, table, pending, began)
                        pending = None
            except LOST:
                await asyncio.sleep(0.02)

    async def next_command(self, line: ClientConnection, table: str) -> dict[str, Any] | None:
        """Look from the seat that is due, and choose; None when the match is over."""
        seat: int | None = 0
        while True:
            await line.send(json.dumps({"type": "watch", "table": table, "seat": seat}))
            update = await self.receive(line, table, "update")
            if update["type"] == "refused":  # the database is away: look again
                await asyncio.sleep(0.1)
                continue
            if update["seat"] != seat:
                continue
            if update["table"]["status"] != "running":
                return None
            mine = {facts["seat"] for facts in update["table"]["seats"] if facts["is_yours"]}
            due = [actor for actor in update["view"]["actors"] if actor in mine]
            if not due:  # a bot's turn: its action comes by itself
                await self.receive(line, table, "update")
            elif seat in due:
                name = f"cmd-{self.rng.getrandbits(80):x}"
                action = self.rng.choice(update["view"]["actions"])
                ply = update["view"]["ply"]
                return {
                    "type": "play",
                    "table": table,
                    "id": name,
                    "seat": seat,
                    "ply": ply,
                    "action": action,
                }
            else:
                seat = due[0]

    async def receive(self, line: ClientConnection, table: str, kind: str) -> dict[str, Any]:
        while True:
            message: dict[str, Any] = json.loads(await asyncio.wait_for(line.recv(), 20))
            if message["type"] == "update":
                self.journal.seen(table, message)
            if message["type"] in (kind, "refused"):
                if message["type"] == "refused" and message["code"] not in ("storage", "stale"):
                    self.journal.mistakes.append(f"{table}: refused {message['code']}: {message['text']}")
                return message

    async def answered(
        self, line: ClientConnection, table: str, sent: dict[str, Any], line_began: float
    ) -> None:
        answer = await self.receive(line, table, "ack")
        if answer["type"] == "ack":
            self.journal.acknowledged(table, sent["seat"], sent["id"], sent["action"], answer["seq"])
            self.journal.recovered(line_began)
            now = time.monotonic()
            if self.acked_at is not None:
                self.journal.pauses.append(now - self.acked_at)
            self.acked_at = now


def post(port: int, path: str, body: object, cookie: str) -> tuple[Any, str]:
    """The reply and the cookie it sets."""
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}{path}",
        json.dumps(body).encode(),
        {"content-type": "application/json", "cookie": cookie},
    )
    with urllib.request.urlopen(request, timeout=30) as reply:  # noqa: S310 - as above
        return json.load(reply), (reply.headers.get("set-cookie") or "").partition(";")[0]


async def drive(server: Process, journal: Journal, kills: int, tables: int, seed: int) -> None:
    rng = random.Random(seed)
    server.start()
    await asyncio.to_thread(server.wait_until_up)
    stop = asyncio.Event()
    clients = []
    for number in range(tables):
        cookie = (await asyncio.to_thread(post, server.port, "/api/guest", {"name": f"P{number}"}, ""))[1]
        clients.append(Client(server, journal, random.Random(rng.getrandbits(64)), cookie))
    work = [asyncio.ensure_future(client.run(stop)) for client in clients]
    for number in range(kills):
        await asyncio.sleep(rng.uniform(0.05, 1.2))
        while journal.killed_at is not None:  # at least one action per life
            assert not any(task.done() for task in work), "a client gave up"
            await asyncio.sleep(0.005)
        server.end(signal.SIGKILL)
        journal.killed_at = time.monotonic()
        server.start()
        if sys.stderr.isatty() or (number + 1) % 50 == 0:
            print(f"{number + 1} kills, {len(journal.acks)} acknowledged", file=sys.stderr)
    while journal.killed_at is not None:  # noqa: ASYNC110 - a wait of a script
        await asyncio.sleep(0.01)
    stop.set()
    await asyncio.gather(*work)
    assert server.end(signal.SIGTERM) == 0, "the graceful stop failed"


# --- The checker ---


def logs(database: Path) -> Iterator[tuple[str, list[StoredEvent]]]:
    with closing(sqlite3.connect(database)) as connection:
        for (name,) in connection.execute("SELECT id FROM tables ORDER BY id").fetchall():
            yield name, read_log(connection, name)


def check(stored: dict[str, list[StoredEvent]], journal: Journal, most_views: int) -> dict[str, int]:
    """Raises AssertionError with the first thing that is wrong."""
    assert not journal.mistakes, journal.mistakes[:5]
    events = sum(map(len, stored.values()))
    for name, log in stored.items():
        assert [line.seq for line in log] == list(range(len(log))), f"{name}: gaps"
    last: dict[str, int] = {}
    for table, seat, command, action, seq in journal.acks:
        lines = [line for line in stored[table] if line.command == command]
        assert len(lines) == 1, f"{table}: {command} stands {len(lines)} times in the log"
        event = ev.read(lines[0].body)
        assert isinstance(event, ev.Played)
        assert event.seat == seat, f"{table}: {command} is of seat {event.seat}, not {seat}"
        assert lines[0].seq == seq, f"{table}: {command} under another number"
        assert event.action == action, f"{table}: {command} is {event.action}, not {action}"
        assert seq > last.get(table, -1), f"{table}: {command} out of order"
        last[table] = seq
    compared = 0
    for name, log in stored.items():
        wanted = [key for key in journal.views if key[0] == name]
        for key in random.Random(name).sample(wanted, min(len(wanted), most_views)):
            then = Table.read(name, log[: key[2] + 1], read_time(SystemTime()))
            view = json.loads(views.position(then, key[1]))
            assert digest(view) == journal.views[key], f"another view at {key}"
            compared += 1
    return {"matches": len(stored), "events": events, "views": compared}


def run(kills: int, tables: int, seed: int, folder: Path, most_views: int = 20) -> dict[str, Any]:
    journal = Journal()
    server = Process(folder / "killed.sqlite3")
    began = time.monotonic()
    try:
        asyncio.run(drive(server, journal, kills, tables, seed))
    finally:
        server.close()
    figures = check(dict(logs(server.database)), journal, most_views)
    times = sorted(journal.recoveries)
    return {
        "kills": kills,
        "seconds": round(time.monotonic() - began, 1),
        "acknowledged": len(journal.acks),
        "sent_again": journal.repeats,
        **figures,
        "recovery_median_s": round(times[len(times) // 2], 2),
        "recovery_worst_s": round(times[-1], 2),
    }


def run_workers(
    faults: dict[str, int],
    tables: int,
    seed: int,
    folder: Path,
    workers: int = 2,
    hosts: int = 1,
    stopped_s: float = 10.0,
    database: str | None = None,
) -> dict[str, Any]:
    """Several workers on PostgreSQL, by default on one that is started for this."""
    for game in GAMES.values():  # else the workers would play as plain Python for a while
        warm(game)
    rng, journal, began = random.Random(seed), Journal(), time.monotonic()
    order = [fault for fault, count in faults.items() for _ in range(count)]
    rng.shuffle(order)
    with Postgres() if database is None else nullcontext() as own:
        url = database if own is None else own.new_database("killed")
        assert url is not None
        cluster = Cluster(url, own, workers, hosts, folder)

        def make_clients(port: int) -> list[Any]:
            cookies = [post(port, "/api/guest", {"name": f"P{number}"}, "")[1] for number in range(tables)]
            return [
                Client(cluster, journal, random.Random(rng.getrandbits(64)), cookie).run for cookie in cookies
            ]

        def is_well(hit_at: float) -> bool:
            return journal.acked_at > hit_at

        try:
            counts = asyncio.run(torment(cluster, order, rng, stopped_s, make_clients, is_well))
        finally:
            cluster.close()
        figures = check(worker_logs(url), journal, 5)
    pauses = sorted(journal.pauses)
    return {
        **faults,
        "seconds": round(time.monotonic() - began, 1),
        "acknowledged": len(journal.acks),
        "sent_again": journal.repeats,
        **figures,
        **counts,
        "pause_p99_s": round(pauses[len(pauses) * 99 // 100], 2),
        "pause_worst_s": round(pauses[-1], 2),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--tables", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1, help="more than one: on PostgreSQL")
    parser.add_argument("--hosts", type=int, default=1, help="so many parents behind a proxy")
    parser.add_argument("--database", help="postgresql://…, empty; by default one is started")
    parser.add_argument("--stops", type=int, default=0, help="workers that are stopped for 10 s and go on")
    parser.add_argument("--restarts", type=int, default=0, help="of PostgreSQL")
    parser.add_argument("--terminations", type=int, default=0, help="of all connections to PostgreSQL")
    parser.add_argument("--renewals", type=int, default=0, help="of all workers; alone: nothing else happens")
    parser.add_argument("--nursery", nargs=2, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.nursery:
        nursery(int(arguments.nursery[0]), Path(arguments.nursery[1]))
        return 0
    with tempfile.TemporaryDirectory() as folder:
        if arguments.workers > 1:
            faults = {
                "kill": 0 if arguments.renewals else arguments.kills,
                "stop": arguments.stops,
                "restart": arguments.restarts,
                "terminate": arguments.terminations,
                "renew": arguments.renewals,
            }
            figures = run_workers(
                {fault: count for fault, count in faults.items() if count},
                arguments.tables,
                arguments.seed,
                Path(folder),
                arguments.workers,
                arguments.hosts,
                database=arguments.database,
            )
            print(json.dumps(figures))
            return 0
        figures = run(arguments.kills, arguments.tables, arguments.seed, Path(folder))
    print(json.dumps(figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
