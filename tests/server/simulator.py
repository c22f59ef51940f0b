"""The whole server in one thread, in a time of its own: a day of waiting takes no longer than a moment.

`World` is a server with its application, tables, sockets and background work, as they run in earnest. Only the ports are
others: a store in memory that can fail, bots that answer after so many seconds or never, and an event loop whose
clock jumps to the next timer when nothing else is to be done. The same steps always lead to the same end.

`harness.Guest` speaks to a `World` as to a real server.
"""

from __future__ import annotations

import asyncio
import functools
import json
import random
import selectors
from collections.abc import Callable, Coroutine, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2

from regalia import Match
from regalia.bots import Choice
from regalia.core import registry
from regalia.server.model import events as ev
from regalia.server.model.events import StoredEvent
from regalia.server.model.table import Table
from regalia.server.ports import Append, Change, Conflict, DirectStudy, MemoryFindings, StorageError, Write
from regalia.server.runtime.bot_pool import BotFailed
from regalia.server.runtime.loader import GameLoader, warm
from regalia.server.services import Services
from regalia.server.settings import UNLIMITED, Settings
from regalia.server.store import schema
from regalia.server.transport.app import Application
from regalia.server.transport.pages import Pages

HOST = "127.0.0.1:8642"
SHORTEST_S = 1e-6  # of a timer
START_MS = 1_800_000_000_000  # the time of day at which every world begins


# --- Time ---


class Stuck(Exception):
    """Nothing is ready, no timer is set: what is waited for will never happen."""


class JumpingSelector(selectors.SelectSelector):
    """Waits for nobody: what would be waited passes at once."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[Any]:
        if timeout is None:
            raise Stuck
        self.now += max(0.0, timeout)
        return []


class VirtualLoop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self._jumping = JumpingSelector()
        super().__init__(self._jumping)

    def time(self) -> float:
        return self._jumping.now

    def call_at(self, when: float, callback: Any, *arguments: Any, context: Any = None) -> Any:
        """Never at once: who waits for what is left of a second after rounding would wait for ever."""
        return super().call_at(max(when, self.time() + SHORTEST_S), callback, *arguments, context=context)

    def run_in_executor(self, _executor: Any, work: Callable[..., Any], *arguments: Any) -> Any:
        """At once: no threads."""
        done = self.create_future()
        try:
            done.set_result(work(*arguments))
        except Exception as error:
            done.set_exception(error)
        return done

    @property
    def is_idle(self) -> bool:
        return not self._ready  # type: ignore[attr-defined]


class VirtualTime:
    """The loop's time. A restart begins its steady time anew; somebody may set the time of day."""

    def __init__(self, loop: VirtualLoop) -> None:
        self._loop = loop
        self._began = loop.time()
        self.jump_ms = 0

    def wall_ms(self) -> int:
        return START_MS + round(self._loop.time() * 1000) + self.jump_ms

    def steady_ms(self) -> int:
        return 5000 + round((self._loop.time() - self._began) * 1000)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


# --- The other ports ---


class SeededRandomness:
    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def bytes(self, count: int) -> bytes:
        return self._random.randbytes(count)


