"""Several processes on PostgreSQL. REGALIA_BENCH_DATABASE names an empty database; without it a row says so."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

from websockets.asyncio.client import ClientConnection, connect

from regalia.bench.rows import Row
from regalia.bench.server import LOAD_S, Http, Load, Server, allow_files, with_sockets
from regalia.server.model import commands, creation
from regalia.server.model.clock import Now, Outages
from regalia.server.model.events import StoredEvent
from regalia.server.model.rights import Player
from regalia.server.model.table import Table
from regalia.server.model.values import SeatKind
from regalia.server.protocol import NewTable, SeatPlan
from regalia.server.runtime.rows import Cause, from_first_events, to_stored

WORKERS = 2
ACTIONS_SEEN = 400
IDLE_SOCKETS = 5000
FOLDS = 2000
PLIES = 40  # of the match into which an action is taken
NO_DATABASE = "REGALIA_BENCH_DATABASE names no database"


def database() -> str | None:
    return os.environ.get("REGALIA_BENCH_DATABASE")


@contextmanager
def serving(url: str, workers: int = WORKERS) -> Iterator[Server]:
    """On all cores: they are shared with the client and the database."""
    server = Server(Path("unused"), has_one_core=False, REGALIA_DATABASE=url, REGALIA_WORKERS=str(workers))
    try:
        server.wait()
        yield server
    finally:
        server.end(signal.SIGTERM)


# --- Actions, and when another process shows them ---


def server_pg_actions_per_s() -> Row:
    url, name = database(), "server_pg_actions_per_s"
    if url is None:
        return Row(name, 0.0, None, None, "1/s", NO_DATABASE)
    with serving(url) as server:
        asyncio.run(Load(server.port).run(1.0))
        run = Load(server.port)
        per_second = asyncio.run(run.run(LOAD_S))
    p99 = 1000 * sorted(run.latencies)[int(0.99 * len(run.latencies))]
    against = f"at least 300 with {WORKERS} processes and 5 listeners each; p99 {p99:.0f} ms, at most 100"
    return Row(name, per_second, None, None, "1/s", against)


def server_pg_seen_ms() -> Row:
    """From the acknowledgement by one process to the update at a socket of another."""
    url, name = database(), "server_pg_seen_ms"
    if url is None:
        return Row(name, 0.0, None, None, "ms", NO_DATABASE)
    with ExitStack() as opened:
        here, there = (opened.enter_context(serving(url, 1)) for _ in range(2))
        times = sorted(asyncio.run(seen(here.port, there.port)))
    p99 = times[int(0.99 * len(times))]
    return Row(name, times[len(times) // 2], None, None, "ms", f"p50, at most 5; p99 {p99:.1f}, at most 25")


async def seen(here: int, there: int) -> list[float]:
    guest = await asyncio.to_thread(Http, here)
    table = await asyncio.to_thread(guest.new_table)
    headers = {"cookie": guest.cookie}
    times = []
    async with (
        connect(f"ws://127.0.0.1:{here}/ws", additional_headers=headers, compression=None) as mine,
        connect(f"ws://127.0.0.1:{there}/ws", compression=None) as other,
    ):
        await other.send(json.dumps({"type": "watch", "table": table}))
        for number in range(ACTIONS_SEEN):
            if number % 200 == 199:  # a table hears no more than 500 things
                table = await asyncio.to_thread(guest.new_table)
                await other.send(json.dumps({"type": "watch", "table": table}))
            said = {"type": "chat", "table": table, "id": str(uuid4()), "seat": 0, "text": "seen?"}
            await mine.send(json.dumps(said))
            seq = (await until(mine, "ack", 0))["seq"]
            acked = time.perf_counter()
            await until(other, "update", seq)
            times.append(1000 * (time.perf_counter() - acked))
            await asyncio.sleep(random.uniform(0, 0.01))
    return times


async def until(line: ClientConnection, kind: str, seq: int) -> dict[str, Any]:
    while True:
        message: dict[str, Any] = json.loads(await line.recv())
        if message["type"] == kind and message["seq"] >= seq:
            return message


# --- What it costs ---


def catch_up_ms() -> Row:
    """CPU time of what a process does to take in one action that another one wrote, without reading it."""
    table, line = a_table_and_what_follows()
    now, outages = Now(0, table.updated_ms), Outages()
    times = []
    for _ in range(5):
        began = time.process_time()
        for _ in range(FOLDS):
            following = table.after([line], 0)
            following.remember([line])
            following.run_clocks(now, outages)
        times.append(1000 * (time.process_time() - began) / FOLDS)
    return Row(
        "catch_up_ms", min(times), None, None, "ms", f"at most 0.3, at ply {table.ply} of The Rose King"
    )


def a_table_and_what_follows() -> tuple[Table, StoredEvent]:
    """Some way into a match, and the next action."""
    rng = random.Random(1)
    plan = NewTable("rose_king", [SeatPlan(SeatKind.BOT, "random")] * 2)
    first = creation.events_for(
        Player("bench12345", "Bench"), plan, creation.starting_match(plan, None)(), rng.randbytes
    )
    table = from_first_events("bench12345", first, Cause("bench12345"), Now(0, 0))[0]
    while True:
        match = table.started_match()
        seat = match.actors[0]
        events = commands.play_now(table, seat, rng.choice(match.actions(seat)), Now(0, 0))
        line = to_stored(table, events, 0, Cause())[0]
        if table.ply == PLIES:
            return table, line
        table = table.after([line], 0)


def server_pg_idle_sockets_mb() -> Row:
    url, name = database(), "server_pg_idle_sockets_mb"
    if url is None:
        return Row(name, 0.0, None, None, "MB", NO_DATABASE)
    allow_files(IDLE_SOCKETS + 200)
    with serving(url) as server:
        table = Http(server.port).new_table()
        found = asyncio.run(with_sockets(server, table, server.family_mb, IDLE_SOCKETS))
    return Row(
        name, found, None, None, "MB", f"at most 600 for {IDLE_SOCKETS} sockets on {WORKERS} processes"
    )


ROWS = (server_pg_actions_per_s, server_pg_seen_ms, catch_up_ms, server_pg_idle_sockets_mb)
