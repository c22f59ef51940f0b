"""A real server on a real database, and clients that speak to it over real sockets.

The clients speak to a `World` of `simulator.py` as well, in virtual time.
"""

from __future__ import annotations

import asyncio
import json
import socket
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import httpx2
from websockets.sync.client import connect

from regalia.server.services import Services, services_of
from regalia.server.settings import UNLIMITED, Settings
from regalia.server.transport.run import Server, make_server


def settings_for(folder: Path, **changes: Any) -> Settings:
    usual = Settings(folder / "test.sqlite3", bot_pause_s=0.0, compilers=0, study_workers=0, rates=UNLIMITED)
    return replace(usual, **changes)


class Running:
    """A server in a thread of this process."""

    def __init__(
        self, settings: Settings, make_services: Callable[[Settings], Services] | None = None
    ) -> None:
        self.settings = settings
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self.listener.getsockname()[1]
        self._make = make_services or services_of
        self._ready = threading.Event()
        self.server: Server | None = None
        self.loop: asyncio.AbstractEventLoop | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        assert self._ready.wait(60), "the server did not start"

    def _run(self) -> None:
        async def main() -> None:
            self.loop = asyncio.get_running_loop()
            self.services = self._make(self.settings)
            self.server = make_server(self.settings, "127.0.0.1", self.port, self.services)
            serving = asyncio.ensure_future(self.server.serve(sockets=[self.listener]))
            while not self.server.started and not serving.done():  # noqa: ASYNC110 - uvicorn has no event
                await asyncio.sleep(0.005)
            self._ready.set()
            await serving

        asyncio.run(main())

    def stop(self) -> None:
        assert self.server is not None
        self.server.should_exit = True
        self._thread.join(30)
        assert not self._thread.is_alive(), "the server did not stop"
        self.listener.close()

    def begin(self, work: Coroutine[Any, Any, Any]) -> Future[Any]:
        """Start something in the server's own loop."""
        assert self.loop is not None
        return asyncio.run_coroutine_threadsafe(work, self.loop)

    def call(self, work: Callable[[], Any]) -> Any:
        """Run something in the server's own loop."""

        async def inside() -> Any:
            result = work()
            return await result if asyncio.iscoroutine(result) else result

        return self.begin(inside()).result(30)

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def client(self, headers: dict[str, str]) -> httpx2.Client:
        return Address(self.base).client(headers)

    def connect(self, headers: dict[str, str]) -> Any:
        return Address(self.base).connect(headers)


class Address:
    """A server known by its address only."""

    def __init__(self, base: str) -> None:
        self.base = base

    def client(self, headers: dict[str, str]) -> httpx2.Client:
        return httpx2.Client(base_url=self.base, headers=headers, timeout=120)  # the first of a kind compiles

    def connect(self, headers: dict[str, str]) -> Any:
        return connect(self.base.replace("http", "ws") + "/ws", additional_headers=headers, max_size=None)


@contextmanager
def running(folder: Path, **changes: Any) -> Iterator[Running]:
    make = changes.pop("make_services", None)
    server = Running(settings_for(folder, **changes), make)
    try:
        yield server
    finally:
        server.stop()


class Reply:
    def __init__(self, response: httpx2.Response) -> None:
        self.status = response.status_code
        self.headers = response.headers
        self.text = response.text
        self.raw = response.content

    @property
    def json(self) -> Any:
        return json.loads(self.text)

    @property
    def code(self) -> str:
        return str(self.json["error"]["code"])


SEED = "5eed" * 8  # what players of tests add to the dice


