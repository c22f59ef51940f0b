"""The ASGI application: the API, the sockets and the pages, behind the same headers and checks."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, WebSocketRoute, compile_path
from starlette.routing import Route as StarletteRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from regalia.server.model.refusals import Refused
from regalia.server.protocol import Code
from regalia.server.services import Services
from regalia.server.transport import links, plain_rules
from regalia.server.transport.admin import Admin
from regalia.server.transport.api import ROUTES
from regalia.server.transport.auth import address_of, caller_of, is_our_name, is_same_origin, language_of
from regalia.server.transport.crowd import Crowd
from regalia.server.transport.decoding import JSON
from regalia.server.transport.pages import Pages
from regalia.server.transport.refusals import refusal_body, status_of
from regalia.server.transport.routes import endpoints
from regalia.server.transport.sockets import Socket

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
PASSKEYS = b"publickey-credentials-get=(self), publickey-credentials-create=(self)"
EMBED = "/embed/"  # the pages that other sites may show in a frame
HEADERS = [
    (b"content-security-policy", CSP.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),  # an invitation is part of the address
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=(), " + PASSKEYS),
]
IN_A_FRAME = [
    (b"content-security-policy", CSP.replace("frame-ancestors 'none'", "frame-ancestors *").encode()),
    (b"cross-origin-resource-policy", b"cross-origin"),
]
NO_STORE = (b"cache-control", b"no-store")

PATTERNS = [compile_path(route.path)[0] for route in ROUTES]

log = logging.getLogger("regalia.app")


def usual_headers(path: str) -> list[tuple[bytes, bytes]]:
    if not path.startswith(EMBED):
        return HEADERS
    replaced = {name for name, _ in IN_A_FRAME} | {b"x-frame-options", b"cross-origin-opener-policy"}
    return [*IN_A_FRAME, *(line for line in HEADERS if line[0] not in replaced)]


class WithHeaders:
    """Puts the security headers on every answer, and keeps API answers out of caches, unless they say otherwise."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                said = message.get("headers", [])
                names = {name for name, _ in said}
                usual = [
                    *usual_headers(scope["path"]),
                    *([NO_STORE] if scope["path"].startswith("/api") else []),
                ]
                message = {**message, "headers": [*said, *(line for line in usual if line[0] not in names)]}
            await send(message)

        await self.app(scope, receive, with_headers)


class KnownNames:
    """Answers only what is addressed to this server: a page of another site whose name points here is not ours."""

    def __init__(self, app: ASGIApp, services: Services) -> None:
        self.app = app
        self.services = services

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan" or is_our_name(scope, self.services.settings):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refusal = Refused(Code.WRONG_HOST, host=headers.get("host", "")[:100])
        self.services.metrics.refusals[refusal.code] += 1
        body = refusal_body(refusal, language_of(headers.get("accept-language", "")))
        response = Response(body, status_of(refusal), media_type=JSON)
        if scope["type"] == "websocket":
            await WebSocket(scope, receive, send).send_denial_response(response)
        else:
            await response(scope, receive, send)


class NotAllAtOnce:
    """Behind a proxy all connections come from there: what counts is who has how many requests under way."""

    def __init__(self, app: ASGIApp, services: Services) -> None:
        self.app = app
        self.services = services
        self.crowd = Crowd(services.settings.most_connections_per_address)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not self.services.settings.is_behind_proxy:
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        address = address_of(scope, headers, self.services.settings)
        if not self.crowd.enter(address):
            self.services.metrics.refusals[Code.TOO_FAST] += 1
            body = refusal_body(Refused(Code.TOO_FAST), language_of(headers.get("accept-language", "")))
            await Response(body, 429, {"retry-after": "5"}, JSON)(scope, receive, send)
            return
        try:
            await self.app(scope, receive, send)
        finally:
            self.crowd.leave(address)


