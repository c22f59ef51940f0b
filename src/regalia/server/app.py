"""The ASGI application: the API, the sockets and the pages, behind the same headers and checks."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, WebSocketRoute, compile_path
from starlette.routing import Route as StarletteRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from regalia.server import protocol as wire
from regalia.server.api import ROUTES
from regalia.server.callers import caller_of, is_ours
from regalia.server.pages import Pages
from regalia.server.protocol import Code
from regalia.server.refused import Refused
from regalia.server.routes import JSON, endpoints
from regalia.server.services import Services, language_of
from regalia.server.sockets import Socket

CSP = "; ".join(
    [
        "default-src 'self'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self' ws: wss:",
        "manifest-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    ]
)
HEADERS = [
    (b"content-security-policy", CSP.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),  # an invitation is part of the address
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
]

QUIET_S = 3.0
PATTERNS = [compile_path(route.path)[0] for route in ROUTES]

log = logging.getLogger("regalia.app")


class WithHeaders:
    """Puts the security headers on every answer, and keeps API answers out of caches."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                extra = [(b"cache-control", b"no-store")] if scope["path"].startswith("/api") else []
                message = {**message, "headers": [*message.get("headers", []), *HEADERS, *extra]}
            await send(message)

        await self.app(scope, receive, with_headers)


class Application:
    """Starlette's application and what it serves."""

    def __init__(self, services: Services, pages: Pages | None = None) -> None:
        self.services = services
        self.sockets: set[Socket] = set()
        self._by_address: Counter[str] = Counter()
        pages = pages or Pages()
        services.build = pages.build
        self.asgi = WithHeaders(
            Starlette(
                routes=[
                    *endpoints(ROUTES, services),
                    WebSocketRoute("/ws", self.socket),
                    Mount("/api", app=self.nothing_here),
                    StarletteRoute("/{path:path}", pages.serve, methods=["GET"]),
                ],
                lifespan=self.lifespan,
                exception_handlers={HTTPException: self.refused, 404: self.refused, 405: self.refused},
            )
        )

    @asynccontextmanager
    async def lifespan(self, _: Starlette) -> AsyncIterator[None]:
        await self.services.start()
        warming = asyncio.ensure_future(self.load_games())
        log.info("started", extra={"facts": {"database": str(self.services.settings.database)}})
        try:
            yield
        finally:
            warming.cancel()
            await asyncio.gather(warming, return_exceptions=True)
            await self.stop()
            log.info("stopped")

    async def load_games(self) -> None:
        """Whoever waits at the door comes first; the games nobody asked for load a little later."""
        await asyncio.sleep(QUIET_S)
        await self.services.house.engines.load_all()

    async def stop(self) -> None:
        self.say_goodbye()
        await self.services.stop()

    def say_goodbye(self) -> None:
        """Tell every socket that the server stops; clients come back by themselves."""
        self.services.is_stopping = True
        for socket in list(self.sockets):
            socket.nudge()

    # --- Sockets ---

    async def socket(self, websocket: WebSocket) -> None:
        services = self.services
        try:
            if not is_ours(websocket.scope, services.settings):
                raise Refused(Code.FOREIGN_ORIGIN)
            caller = await caller_of(websocket.scope, services)
            services.limiter.must_allow("socket", caller.address)
            full = len(self.sockets) >= services.settings.most_sockets
            if full or self._by_address[caller.address] >= services.settings.most_sockets_per_address:
                raise Refused(Code.TOO_FAST)
        except Refused as refusal:
            services.metrics.refusals[refusal.code] += 1
            body = refusal_body(refusal, websocket.headers.get("accept-language", ""))
            await websocket.send_denial_response(Response(body, refusal.status, media_type=JSON))
            return
        socket = Socket(websocket, services, caller)
        self.sockets.add(socket)
        self._by_address[caller.address] += 1
        services.metrics.sockets += 1
        services.metrics.sockets_opened += 1
        reason = "failed"
        try:
            reason = await socket.run()
        finally:
            self.sockets.discard(socket)
            self._by_address[caller.address] -= 1
            if not self._by_address[caller.address]:
                del self._by_address[caller.address]
            services.metrics.sockets -= 1
            services.metrics.sockets_closed[reason] += 1

    # --- What is not there ---

    async def nothing_here(self, scope: Scope, receive: Receive, send: Send) -> None:
        here = any(pattern.match(scope["path"]) for pattern in PATTERNS)
        response = await self.refused(Request(scope, receive), HTTPException(405 if here else 404))
        await response(scope, receive, send)

    async def refused(self, request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 404
        code = Code.METHOD if status == 405 else Code.NOT_FOUND if status == 404 else Code.BAD_MESSAGE
        refusal = Refused(code)
        self.services.metrics.refusals[code] += 1
        body = refusal_body(refusal, request.headers.get("accept-language", ""))
        headers = dict(error.headers or {}) if isinstance(error, HTTPException) else {}
        return Response(body, refusal.status, headers, JSON)


def refusal_body(refusal: Refused, accept_language: str) -> bytes:
    return msgspec.json.encode(wire.ErrorBody(refusal.message(language_of(accept_language))))