class Guest:
    """A player in a browser: a cookie, requests and sockets."""

    count = 0

    def __init__(self, server: Any, name: str | None = "Ann", headers: dict[str, str] | None = None) -> None:
        """`server` is a `Running`, a `World` or an address."""
        self.server = Address(server) if isinstance(server, str) else server
        self.base = self.server.base
        self.http = self.server.client(headers or {})
        self.id = ""
        if name is not None:
            reply = self.post("/api/guest", {"name": name})
            assert reply.status == 200, reply.text
            self.id = reply.json["id"]

    def get(self, path: str, **query: Any) -> Reply:
        parameters = {key: value for key, value in query.items() if value is not None}
        return Reply(self.http.get(path + (f"?{urlencode(parameters, doseq=True)}" if parameters else "")))

    def post(self, path: str, body: Any, **headers: str) -> Reply:
        return Reply(self.http.post(path, json=body, headers=headers))

    def new_table(
        self, game: str = "rose_king", seats: list[str] | None = None, **more: Any
    ) -> dict[str, Any]:
        """seats: words like `human`, `open`, `hotseat`, `bot`. What the guest owes the dice is sent at once."""
        plan = [
            {"kind": kind, **({"bot": "random"} if kind == "bot" else {})}
            for kind in seats or ["human", "open"]
        ]
        reply = self.post("/api/tables", {"game": game, "seats": plan, **more})
        assert reply.status == 200, reply.text
        body: dict[str, Any] = reply.json
        if not body["table"]["fairness"]["awaited"]:
            return body
        name = body["table"]["id"]
        self.must("seed", name, seed=SEED)
        return self.table(name, seat=body["seat"])

    def table(self, name: str, **query: Any) -> dict[str, Any]:
        reply = self.get(f"/api/tables/{name}", **query)
        assert reply.status == 200, reply.text
        body: dict[str, Any] = reply.json
        return body

    def do(self, kind: str, table: str, **fields: Any) -> Reply:
        """A command over HTTP, with a fresh id unless one is given."""
        body = {"type": kind, "table": table, "id": fields.pop("id", None) or fresh_id(), **fields}
        return self.post(f"/api/tables/{table}/commands", body)

    def must(self, kind: str, table: str, **fields: Any) -> dict[str, Any]:
        reply = self.do(kind, table, **fields)
        assert reply.status == 200, reply.text
        body: dict[str, Any] = reply.json
        return body

    def socket(self, **headers: str) -> Line:
        cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in self.http.cookies.jar)
        sent = {**({"cookie": cookies} if cookies else {}), **headers}
        return Line(self.server.connect(sent))

    def close(self) -> None:
        self.http.close()

    def __enter__(self) -> Guest:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def wait_for(what: Callable[[], Any], seconds: float = 20) -> Any:
    """What a real server does by itself takes real time; where it can be asked for, `World.tick` is better."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        result = what()
        if result:
            return result
        time.sleep(0.02)
    raise AssertionError("it did not happen")


def fresh_id() -> str:
    Guest.count += 1
    return f"test-{Guest.count:08}"


class Line:
    """A socket to the server."""

    def __init__(self, connection: Any) -> None:
        self._opened = ExitStack()
        self.connection = self._opened.enter_context(connection)
        self.welcome = self.receive("welcome")

    def send(self, **message: Any) -> None:
        self.connection.send(json.dumps(message))

    def receive(self, *kinds: str, seconds: float = 15) -> dict[str, Any]:
        """The next message of these kinds; others are skipped."""
        end = time.monotonic() + seconds
        while True:
            message: dict[str, Any] = json.loads(self.connection.recv(timeout=seconds))
            assert time.monotonic() < end, f"{message['type']} came, but not in time"
            if not kinds or message["type"] in kinds:
                return message

    def ask(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Send a command and wait for its answer."""
        name = fields.pop("id", None) or fresh_id()
        self.send(type=kind, id=name, **fields)
        while True:
            answer = self.receive("ack", "refused")
            if answer["id"] == name:
                return answer

    def watch(
        self, table: str, seat: int | None = None, seq: int | None = None, **more: Any
    ) -> dict[str, Any]:
        self.send(type="watch", table=table, seat=seat, seq=seq, **more)
        return self.receive("update", "refused")

    def close(self) -> None:
        self._opened.close()

    def __enter__(self) -> Line:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
