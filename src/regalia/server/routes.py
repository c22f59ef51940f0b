"""A thin layer of typed routes: from what a route takes and gives come its decoding and its OpenAPI."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import msgspec
from msgspec import Struct
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route as StarletteRoute

from regalia.server import protocol as wire
from regalia.server.callers import Caller, caller_of, is_ours
from regalia.server.protocol import Code
from regalia.server.refused import Refused
from regalia.server.services import Services, language_of

MOST_BYTES_OF_A_BODY = 256 * 1024
BODY_S = 10.0  # a body that takes longer to arrive is given up
JSON = "application/json"
SAFE = ("GET", "HEAD")

log = logging.getLogger("regalia.http")


class NoQuery(Struct, frozen=True, forbid_unknown_fields=True):
    pass


@dataclass
class Ask:
    """A request, decoded."""

    services: Services
    caller: Caller
    path: dict[str, str]
    query: Any
    body: Any
    request: Request


@dataclass(frozen=True)
class Reply:
    """What is not simply a struct."""

    body: bytes
    media: str = JSON
    headers: tuple[tuple[str, str], ...] = ()


Handler = Callable[[Ask], Awaitable[object]]


@dataclass(frozen=True)
class Route:
    method: str
    path: str
    does: str  # one sentence
    handler: Handler
    gives: Any
    takes: Any = None  # the body
    query: type[Struct] = NoQuery
    needs_player: bool = False
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


def endpoint_of(methods: dict[str, Route], services: Services) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        method = "GET" if request.method == "HEAD" else request.method
        return await answer(methods[method], request, services)

    return endpoint


async def answer(route: Route, request: Request, services: Services) -> Response:
    language = language_of(request.headers.get("accept-language", ""))
    try:
        reply = await handle(route, request, services)
        status = 200
    except Refused as refusal:
        reply, status = refused_reply(refusal, language, services), refusal.status
    except ClientDisconnect:
        reply, status = Reply(b""), 499
    except Exception:  # a process edge: say so, log it, go on
        log.exception("request failed", extra={"facts": {"route": route.path, "method": route.method}})
        reply, status = refused_reply(Refused(Code.INTERNAL), language, services), 500
    services.metrics.requests[f"{route.method} {route.path}", status] += 1
    return Response(reply.body, status, dict(reply.headers), reply.media)


def refused_reply(refusal: Refused, language: str, services: Services) -> Reply:
    services.metrics.refusals[refusal.code] += 1
    body = msgspec.json.encode(wire.ErrorBody(refusal.message(language)))
    retry = (("retry-after", "5"),) if refusal.code in (Code.TOO_FAST, Code.STORAGE) else ()
    return Reply(body, headers=retry)


async def handle(route: Route, request: Request, services: Services) -> Reply:
    if request.method not in SAFE and not is_ours(request.scope, services.settings):
        raise Refused(Code.FOREIGN_ORIGIN)
    caller = await caller_of(request.scope, services)
    services.limiter.must_allow("request", caller.address)
    if route.needs_player:
        caller.must_be_player()
    if route.rate != "request":
        services.limiter.must_allow(route.rate, caller.key)
    query = decoded_query(request, route.query)
    body = await decoded_body(request, route.takes) if route.takes is not None else None
    given = await route.handler(Ask(services, caller, request.path_params, query, body, request))
    return given if isinstance(given, Reply) else Reply(msgspec.json.encode(given))


def decoded_query(request: Request, kind: type[Struct]) -> Any:
    pairs = request.query_params.multi_items()
    if len({name for name, _ in pairs}) != len(pairs):
        raise Refused(Code.BAD_MESSAGE, "server.error.field", None, field="?")
    try:
        return msgspec.convert(dict(pairs), kind, strict=False)
    except msgspec.ValidationError as error:
        raise bad_field(error) from error


async def decoded_body(request: Request, kind: Any) -> Any:
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != JSON:
        raise Refused(Code.BAD_MESSAGE, "server.error.field", None, field="content-type")
    try:
        raw = await asyncio.wait_for(read_body(request), BODY_S)
    except TimeoutError as error:
        raise Refused(Code.BAD_MESSAGE) from error
    return decoded(raw, kind)


async def read_body(request: Request) -> bytes:
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size > MOST_BYTES_OF_A_BODY:
            raise Refused(Code.TOO_LARGE)
        parts.append(part)
    return b"".join(parts)


def decoded(raw: bytes, kind: Any) -> Any:
    try:
        return msgspec.json.decode(raw, type=kind)
    except msgspec.ValidationError as error:
        raise bad_field(error) from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Refused(Code.BAD_MESSAGE) from error


def bad_field(error: msgspec.ValidationError) -> Refused:
    """Names the place (`$.seats[0].kind`), not the value."""
    found = re.search(r"`(\$[\w.\[\]]*)`$", str(error))
    return Refused(Code.BAD_MESSAGE, "server.error.field", None, field=found.group(1) if found else "$")
