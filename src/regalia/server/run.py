"""Runs the application on uvicorn, with the time-outs and limits that uvicorn itself does not have."""

from __future__ import annotations

import asyncio
import socket
from typing import Any

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.auto import AutoWebSocketsProtocol

from regalia.server.app import Application
from regalia.server.protocol import MOST_BYTES_OF_A_FRAME
from regalia.server.services import Services
from regalia.server.settings import Settings
from regalia.server.store import SqliteStore

HEADERS_S = 10.0  # a request whose headers take longer is given up
KEEP_ALIVE_S = 15
GRACE_S = 5  # for requests under way at a stop
GOODBYE_S = 0.2  # for telling the sockets


class PatientHttp(HttpToolsProtocol):
    """Closes connections that open and then say nothing, or say it too slowly."""

    _patience: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._wait()

    def on_headers_complete(self) -> None:
        self._stop_waiting()
        super().on_headers_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._stop_waiting()
        self._patience = self.loop.call_later(HEADERS_S, self._give_up)

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
        self.application.say_goodbye()
        if self.application.sockets:
            await asyncio.sleep(GOODBYE_S)
        await super().shutdown(sockets)
        self._captured_signals.clear()  # a stop that was asked for is no failure: exit code 0


def make_server(settings: Settings, host: str, port: int, services: Services | None = None) -> Server:
    services = services or Services(settings, SqliteStore(settings.database))
    application = Application(services)
    config = uvicorn.Config(
        application.asgi,
        host=host,
        port=port,
        http=PatientHttp,
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
