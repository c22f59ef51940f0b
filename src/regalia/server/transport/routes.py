"""A thin layer of typed routes: from what a route takes and gives come its decoding and its OpenAPI."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import msgspec
from msgspec import Struct
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route as StarletteRoute

from regalia.server import protocol as wire
from regalia.server.model.refusals import Refused
from regalia.server.protocol import Code
from regalia.server.services import Services
from regalia.server.transport.auth import Caller, caller_of, clear_cookie, is_ours, language_of, set_cookie

MOST_BYTES_OF_A_BODY = 256 * 1024
BODY_S = 10.0  # a body that takes longer to arrive is given up
JSON = "application/json"
SAFE = ("GET", "HEAD")

log = logging.getLogger("regalia.http")

Answer = TypeVar("Answer")


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

    def pay(self, cost: float) -> None:
        """For a calculation, before it is done: from the caller's budget, and only while there is room for it."""
        if self.services.workers.is_full:
            raise Refused(Code.TOO_FAST)
        self.services.limiter.must_allow("work", self.caller.key, cost)

    async def work_out(self, cost: float, work: Callable[[], Answer]) -> Answer:
        self.pay(cost)
        return await self.services.workers.run(work)


@dataclass(frozen=True)
class Reply:
    """What is not simply a struct."""

    body: bytes
    media: str = JSON
    headers: tuple[tuple[str, str], ...] = ()
    cookie: str = ""  # the credential the browser shall keep


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
    caller: Caller | None = None
    try:
        if request.method not in SAFE and not is_ours(request.scope, services.settings):
            raise Refused(Code.FOREIGN_ORIGIN)
        caller = await caller_of(request.scope, services)
        reply = await handle(route, request, services, caller)
        status = 200
    except Refused as refusal:
        reply, status = refused_reply(refusal, language, services), refusal.status
    except ClientDisconnect:
        reply, status = Reply(b""), 499
    except Exception:  # a process edge: say so, log it, go on
        log.exception("request failed", extra={"facts": {"route": route.path, "method": route.method}})
        reply, status = refused_reply(Refused(Code.INTERNAL), language, services), 500
    services.metrics.requests[f"{route.method} {route.path}", status] += 1
    response = Response(reply.body, status, dict(reply.headers), reply.media)
    if reply.cookie:
        set_cookie(response, reply.cookie, services.settings)
    elif caller is not None and caller.has_wrong_cookie:
        clear_cookie(response, services.settings)
    return response


def refused_reply(refusal: Refused, language: str, services: Services) -> Reply:
    services.metrics.refusals[refusal.code] += 1
    body = msgspec.json.encode(wire.ErrorBody(refusal.message(language)))
    retry = (("retry-after", "5"),) if refusal.code in (Code.TOO_FAST, Code.STORAGE) else ()
    return Reply(body, headers=retry)


async def handle(route: Route, request: Request, services: Services, caller: Caller) -> Reply:
    if caller.is_guessing:
        raise Refused(Code.TOO_FAST)
    services.limiter.must_allow("request", caller.key)
    if route.needs_player:
        caller.must_be_player()
    if route.rate != "request":
        services.limiter.must_allow(route.rate, caller.key)
    query = decoded_query(request, route.query)
    body = await decoded_body(request, route.takes) if route.takes is not None else None
    given = await route.handler(Ask(services, caller, request.path_params, query, body, request))
    return given if isinstance(given, Reply) else Reply(msgspec.json.encode(given))


def decoded_query(request: Request, kind: type[Struct]) -> Any:
    """A field that is a tuple takes all the values of its name; any other name comes once."""
    several = {
        field.encode_name
        for field in msgspec.structs.fields(kind)
        if isinstance(msgspec.inspect.type_info(field.type), msgspec.inspect.VarTupleType)
    }
    values: dict[str, Any] = {}
    for name, value in request.query_params.multi_items():
        if name in several:
            values.setdefault(name, []).append(value)
        elif name in values:
            raise Refused(Code.BAD_MESSAGE, "server.error.field", None, field="?")
        else:
            values[name] = value
    try:
        return msgspec.convert(values, kind, strict=False)
    except msgspec.ValidationError as error:
        raise bad_field(error) from error


async def decoded_body(request: Request, kind: Any) -> Any:
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != JSON:
        raise Refused(Code.BAD_MESSAGE, "server.error.field", None, field="content-type")
    if int(request.headers.get("content-length", 0)) > MOST_BYTES_OF_A_BODY:  # the parser let only digits in
        raise Refused(Code.TOO_LARGE)
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