class MemoryStore:
    """Keeps what is written, all or nothing, and breaks when told to."""

    shown = "memory"
    is_shared = False

    def __init__(self) -> None:
        self.events: dict[str, list[StoredEvent]] = {}
        self.kept: dict[str, dict[Any, dict[str, Any]]] = {}  # rows by table and key
        self.error: Exception | None = None  # with which every write fails
        self.is_unreadable = False
        self.slow_s = 0.0  # a write takes so long
        self.intruder: ev.AnyEvent | bool = False  # what another process writes to the same log, just before

    async def write(self, change: Write) -> None:
        if self.slow_s:
            await asyncio.sleep(self.slow_s)
        first = change.appends[0].events[0] if change.appends else None
        if self.intruder and first is not None and first.seq:
            self._intrude(first, self.intruder)
            self.intruder = False
        if self.error is not None:
            raise self.error
        for append in change.appends:
            self._check(append)
        self._carry_out(change)
        for append in change.appends:
            self.events.setdefault(append.table_id, []).extend(append.events)
            old = self._kind("tables").get(append.table_id, append.row)
            final_views = append.row["final_views"] or old["final_views"]
            self._kind("tables")[append.table_id] = {**append.row, "final_views": final_views}
            self._kind("seats").update({(row["table_id"], row["seat"]): row for row in append.seats})
        self._kind("workers").update({row["id"]: row for row in change.workers})
        for row in change.outages:
            self._kind("outages").setdefault(row["from_ms"], row)
        for row in change.presence:
            self._kind("presence")[row["worker"], row["table_id"], row["player"]] = row

    def _carry_out(self, change: Write) -> None:
        before = {kind: dict(rows) for kind, rows in self.kept.items()}
        try:
            for wish in change.changes:
                self._change(wish)
            for table, row in change.new:
                self._add(table, row)
        except Conflict:
            self.kept = before
            raise

    def _change(self, wish: Change) -> None:
        rows = self._kind(wish.table)
        until, limit = wish.until or ("", 0)
        meant = [
            key
            for key, row in rows.items()
            if all(row[name] == value for name, value in wish.where.items())
            and (not until or row[until] < limit)
        ]
        if wish.must and len(meant) != 1:
            raise Conflict(f"not one row of {wish.table}")
        for key in meant:
            row = rows.pop(key)
            if wish.values is not None:
                self._add(wish.table, {**row, **wish.values})

    def _add(self, table: str, row: dict[str, Any]) -> None:
        """What is unique exists once, as the schema says."""
        kind = schema.metadata.tables[table]
        uniques = [tuple(column.name for column in kind.primary_key)]
        uniques += [tuple(column.name for column in index.columns) for index in kind.indexes if index.unique]
        uniques += [(column.name,) for column in kind.columns if column.unique]
        for names in uniques:
            values = [row[name] for name in names]
            if None not in values and any(
                [other[name] for name in names] == values for other in self._kind(table).values()
            ):
                raise Conflict(f"{table} has {values}")
        self._kind(table)[tuple(row[name] for name in uniques[0])] = row

    def _intrude(self, event: StoredEvent, what: ev.AnyEvent | bool) -> None:
        body = ev.write(ev.Said("from another process", "Zoe") if isinstance(what, bool) else what)
        self.events[event.table_id].append(StoredEvent(event.table_id, event.seq, event.at_ms, body))
        row = self.kept["tables"][event.table_id]
        self.kept["tables"][event.table_id] = {**row, "seq": event.seq}

    def _check(self, append: Append) -> None:
        """The log ends where the events begin, and (table_id, player, command) exists once."""
        log = self.events.get(append.table_id, [])
        if len(log) != append.expected + 1:
            raise Conflict(f"{append.table_id} has {len(log)} events, and not {append.expected + 1}")
        known = set(map(key_of, log))
        for event in append.events:
            if event.command is not None and key_of(event) in known:
                raise Conflict(f"{append.table_id} has {event.command}")

    def _kind(self, kind: str) -> dict[Any, Any]:
        return self.kept.setdefault(kind, {})

    def _readable(self) -> None:
        if self.is_unreadable:
            raise StorageError("the disk is gone")

    async def log(self, table: str, after: int = -1) -> list[StoredEvent]:
        self._readable()
        return [event for event in self.events.get(table, []) if event.seq > after]

    async def read(self, table: str) -> tuple[dict[str, Any], list[StoredEvent]] | None:
        self._readable()
        row = self._kind("tables").get(table)
        return None if row is None else (row, list(self.events[table]))

    async def heads(self, tables: Iterable[str]) -> dict[str, int]:
        self._readable()
        return {table: len(self.events[table]) - 1 for table in tables if table in self.events}

    async def tables(
        self,
        status: tuple[str, ...],
        players: tuple[str, ...] | None = None,  # who sit there; None: public tables
        game: str | None = None,
        before: tuple[int, str] | None = None,
        limit: int = 50,
        since_ms: int = 0,
    ) -> list[dict[str, Any]]:
        self._readable()
        seats = self._kind("seats").values()
        mine = {row["table_id"] for row in seats if row["player"] in (players or ())}
        rows = [
            row
            for row in self._kind("tables").values()
            if row["status"] in status
            and (row["is_public"] if players is None else row["id"] in mine)
            and row["updated_ms"] >= since_ms
            and game in (None, row["game"])
            and (before is None or (row["updated_ms"], row["id"]) < before)
        ]
        return sorted(rows, key=lambda row: (row["updated_ms"], row["id"]), reverse=True)[:limit]

    async def waiting(self, before_ms: int | None = None) -> list[dict[str, Any]]:
        self._readable()
        latest = float("inf") if before_ms is None else before_ms
        return [
            row
            for row in self._kind("tables").values()
            if row["status"] == "running"
            and (row["bot_due"] or (row["deadline_ms"] is not None and row["deadline_ms"] < latest))
        ]

    async def workers(self) -> list[dict[str, Any]]:
        self._readable()
        return list(self._kind("workers").values())

    async def outages(self, after_ms: int) -> list[tuple[int, int]]:
        self._readable()
        rows = self._kind("outages").values()
        return sorted((row["from_ms"], row["to_ms"]) for row in rows if row["to_ms"] > after_ms)

    async def presence(self, tables: Iterable[str]) -> list[dict[str, Any]]:
        self._readable()
        wanted = set(tables)
        return [row for row in self._kind("presence").values() if row["table_id"] in wanted]

    async def clock_ms(self) -> int | None:
        return None

    async def rows(
        self, table: str, where: dict[str, Any], since: tuple[str, int] | None = None
    ) -> list[dict[str, Any]]:
        self._readable()
        after, least = since or ("", 0)
        return [
            row
            for _, row in sorted(self._kind(table).items())
            if all(
                row[name] in value if isinstance(value, list) else row[name] == value
                for name, value in where.items()
            )
            and (not after or row[after] >= least)
        ]

    async def close(self) -> None:
        pass


