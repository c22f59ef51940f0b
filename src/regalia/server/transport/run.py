"""Runs the application on uvicorn, with the time-outs and limits that uvicorn itself does not have."""

from __future__ import annotations

import asyncio
import socket
from functools import partial
from typing import Any

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.auto import AutoWebSocketsProtocol

from regalia.server.protocol import MOST_BYTES_OF_A_FRAME
from regalia.server.services import Services, services_of
from regalia.server.settings import Settings
from regalia.server.transport.app import Application
from regalia.server.transport.crowd import Crowd

HEADERS_S = 10.0  # a request whose headers take longer is given up
KEEP_ALIVE_S = 15
GRACE_S = 2  # for requests under way at a stop; all of it takes less than the parent's patience
GOODBYE_S = 0.2  # for telling the sockets
LINGER_S = 1.0  # for a client that is still sending when it is answered
TOO_MANY = (
    b"HTTP/1.1 429 Too Many Requests\r\nretry-after: 5\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
)


class PatientHttp(HttpToolsProtocol):
    """Closes connections that say nothing, say it too slowly, say more than is read, or are too many."""

    def __init__(self, *, crowd: Crowd | None, **options: Any) -> None:
        super().__init__(**options)
        self._crowd = crowd  # of the addresses; none behind a proxy
        self._counted_as: str | None = None
        self._patience: asyncio.TimerHandle | None = None
        self._is_answered = False  # nothing more is read

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        address = self.client[0] if self.client else "local"
        if self._crowd is not None:
            if not self._crowd.enter(address):
                transport.write(TOO_MANY)
                transport.close()
                return
            self._counted_as = address
        self._wait()

    def data_received(self, data: bytes) -> None:
        if not self._is_answered:
            super().data_received(data)

    def on_response_complete(self) -> None:
        """An answer before the end of the body ends the connection; who still sends has a moment to read it."""
        super().on_response_complete()
        if self.pipeline or not self.cycle.more_body or self.transport.is_closing():
            return
        self._is_answered = True
        self.transport.write_eof()
        self._wait(LINGER_S)

    def handle_websocket_upgrade(self) -> None:
        """From here on it counts as a socket."""
        self._leave()
        super().handle_websocket_upgrade()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._wait()

    def on_headers_complete(self) -> None:
        self._stop_waiting()
        super().on_headers_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        self._leave()
        self._stop_waiting()
        super().connection_lost(exc)

    def _leave(self) -> None:
        if self._crowd is not None and self._counted_as is not None:
            self._crowd.leave(self._counted_as)
            self._counted_as = None

    def _wait(self, seconds: float | None = None) -> None:
        self._stop_waiting()
        self._patience = self.loop.call_later(HEADERS_S if seconds is None else seconds, self._give_up)

    def _stop_waiting(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None

    def _give_up(self) -> None:
        self.transport.abort()


class AbortableWebSocket(AutoWebSocketsProtocol):  # type: ignore[misc, valid-type]
    """Lets the application cut off a reader that no longer takes anything."""

    def handle_connect(self, event: Any) -> None:
        super().handle_connect(event)
        scope = getattr(self, "scope", None)
        if scope is not None:
            scope["extensions"]["regalia.abort"] = self.transport.abort


class Server(uvicorn.Server):
    """Tells the sockets before it stops, so that clients know it is no failure of theirs."""

    def __init__(self, config: uvicorn.Config, application: Application) -> None:
        super().__init__(config)
        self.application = application

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self.application.announce_stop()
        if self.application.sockets:
            await asyncio.sleep(GOODBYE_S)
        await super().shutdown(sockets)
        self._captured_signals.clear()  # a stop that was asked for is no failure: exit code 0


def allow_open_files(count: int) -> None:
    """Every connection is a file to the system, which often allows a process fewer than it could have."""
    try:
        import resource
    except ImportError:  # not a system with such a limit
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < count:
        most = count if hard == resource.RLIM_INFINITY else min(count, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, most), hard))


def make_server(settings: Settings, host: str, port: int, services: Services | None = None) -> Server:
    services = services or services_of(settings)
    application = Application(services)
    crowd = None if settings.is_behind_proxy else Crowd(settings.most_connections_per_address)
    config = uvicorn.Config(
        application.asgi,
        host=host,
        port=port,
        http=partial(PatientHttp, crowd=crowd),  # type: ignore[arg-type]
        ws=AbortableWebSocket,
        ws_max_size=MOST_BYTES_OF_A_FRAME,
        ws_per_message_deflate=False,
        ws_ping_interval=None,  # the protocol has its own, which the browser can see
        access_log=False,
        log_config=None,
        lifespan="on",
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=KEEP_ALIVE_S,
        timeout_graceful_shutdown=GRACE_S,
    )
    return Server(config, application)