class Application:
    """Starlette's application and what it serves."""

    def __init__(self, services: Services, pages: Pages | None = None) -> None:
        self.services = services
        self.sockets: dict[Socket, None] = {}  # in the order they came
        self._by_address: Counter[str] = Counter()
        self.pages = pages = pages or Pages()
        services.build = pages.build
        routes = Starlette(
            routes=[
                *endpoints(ROUTES, services),
                WebSocketRoute("/ws", self.socket),
                Mount("/api", app=self.not_found),
                StarletteRoute("/t/{table}", self.table_page, methods=["GET"]),
                StarletteRoute("/embed/{path:path}", pages.serve_embed, methods=["GET"]),
                StarletteRoute("/rules/{game}", self.rules_page, methods=["GET"]),
                StarletteRoute("/{path:path}", pages.serve, methods=["GET"]),
            ],
            lifespan=self.lifespan,
            exception_handlers={HTTPException: self.refused, 404: self.refused, 405: self.refused},
        )
        self.asgi = WithHeaders(NotAllAtOnce(KnownNames(routes, services), services))

    @asynccontextmanager
    async def lifespan(self, _: Starlette) -> AsyncIterator[None]:
        await self.services.start()
        admin = Admin(self.services, self.services.settings.admin) if self.services.settings.admin else None
        if admin is not None:
            await admin.start()
        warming = asyncio.ensure_future(self.services.tables.loader.load_all())
        log.info("started", extra={"facts": {"database": self.services.store.shown}})
        try:
            yield
        finally:
            warming.cancel()
            await asyncio.gather(warming, return_exceptions=True)
            if admin is not None:
                await admin.stop()
            await self.stop()
            log.info("stopped")

    async def stop(self) -> None:
        self.announce_stop()
        await self.services.stop()

    def announce_stop(self) -> None:
        """Tell every socket that the server stops; clients come back by themselves."""
        self.services.is_stopping = True
        self.services.desk.close()
        for socket in list(self.sockets):
            socket.nudge()

    # --- Sockets ---

    async def socket(self, websocket: WebSocket) -> None:
        services = self.services
        try:
            if not is_same_origin(websocket.scope, services.settings):
                raise Refused(Code.FOREIGN_ORIGIN)
            caller = await caller_of(websocket.scope, services)
            if caller.is_guessing:
                raise Refused(Code.TOO_FAST)
            services.limiter.must_allow("socket", caller.key)
            full = len(self.sockets) >= services.settings.most_sockets
            if full or self._by_address[caller.address] >= services.settings.most_sockets_per_address:
                raise Refused(Code.TOO_FAST)
        except Refused as refusal:
            services.metrics.refusals[refusal.code] += 1
            body = refusal_body(refusal, language_of(websocket.headers.get("accept-language", "")))
            await websocket.send_denial_response(Response(body, status_of(refusal), media_type=JSON))
            return
        socket = Socket(websocket, services, caller)
        self.sockets[socket] = None
        self._by_address[caller.address] += 1
        services.metrics.sockets += 1
        services.metrics.sockets_opened += 1
        reason = "failed"
        try:
            reason = await socket.run()
        finally:
            self.sockets.pop(socket, None)
            self._by_address[caller.address] -= 1
            if not self._by_address[caller.address]:
                del self._by_address[caller.address]
            services.metrics.sockets -= 1
            services.metrics.sockets_closed[reason] += 1

    # --- Pages ---

    async def table_page(self, request: Request) -> Response:
        """The page, with what a site that shows its link needs to know."""
        return await self.pages.serve(request, await links.head_of(request, self.services))

    async def rules_page(self, request: Request) -> Response:
        """The page, and for those without scripts its text."""
        language = language_of(request.headers.get("accept-language", ""))
        return await self.pages.serve(request, *plain_rules.page_of(request.path_params["game"], language))

    # --- What is not there ---

    async def not_found(self, scope: Scope, receive: Receive, send: Send) -> None:
        here = any(pattern.match(scope["path"]) for pattern in PATTERNS)
        response = await self.refused(Request(scope, receive), HTTPException(405 if here else 404))
        await response(scope, receive, send)

    async def refused(self, request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 404
        code = Code.METHOD if status == 405 else Code.NOT_FOUND if status == 404 else Code.BAD_MESSAGE
        refusal = Refused(code)
        self.services.metrics.refusals[code] += 1
        body = refusal_body(refusal, language_of(request.headers.get("accept-language", "")))
        headers = dict(error.headers or {}) if isinstance(error, HTTPException) else {}
        return Response(body, status_of(refusal), headers, JSON)