def key_of(event: StoredEvent) -> tuple[Any, ...]:
    return event.player, event.command


class SimulatedBots:
    """A pool that thinks for so many seconds (None: for ever) and then acts at random, or as it is told to."""

    def __init__(self, seed: int = 0, limit_s: float = 20.0) -> None:
        self.limit_s = limit_s
        self.think_s: float | None = 0.2
        self.says = ""  # not a legal action, but this
        self.error: Exception | None = None  # that happens instead
        self.answers: list[tuple[Match, str]] = []  # what was seen, what was said
        self.hanging = self.waiting = 0
        self._random = random.Random(seed)

    async def choose(
        self, match: Match, seat: int, bot: str, seed: int | None = None, is_awaited: bool = True
    ) -> Choice:
        match = match.copy()
        if self.think_s is None or self.think_s > self.limit_s:
            await asyncio.sleep(self.limit_s)
            raise BotFailed("overran")
        await asyncio.sleep(self.think_s)
        chooser = self._random if seed is None else random.Random(f"{seed}|{bot}")
        if self.error is not None:
            raise self.error
        action = self.says or chooser.choice(match.actions(seat))
        self.answers.append((match, action))
        return Choice(action)

    def stop(self) -> None:
        pass


# --- The server ---


@functools.cache
def no_pages() -> Pages:
    return Pages(Path("nowhere"))


@functools.cache
def load(game: str) -> None:
    if registry.is_known(game):
        warm(registry.find(game))


class LoadedAtOnce(GameLoader):
    async def load(self, game: str) -> None:
        load(game)


class World:
    """A server in virtual time. Everything a test asks of it runs until it is answered."""

    base = f"http://{HOST}"

    def __init__(self, seed: int = 0, **changes: Any) -> None:
        usual = Settings(Path("nowhere"), bot_pause_s=0.4, compilers=0, rates=UNLIMITED)
        self.settings = replace(usual, **changes)
        self.loop = VirtualLoop()
        self.store = MemoryStore()
        self.findings = MemoryFindings()
        self.bots = SimulatedBots(seed)
        self.randomness = SeededRandomness(seed)
        self.sockets: list[Connection] = []
        self._clients: list[httpx2.Client] = []
        self.start()

    # --- Life ---

    def start(self) -> None:
        self.time = VirtualTime(self.loop)
        self.services = Services(
            self.settings,
            self.store,
            self.time,
            self.randomness,
            pool=self.bots,  # type: ignore[arg-type]
            thinker=DirectStudy(),
            findings=self.findings,
        )
        self.services.tables.loader = LoadedAtOnce()
        self.application = Application(self.services, no_pages())
        self.run(self.services.start())

    def stop(self) -> None:
        """In good order: commands under way are finished."""
        self.run(self.application.stop())
        self._end_tasks()

    def kill(self) -> None:
        """At once: what is not in the store is gone."""
        self.store.error = StorageError("killed")
        self._end_tasks()
        self.store.error = None

    def restart(self) -> None:
        self.stop()
        self.start()

    def close(self) -> None:
        self.store.error = StorageError("killed")
        self._end_tasks()
        for client in self._clients:
            client.close()
        self.loop.close()

    def _end_tasks(self) -> None:
        for _ in range(20):
            tasks = asyncio.all_tasks(self.loop)
            if not tasks:
                break
            for task in tasks:
                task.cancel()
            self.loop.run_until_complete(asyncio.wait(tasks))
        self.sockets.clear()

    def __enter__(self) -> World:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- Time ---

    def run(self, work: Coroutine[Any, Any, Any], seconds: float = 60.0) -> Any:
        """The result of some work, which may take so long."""

        async def within() -> Any:
            async with asyncio.timeout(seconds):
                return await work

        return self.loop.run_until_complete(within())

    def call(self, work: Callable[[], Any]) -> Any:
        """As `Running.call`."""

        async def inside() -> Any:
            result = work()
            return await result if asyncio.iscoroutine(result) else result

        return self.run(inside())

    def tick(self, seconds: float) -> None:
        """Let time pass."""
        self.loop.run_until_complete(asyncio.sleep(seconds))
        self.settle()

    def settle(self) -> None:
        """Let everything happen that waits for nothing but its turn."""
        while not self.loop.is_idle:
            self.loop.run_until_complete(asyncio.sleep(0))

    # --- What is true ---

    def table(self, name: str) -> Table:
        return self.run(self.services.tables.open(name))

    def log(self, name: str) -> list[StoredEvent]:
        return self.store.events[name]

    # --- Clients (as `Running` has them) ---

    def client(self, headers: dict[str, str]) -> httpx2.Client:
        client = httpx2.Client(base_url=self.base, headers=headers, transport=InProcess(self))
        self._clients.append(client)
        return client

    def connect(self, headers: dict[str, str]) -> Connection:
        return Connection(self, headers)


