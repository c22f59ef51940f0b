"""The workers, their parent, and the network in front of them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from regalia.server.ports import StorageError
from regalia.server.runtime.database_time import DatabaseTime
from regalia.server.services import Services
from regalia.server.settings import UNLIMITED, Settings
from regalia.server.transport.app import Application
from server.simulation.ports import Bots, BusPort, Disk, Hints, MachineTime, StorePort
from server.simulation.universe import Universe
from server.simulator import HOST, LoadedAtOnce, SeededRandomness, no_pages, scope_of

SETTINGS = Settings(
    Path("nowhere"),
    compilers=0,
    rates=UNLIMITED,
    bot_pause_s=0.2,
    bot_limit_s=6.0,
    idle_s=8.0,  # tables leave memory again and again
    away_s=20.0,
)
REPLACED_S = 0.5  # after so long the parent has started another one


class Worker:
    """One process of the server."""

    def __init__(self, cluster: Cluster, name: str) -> None:
        universe = cluster.universe
        draw = universe.chance(f"worker {name}")
        self.name = name
        self.cluster = cluster
        self.loop = universe.new_process()
        self.store = StorePort(cluster.disk, name, self.loop)
        self.machine = MachineTime(universe, draw.randint(-3_600_000, 3_600_000), draw.randint(0, 10**9))
        self.bots = Bots(universe, name, SETTINGS.bot_limit_s)
        self.connections: list[Connection] = []
        self.is_up = self.is_dead = False
        self.services = Services(
            SETTINGS,
            self.store,  # type: ignore[arg-type]
            DatabaseTime(self.machine),
            SeededRandomness(draw.getrandbits(64)),
            BusPort(cluster.hints, name, self.loop),
            pool=self.bots,  # type: ignore[arg-type]
            worker=name,
        )
        self.services.tables.loader = LoadedAtOnce()
        self.application = Application(self.services, no_pages())
        self._starting = self.loop.create_task(self._start())

    async def _start(self) -> None:
        try:
            await self.services.start()
            self.is_up = True
        except StorageError:  # such a process ends, and its parent starts another one
            self.cluster.universe.later(0.0, lambda: self.cluster.kill(self))

    def begin(self, work: Any) -> asyncio.Task[Any]:
        task: asyncio.Task[Any] = self.loop.create_task(work)
        return task


class Cluster:
    def __init__(self, universe: Universe, count: int) -> None:
        self.universe = universe
        self.disk = Disk(universe)
        self.hints = Hints(universe)
        self.workers: list[Worker] = []
        self.past: list[Worker] = []
        self.kills = 0
        self._made = 0
        self._draw = universe.chance("proxy")
        for _ in range(count):
            self._start()

    def _start(self) -> None:
        self._made += 1
        self.workers.append(Worker(self, f"worker{self._made}"))

    @property
    def serving(self) -> list[Worker]:
        return [worker for worker in self.workers if worker.is_up]

    @property
    def everyone(self) -> list[Worker]:
        return [*self.past, *self.workers]

    def any_worker(self) -> Worker | None:
        """Where the proxy sends somebody: also to a process that is frozen."""
        return self._draw.choice(self.serving) if self.serving else None

    def kill(self, worker: Worker) -> None:
        """At once. What it had sent may still arrive at the store."""
        if worker.is_dead:
            return
        self.kills += 1
        self._gone(worker)
        for connection in list(worker.connections):
            connection.cut()
        self.universe.later(REPLACED_S, self._start)

    def _gone(self, worker: Worker) -> None:
        worker.is_dead = worker.store.is_cut = True
        worker.is_up = False
        self.hints.ports.pop(worker.name, None)
        self.workers.remove(worker)
        self.past.append(worker)
        self.universe.end_process(worker.loop)

    def renew(self, worker: Worker) -> None:
        """A new one is started, and this one leaves in good order."""
        if worker.is_dead or not worker.is_up:
            return
        self._start()
        worker.is_up = False

        async def leave() -> None:
            await worker.application.stop()
            self.universe.later(0.0, lambda: None if worker.is_dead else self._gone(worker))

        worker.begin(leave())

    # --- Requests ---

    def request(
        self,
        worker: Worker,
        method: str,
        path: str,
        body: Any,
        cookie: str,
        done: Callable[[int, dict[str, str], Any], None],
    ) -> None:
        """The answer, unless the worker dies before: who asked must ask again."""
        raw = [(b"host", HOST.encode()), (b"content-type", b"application/json")]
        if cookie:
            raw.append((b"cookie", cookie.encode()))
        scope = {
            **scope_of("http", "http", raw),
            "method": method,
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
        }
        sent = [{"type": "http.request", "body": json.dumps(body).encode(), "more_body": False}]
        answer: dict[str, Any] = {"headers": [], "body": b""}

        async def receive() -> Any:
            return sent.pop() if sent else {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            if message["type"] == "http.response.start":
                answer.update(status=message["status"], headers=message["headers"])
            else:
                answer["body"] += message.get("body", b"")

        async def handle() -> None:
            await worker.application.asgi(scope, receive, send)
            headers = {name.decode(): value.decode() for name, value in answer["headers"]}
            reply = json.loads(answer["body"]) if answer["body"] else None
            self.universe.later(0.002, lambda: done(answer["status"], headers, reply))

        worker.begin(handle())


class Connection:
    """A socket between a client and a worker. Frames keep their order; they can be lost only together with the line."""

    def __init__(
        self, worker: Worker, cookie: str, heard: Callable[[str], None], ended: Callable[[], None]
    ) -> None:
        self.worker = worker
        self._universe = worker.cluster.universe
        self._draw = worker.cluster._draw
        self._heard = heard
        self._ended = ended
        self._arrives = [0.0, 0.0]  # when the last frame does, to the server and to the client
        self._inbox: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._inbox.put_nowait({"type": "websocket.connect"})
        self.is_open = True  # for the client
        self.is_half_open = False  # nothing arrives any more, and nobody knows
        self._stalled: asyncio.Event | None = None  # the client does not read
        raw = [(b"host", HOST.encode()), (b"cookie", cookie.encode())]
        scope = {**scope_of("websocket", "ws", raw), "path": "/ws", "raw_path": b"/ws", "query_string": b""}
        scope |= {"subprotocols": [], "extensions": {"websocket.http.response": {}}}
        worker.connections.append(self)
        worker.begin(worker.application.asgi(scope, self._inbox.get, self._take))

    def send(self, text: str) -> None:
        """From the client."""
        self._deliver(0, lambda: self._arrive({"type": "websocket.receive", "text": text}))

    def _arrive(self, message: dict[str, Any]) -> None:
        if not self.worker.is_dead:
            self._inbox.put_nowait(message)

    async def _take(self, message: dict[str, Any]) -> None:
        """From the server."""
        if self._stalled is not None:
            await self._stalled.wait()
        if self.worker.is_dead:
            return
        kind = message["type"]
        if kind == "websocket.send":
            text = message["text"]
            self._deliver(1, lambda: self._heard(text) if self.is_open else None)
        elif kind in ("websocket.close", "websocket.http.response.body"):
            self._deliver(1, self._closed)

    def _deliver(self, direction: int, work: Callable[[], None]) -> None:
        at = max(self._arrives[direction], self._universe.now + self._draw.uniform(0.001, 0.03))
        self._arrives[direction] = at
        self._universe.later(at - self._universe.now, lambda: None if self.is_half_open else work())

    def _closed(self) -> None:
        if self.is_open:
            self.is_open = False
            self._forget()
            self._ended()

    def _forget(self) -> None:
        if self in self.worker.connections:
            self.worker.connections.remove(self)

    def close(self) -> None:
        """By the client."""
        self.is_open = False
        self._forget()
        self._deliver(0, lambda: self._arrive({"type": "websocket.disconnect", "code": 1000}))

    def cut(self) -> None:
        """Both sides notice; what was on its way is lost."""
        self._arrive({"type": "websocket.disconnect", "code": 1006})
        self._closed()
        self.is_half_open = True

    def vanish(self) -> None:
        """Nobody notices."""
        self.is_half_open = True

    def stall(self, seconds: float) -> None:
        if self._stalled is None and not self.worker.is_dead:
            self._stalled = asyncio.Event()
            self._universe.later(seconds, self._read_on)

    def _read_on(self) -> None:
        if self._stalled is not None:
            self._stalled.set()
            self._stalled = None
