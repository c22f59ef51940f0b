"""The part of `kill_test.py` for several workers: real processes on PostgreSQL, and what is done to them.

kill         SIGKILL of a random worker
stop         SIGSTOP of a random worker for some seconds, and then awake again: it does not know what it has missed
restart      the database is stopped at once and started
terminate    the database ends every connection
renew        SIGHUP of a parent: all its workers are replaced, one after the other
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import psycopg

from postgres import Postgres
from regalia.server.model.events import StoredEvent

TERMINATE = """SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()"""


class Parent:
    """`regalia serve --workers N` on an address of its own."""

    def __init__(self, database: str, workers: int, host: str, log: Path) -> None:
        with closing(socket.create_server((host, 0))) as probe:
            self.port: int = probe.getsockname()[1]
        self.host = host
        words = ["serve", "--host", host, "--port", str(self.port), "--workers", str(workers)]
        words += ["--no-browser", "--no-limits", "--bot-pause", "0"]
        with log.open("a") as errors:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "regalia.cli", *words],
                env={**os.environ, "REGALIA_DATABASE": database},
                stdout=subprocess.DEVNULL,
                stderr=errors,
            )
        self.workers = workers

    def children(self) -> list[int]:
        """The workers that are alive."""
        pid = self.process.pid
        listed = Path(f"/proc/{pid}/task/{pid}/children").read_text("utf-8")
        return [child for child in map(int, listed.split()) if b"spawn_main" in command_of(child)]

    def is_up(self) -> bool:
        try:
            with urllib.request.urlopen(f"http://{self.host}:{self.port}/api/health", timeout=5):
                return len(self.children()) == self.workers
        except OSError:
            return False

    def end(self, how: signal.Signals) -> int:
        self.process.send_signal(how)
        return self.process.wait(60)


def command_of(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


class Proxy:
    """Spreads connections over several addresses, as any proxy does that knows nothing of what is said."""

    def __init__(self, parents: list[Parent]) -> None:
        self._parents = parents
        self._next = 0
        self._server: asyncio.Server | None = None
        self.port = 0

    async def start(self) -> None:
        self._server = await asyncio.start_server(self._pass_on, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        if self._server is not None:
            self._server.close()

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._next += 1
        parent = self._parents[self._next % len(self._parents)]
        try:
            far_reader, far_writer = await asyncio.open_connection(parent.host, parent.port)
        except OSError:
            writer.close()
            return
        await asyncio.gather(pump(reader, far_writer), pump(far_reader, writer))


async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    except OSError:
        pass
    finally:
        writer.close()


class Cluster:
    """One database, one parent or several behind a proxy, and faults by name. Clients know `port` alone."""

    def __init__(self, database: str, own: Postgres | None, workers: int, hosts: int, folder: Path) -> None:
        self.database = database
        self._own = own
        addresses = [f"127.0.0.{number + 1}" for number in range(hosts)]
        self.parents = [Parent(database, workers, host, folder / "log") for host in addresses]
        self._proxy = Proxy(self.parents) if hosts > 1 else None
        self._tasks: list[asyncio.Task[None]] = []
        self.port = self.parents[0].port

    async def start(self) -> None:
        while not all([await asyncio.to_thread(parent.is_up) for parent in self.parents]):
            assert all(parent.process.poll() is None for parent in self.parents), "a parent gave up"
            await asyncio.sleep(0.1)
        if self._proxy is not None:
            await self._proxy.start()
            self.port = self._proxy.port

    async def do(self, fault: str, rng: random.Random, stopped_s: float) -> None:
        if fault == "renew":
            await self._renew(rng.choice(self.parents))
        elif fault in ("kill", "stop"):
            await self._hit(rng, fault, stopped_s)
        elif fault == "restart":
            assert self._own is not None, "another's database is not restarted"
            await asyncio.to_thread(self._own.stop, "immediate")
            await asyncio.to_thread(self._own.start)
        else:
            await asyncio.to_thread(self._terminate)

    async def _hit(self, rng: random.Random, fault: str, stopped_s: float) -> None:
        children = [pid for parent in self.parents for pid in parent.children()]
        if not children:
            return
        pid = rng.choice(children)
        if fault == "kill":
            send(pid, signal.SIGKILL)
        else:
            send(pid, signal.SIGSTOP)
            self._tasks.append(asyncio.ensure_future(self._wake(pid, stopped_s)))

    async def _wake(self, pid: int, seconds: float) -> None:
        await asyncio.sleep(seconds)
        send(pid, signal.SIGCONT)

    async def _renew(self, parent: Parent) -> None:
        before = set(parent.children())
        parent.process.send_signal(signal.SIGHUP)
        while before & set(parent.children()) or len(parent.children()) != parent.workers:
            assert parent.process.poll() is None, "the parent gave up"
            await asyncio.sleep(0.05)

    def _terminate(self) -> None:
        with psycopg.connect(self.database, autocommit=True) as connection:
            connection.execute(TERMINATE)

    async def stop(self) -> list[int]:
        """In good order; the exit codes."""
        await asyncio.gather(*self._tasks)
        if self._proxy is not None:
            await self._proxy.stop()
        return [await asyncio.to_thread(parent.end, signal.SIGTERM) for parent in self.parents]

    def close(self) -> None:
        for parent in self.parents:
            if parent.process.poll() is None:
                parent.end(signal.SIGKILL)


def send(pid: int, what: signal.Signals) -> None:
    with suppress(ProcessLookupError):  # it is gone already
        os.kill(pid, what)


def logs(database: str) -> dict[str, list[StoredEvent]]:
    stored: dict[str, list[StoredEvent]] = {}
    with psycopg.connect(database) as connection:
        rows = connection.execute("SELECT * FROM events ORDER BY table_id, seq")
        columns = [column.name for column in rows.description or ()]
        for row in rows:
            event = StoredEvent(**dict(zip(columns, row, strict=True)))
            stored.setdefault(event.table_id, []).append(event)
        heads: dict[str, int] = dict(connection.execute("SELECT id, seq FROM tables").fetchall())
    for name, log in stored.items():
        assert heads[name] == log[-1].seq, f"{name}: its row says {heads[name]}, its log {log[-1].seq}"
    return stored


async def visit(port: int, stop: asyncio.Event, failures: list[str], count: list[int]) -> None:
    """Open one connection after the other: none may fail while workers are renewed."""

    def once() -> None:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/games", timeout=30) as reply:
            reply.read()

    while not stop.is_set():
        try:
            await asyncio.to_thread(once)
        except OSError as error:
            failures.append(repr(error))
        count[0] += 1


Work = Callable[[asyncio.Event], Any]


async def torment(
    cluster: Cluster,
    faults: list[str],
    rng: random.Random,
    stopped_s: float,
    make_clients: Callable[[int], list[Work]],
    is_well: Callable[[float], bool],
) -> dict[str, Any]:
    """Let clients play while these faults happen, one after the other; between two something was acknowledged."""
    await cluster.start()
    stop = asyncio.Event()
    work = [asyncio.ensure_future(run(stop)) for run in await asyncio.to_thread(make_clients, cluster.port)]
    failures: list[str] = []
    visits = [0]
    if set(faults) == {"renew"}:
        work.append(asyncio.ensure_future(visit(cluster.port, stop, failures, visits)))
    for number, fault in enumerate(faults, 1):
        await asyncio.sleep(rng.uniform(0.1, 1.2))
        hit_at = time.monotonic()
        await cluster.do(fault, rng, stopped_s)
        while not is_well(hit_at):
            assert not any(task.done() for task in work), [task for task in work if task.done()]
            await asyncio.sleep(0.01)
        if sys.stderr.isatty() or number % 50 == 0:
            print(f"{number} faults", file=sys.stderr)
    stop.set()
    await asyncio.gather(*work)
    codes = await cluster.stop()
    assert codes == [0] * len(codes), f"the graceful stop failed: {codes}"
    return {"connections": visits[0], "failed_connections": len(failures)}
