"""What comes from outside, read strictly or refused; there is no second, looser try."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import msgspec
from msgspec import Struct
from starlette.requests import Request

from regalia.server import protocol as wire
from regalia.server.model.refusals import Refused
from regalia.server.protocol import Code

MOST_BYTES_OF_A_BODY = 256 * 1024
BODY_S = 10.0  # a body that takes longer to arrive is given up
JSON = "application/json"


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
    place = re.search(r"`(\$[\w.\[\]]*)`$", str(error))
    return Refused(Code.BAD_MESSAGE, "server.error.field", None, field=place.group(1) if place else "$")


def decoded_id(text: str) -> str:
    """The id of a table in an address: what cannot be one is not found."""
    try:
        return msgspec.convert(text, wire.Id)
    except msgspec.ValidationError as error:
        raise Refused(Code.NOT_FOUND) from error