class InProcess(httpx2.BaseTransport):
    """Hands requests to the application, and runs the world until it has answered."""

    def __init__(self, world: World) -> None:
        self.world = world

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        body = request.read()
        answer: dict[str, Any] = {"headers": [], "body": b""}
        messages = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive() -> Any:
            return messages.pop() if messages else {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            if message["type"] == "http.response.start":
                answer.update(status=message["status"], headers=message["headers"])
            else:
                answer["body"] += message.get("body", b"")

        scope = {
            **scope_of("http", "http", request.headers.raw),
            "method": request.method,
            "path": request.url.path,
            "raw_path": request.url.raw_path,
            "query_string": request.url.query,
        }
        self.world.run(self.world.application.asgi(scope, receive, send))
        return httpx2.Response(answer["status"], headers=answer["headers"], content=answer["body"])


class Connection:
    """A socket to the application. `frames` are those nobody has read yet."""

    def __init__(self, world: World, headers: dict[str, str]) -> None:
        self.world = world
        self.frames: list[str] = []
        self.headers: list[tuple[bytes, bytes]] = []  # of the answer that accepted it
        self.refusal: int | None = None  # the status that denied it
        self.closed: str | None = None  # why the server closed it
        self._inbox: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._inbox.put_nowait({"type": "websocket.connect"})
        self._news = asyncio.Event()
        raw = [(b"host", HOST.encode()), *((k.encode(), v.encode()) for k, v in headers.items())]
        scope = {**scope_of("websocket", "ws", raw), "path": "/ws", "raw_path": b"/ws", "query_string": b""}
        scope |= {"subprotocols": [], "extensions": {"websocket.http.response": {}}}
        self._task = world.loop.create_task(world.application.asgi(scope, self._inbox.get, self._take))
        world.sockets.append(self)

    async def _take(self, message: dict[str, Any]) -> None:
        kind = message["type"]
        if kind == "websocket.accept":
            self.headers = list(message.get("headers", []))
        elif kind == "websocket.send":
            self.frames.append(message["text"])
        elif kind == "websocket.close":
            self.closed = message.get("reason") or "closed"
        elif kind == "websocket.http.response.start":
            self.refusal = message["status"]
        self._news.set()

    @property
    def is_open(self) -> bool:
        return not self._task.done() and self.closed is None

    def send(self, text: str) -> None:
        self._inbox.put_nowait({"type": "websocket.receive", "text": text})

    def recv(self, timeout: float = 15) -> str:
        """The next frame, or TimeoutError after so many seconds; ConnectionError when none will come."""

        async def wait() -> None:
            while not self.frames:
                if not self.is_open:
                    raise ConnectionError(self.closed or "closed")
                self._news.clear()
                await self._news.wait()

        if not self.frames:
            self.world.run(wait(), timeout)
        return self.frames.pop(0)

    def read(self) -> list[dict[str, Any]]:
        """All frames that have come."""
        frames, self.frames = self.frames, []
        return [json.loads(frame) for frame in frames]

    def close(self) -> None:
        self._inbox.put_nowait({"type": "websocket.disconnect", "code": 1000})
        if self in self.world.sockets:
            self.world.sockets.remove(self)
        self.world.settle()

    def __enter__(self) -> Connection:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def scope_of(kind: str, scheme: str, headers: Any) -> dict[str, Any]:
    return {
        "type": kind,
        "asgi": {"version": "3.0", "spec_version": "2.4"},
        "http_version": "1.1",
        "scheme": scheme,
        "root_path": "",
        "headers": [(name.lower(), value) for name, value in headers],
        "client": ("127.0.0.1", 50_000),
        "server": ("127.0.0.1", 8642),
        "state": {},
    }
