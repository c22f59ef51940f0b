"""The server under load: a process of its own on one core, the client on another."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
import os
import random
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any
from uuid import uuid4

from websockets.asyncio.client import ClientConnection, connect

from regalia.bench.rows import Row

TABLES = 8  # matches played at once; five listen to each: both players and three spectators
LOAD_S = 8.0
OPEN_MATCHES = 10_000
IDLE_SOCKETS = 2_000
AT_ONCE = 20
MOST_P99_MS = 100.0


class Server:
    """`regalia serve` without limits, on the first core (where the system allows that) or on all of them."""

    def __init__(self, database: Path, has_one_core: bool = True, **environment: str) -> None:
        with contextlib.closing(socket.create_server(("127.0.0.1", 0))) as probe:
            self.port: int = probe.getsockname()[1]
        self.database = database
        self.has_one_core = has_one_core
        inherited = {name: value for name, value in os.environ.items() if name != "REGALIA_DATABASE"}
        self.environment = {**inherited, **environment}
        self.start()

    def start(self) -> None:
        command = [
            sys.executable,
            "-m",
            "regalia.cli",
            "serve",
            "--no-browser",
            "--no-limits",
            "--bot-pause",
            "0",
        ]
        place = ["--port", str(self.port)]
        if "REGALIA_DATABASE" not in self.environment:
            place += ["--database", str(self.database)]
        self.process = subprocess.Popen([*command, *place], env=self.environment, stdout=subprocess.DEVNULL)
        cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
        if self.has_one_core and len(cores) > 1:
            os.sched_setaffinity(self.process.pid, {cores[0]})

    def wait(self) -> None:
        while True:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/api/health", timeout=30):
                    return
            except OSError:
                if self.process.poll() is not None:
                    raise
                time.sleep(0.01)

    def resident_mb(self) -> float:
        status = Path(f"/proc/{self.process.pid}/status").read_text("utf-8")
        return int(status.partition("VmRSS:")[2].split()[0]) / 1024

    def family_mb(self) -> float:
        """Of all processes, the parent among them."""
        pid = self.process.pid
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text("utf-8").split()
        statuses = [Path(f"/proc/{one}/status").read_text("utf-8") for one in (pid, *children)]
        return sum(int(status.partition("VmRSS:")[2].split()[0]) for status in statuses) / 1024

    def end(self, how: signal.Signals) -> None:
        self.process.send_signal(how)
        self.process.wait(60)


@contextmanager
def serving() -> Iterator[Server]:
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder) / "bench.sqlite3")
        mine = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set()
        try:
            if len(mine) > 1:
                os.sched_setaffinity(0, set(sorted(mine)[1:]))
            server.wait()
            yield server
        finally:
            if mine:
                os.sched_setaffinity(0, mine)
            server.end(signal.SIGKILL)


class Http:
    """One kept connection, as a known guest or a new one."""

    def __init__(self, port: int, cookie: str = "") -> None:
        self._line = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self.cookie = cookie
        if not cookie:
            self.ask("/api/guest", {"name": "Bench"})

    def ask(self, path: str, body: object = None) -> Any:
        """GET without a body, POST with one."""
        headers = {"content-type": "application/json", "cookie": self.cookie}
        data = None if body is None else json.dumps(body)
        self._line.request("GET" if body is None else "POST", path, data, headers)
        reply = self._line.getresponse()
        if not self.cookie:
            self.cookie = (reply.getheader("set-cookie") or "").partition(";")[0]
        return json.loads(reply.read())

    def new_table(self) -> str:
        plan = [{"kind": "human"}, {"kind": "hotseat"}]
        table = str(self.ask("/api/tables", {"game": "rose_king", "seats": plan})["table"]["id"])
        seed = {"type": "seed", "table": table, "id": "bench-seed", "seed": secrets.token_hex(16)}
        self.ask(f"/api/tables/{table}/commands", seed)
        return table


async def listen(line: ClientConnection) -> None:
    async for _ in line:
        pass


# --- Actions per second ---


class Load:
    def __init__(self, port: int) -> None:
        self.port = port
        self.latencies: list[float] = []
        self.end = 0.0

    async def run(self, seconds: float) -> float:
        """Durable actions per second."""
        began = time.perf_counter()
        self.end = began + seconds
        await asyncio.gather(*(self.match(random.Random(number)) for number in range(TABLES)))
        return len(self.latencies) / (time.perf_counter() - began)

    async def match(self, rng: random.Random) -> None:
        guest = await asyncio.to_thread(Http, self.port)
        while time.perf_counter() < self.end:
            table = await asyncio.to_thread(guest.new_table)
            async with contextlib.AsyncExitStack() as stack:
                lines = []
                for number in range(5):
                    headers = {"cookie": guest.cookie} if number < 2 else {}
                    address = f"ws://127.0.0.1:{self.port}/ws"
                    line = await stack.enter_async_context(
                        connect(address, additional_headers=headers, compression=None, max_size=None)
                    )
                    watch = {"type": "watch", "table": table, "seat": number if number < 2 else None}
                    await line.send(json.dumps(watch))
                    lines.append(line)
                listening = [asyncio.ensure_future(listen(line)) for line in lines[2:]]
                await self.play(table, lines[:2], rng)
                for task in listening:
                    task.cancel()
                await asyncio.gather(*listening, return_exceptions=True)

    async def play(self, table: str, lines: list[ClientConnection], rng: random.Random) -> None:
        """Both seats in turn, until the match or the time is over."""
        views = [(await self.next(line, "update"))["view"] for line in lines]
        while views[0]["actors"] and time.perf_counter() < self.end:
            seat = views[0]["actors"][0]
            action = rng.choice(views[seat]["actions"])
            command = {"type": "play", "table": table, "id": str(uuid4()), "seat": seat}
            sent = time.perf_counter()
            await lines[seat].send(json.dumps({**command, "ply": views[seat]["ply"], "action": action}))
            answer = await self.next(lines[seat], "ack", "refused")
            assert answer["type"] == "ack", answer
            self.latencies.append(time.perf_counter() - sent)
            views = [(await self.next(line, "update"))["view"] for line in lines]

    async def next(self, line: ClientConnection, *kinds: str) -> dict[str, Any]:
        while True:
            message: dict[str, Any] = json.loads(await line.recv())
            if message["type"] in kinds:
                return message


@cache
def load() -> tuple[float, float]:
    """(actions per second, p99 in ms)."""
    with serving() as server:
        asyncio.run(Load(server.port).run(1.0))
        run = Load(server.port)
        per_second = asyncio.run(run.run(LOAD_S))
    return per_second, 1000 * sorted(run.latencies)[int(0.99 * len(run.latencies))]


def server_actions_per_s() -> Row:
    per_second, p99 = load()
    return Row("server_actions_per_s", per_second, None, None, "1/s", f"at least 250; p99 {p99:.0f} ms")


def server_p99_ms() -> Row:
    per_second, p99 = load()
    against = f"at most {MOST_P99_MS:.0f}, at {per_second:.0f} actions/s with 5 listeners each"
    return Row("server_p99_ms", p99, None, None, "ms", against)


# --- Recovery and memory ---


def recovery_s() -> Row:
    """From SIGKILL to the first accepted action, the whole start of the process included; the best of three."""
    with serving() as server:
        guest = Http(server.port)
        table = guest.new_table()
        times = []
        for ply in range(1, 4):
            server.end(signal.SIGKILL)
            began = time.perf_counter()
            server.start()
            times.append(first_action(server, guest.cookie, table, ply) - began)
    return Row("recovery_s", min(times), None, None, "s", f"at most 3; the worst of three {max(times):.2f}")


def first_action(server: Server, cookie: str, table: str, ply: int) -> float:
    """When the next action of the table was accepted."""
    server.wait()
    guest = Http(server.port, cookie)
    for seat in (0, 1):
        view = guest.ask(f"/api/tables/{table}?seat={seat}")["view"]
        if seat in view["actors"] and view["ply"] == ply:
            command = {"type": "play", "table": table, "id": str(uuid4()), "seat": seat, "ply": ply}
            ack = guest.ask(f"/api/tables/{table}/commands", {**command, "action": view["actions"][0]})
            assert ack["ply"] == ply + 1, ack
    return time.perf_counter()


def open_matches_mb() -> Row:
    """Memory of the server with many matches begun and nobody looking."""
    with serving() as server:
        before = server.resident_mb()
        guests = [Http(server.port) for _ in range(8)]

        def make(guest: Http) -> None:
            for _ in range(OPEN_MATCHES // len(guests)):
                guest.new_table()

        with ThreadPoolExecutor(len(guests)) as pool:
            list(pool.map(make, guests))
        after = server.resident_mb()
    against = f"at most 400 for {OPEN_MATCHES}; {before:.0f} with none"
    return Row("open_matches_mb", after, None, None, "MB", against)


def idle_sockets_mb() -> Row:
    """What idle sockets, each watching a table, add to the server's memory."""
    allow_files(IDLE_SOCKETS + 200)
    with serving() as server:
        table = Http(server.port).new_table()
        before = server.resident_mb()
        after = asyncio.run(with_sockets(server, table, server.resident_mb))
    against = f"for {IDLE_SOCKETS} sockets watching a table"
    return Row("idle_sockets_mb", after - before, None, None, "MB", against)


def allow_files(count: int) -> None:
    """Every connection is a file to the system."""
    import resource  # not on every system

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < count:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(count, hard), hard))


async def with_sockets(
    server: Server, table: str, measure: Callable[[], float], count: int = IDLE_SOCKETS
) -> float:
    """What is measured while all the sockets are open; each reads what the server tells, as a page does."""

    async def one() -> tuple[ClientConnection, asyncio.Task[None]]:
        address = f"ws://127.0.0.1:{server.port}/ws"
        line = await connect(address, compression=None, ping_interval=None)
        await line.send(json.dumps({"type": "watch", "table": table}))
        return line, asyncio.ensure_future(listen(line))

    lines = []
    for _ in range(count // AT_ONCE):
        lines += await asyncio.gather(*(one() for _ in range(AT_ONCE)))
    await asyncio.sleep(2)
    found = measure()
    assert not any(task.done() for _, task in lines), "the server closed a socket"
    for line, _ in lines:
        line.transport.abort()
    await asyncio.gather(*(task for _, task in lines), return_exceptions=True)
    return found


ROWS = (server_actions_per_s, server_p99_ms, recovery_s, open_matches_mb, idle_sockets_mb)
