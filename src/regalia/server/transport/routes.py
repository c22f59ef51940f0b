"""A thin layer of typed routes: a route's types of query, body and response are its decoding and its OpenAPI."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import msgspec
from msgspec import Struct
from starlette.requests import ClientDisconnect
from starlette.requests import Request as HttpRequest
from starlette.responses import Response as HttpResponse
from starlette.responses import StreamingResponse
from starlette.routing import Route as StarletteRoute

from regalia.server.model.refusals import Refused
from regalia.server.model.table import Table
from regalia.server.people.sessions import Session
from regalia.server.protocol import Code
from regalia.server.services import Services
from regalia.server.transport.auth import (
    Caller,
    caller_of,
    clear_cookie,
    is_same_origin,
    language_of,
    put_cookie,
    set_browser,
)
from regalia.server.transport.decoding import JSON, decoded_body, decoded_query
from regalia.server.transport.refusals import refusal_body, status_of

SAFE = ("GET", "HEAD")

log = logging.getLogger("regalia.http")

Answer = TypeVar("Answer")


class NoQuery(Struct, frozen=True, forbid_unknown_fields=True):
    pass


@dataclass
class Request:
    """A request, decoded."""

    services: Services
    caller: Caller
    path: dict[str, str]
    query: Any
    body: Any
    http: HttpRequest

    def player_at(self, table: Table) -> str | None:
        """By which id the caller is known at a table."""
        return None if self.caller.player is None else self.caller.player.at(table).id

    def pay(self, cost: float) -> None:
        """For a calculation, before it is done: from the caller's budget, and only while there is room for it."""
        if self.services.workers.is_full:
            raise Refused(Code.TOO_FAST)
        self.services.limiter.must_allow("work", self.caller.key, cost)

    async def work_out(self, cost: float, work: Callable[[], Answer]) -> Answer:
        self.pay(cost)
        return await self.services.workers.run(work)


@dataclass(frozen=True)
class Response:
    """What is not simply a struct."""

    body: bytes
    media: str = JSON
    headers: tuple[tuple[str, str], ...] = ()
    session: Session | None = None  # that the browser shall keep
    browser: str = ""  # the key of a browser in which somebody has signed in
    forgets: bool = False  # the browser shall keep none


@dataclass(frozen=True)
class Stream:
    """What comes bit by bit, a line of JSON each; who has heard enough closes the connection."""

    lines: AsyncGenerator[bytes, None]


Handler = Callable[[Request], Awaitable[object]]


@dataclass(frozen=True)
class Route:
    method: str
    path: str
    summary: str  # one sentence
    handler: Handler
    response: Any
    body: Any = None
    query: type[Struct] = NoQuery
    needs_player: bool = False
    in_browser: bool = False  # not for a program with a token
    rate: str = "request"
    media: str = JSON


def endpoints(routes: list[Route], services: Services) -> list[StarletteRoute]:
    """One Starlette route per path: it knows which methods there are."""
    paths: dict[str, dict[str, Route]] = {}
    for route in routes:
        paths.setdefault(route.path, {})[route.method] = route
    return [
        StarletteRoute(path, endpoint_of(methods, services), methods=list(methods))
        for path, methods in paths.items()
    ]


def endpoint_of(
    methods: dict[str, Route], services: Services
) -> Callable[[HttpRequest], Awaitable[HttpResponse]]:
    async def endpoint(request: HttpRequest) -> HttpResponse:
        method = "GET" if request.method == "HEAD" else request.method
        return await answer(methods[method], request, services)

    return endpoint


async def answer(route: Route, request: HttpRequest, services: Services) -> HttpResponse:
    language = language_of(request.headers.get("accept-language", ""))
    caller: Caller | None = None
    response: Response | Stream
    try:
        if request.method not in SAFE and not is_same_origin(request.scope, services.settings):
            raise Refused(Code.FOREIGN_ORIGIN)
        caller = await caller_of(request.scope, services)
        response = await handle(route, request, services, caller)
        status = 200
    except Refused as refusal:
        response, status = refused(refusal, language, services), status_of(refusal)
    except ClientDisconnect:
        response, status = Response(b""), 499
    except Exception:  # a process edge: say so, log it, go on
        log.exception("request failed", extra={"facts": {"route": route.path, "method": route.method}})
        response, status = refused(Refused(Code.INTERNAL), language, services), 500
    services.metrics.requests[f"{route.method} {route.path}", status] += 1
    if isinstance(response, Stream):
        return StreamingResponse(response.lines, status, media_type="application/x-ndjson")
    answered = HttpResponse(response.body, status, dict(response.headers), response.media)
    if response.forgets:
        clear_cookie(answered, services.settings)
    elif caller is not None:
        if response.browser:
            set_browser(answered, response.browser, services.settings)
        put_cookie(answered, caller, services.settings, response.session)
    return answered


def refused(refusal: Refused, language: str, services: Services) -> Response:
    services.metrics.refusals[refusal.code] += 1
    retry = (("retry-after", "5"),) if refusal.code in (Code.TOO_FAST, Code.STORAGE) else ()
    return Response(refusal_body(refusal, language), headers=retry)


async def handle(route: Route, request: HttpRequest, services: Services, caller: Caller) -> Response | Stream:
    if caller.is_guessing:
        raise Refused(Code.TOO_FAST)
    services.limiter.must_allow("request", caller.key)
    if route.needs_player:
        caller.must_be_player()
    if route.in_browser:
        caller.must_be_here()
    if route.rate != "request":
        services.limiter.must_allow(route.rate, caller.key)
    query = decoded_query(request, route.query)
    body = await decoded_body(request, route.body) if route.body is not None else None
    answer = await route.handler(Request(services, caller, request.path_params, query, body, request))
    return answer if isinstance(answer, Response | Stream) else Response(msgspec.json.encode(answer))
