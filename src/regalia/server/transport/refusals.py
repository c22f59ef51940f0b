"""How a refusal is told over HTTP."""

from __future__ import annotations

from http import HTTPStatus

import msgspec

from regalia.server import protocol as wire
from regalia.server.model.refusals import Refused
from regalia.server.protocol import Code

STATUS = {
    Code.BAD_MESSAGE: HTTPStatus.UNPROCESSABLE_ENTITY,
    Code.TOO_LARGE: HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    Code.TOO_FAST: HTTPStatus.TOO_MANY_REQUESTS,
    Code.FOREIGN_ORIGIN: HTTPStatus.FORBIDDEN,
    Code.WRONG_HOST: HTTPStatus.MISDIRECTED_REQUEST,
    Code.SIGN_IN: HTTPStatus.UNAUTHORIZED,
    Code.BAD_CREDENTIALS: HTTPStatus.UNAUTHORIZED,
    Code.PROOF: HTTPStatus.FORBIDDEN,
    Code.WRONG_PROOF: HTTPStatus.FORBIDDEN,
    Code.WEAK_PASSWORD: HTTPStatus.UNPROCESSABLE_ENTITY,
    Code.BROWSER_ONLY: HTTPStatus.FORBIDDEN,
    Code.NOT_FOUND: HTTPStatus.NOT_FOUND,
    Code.METHOD: HTTPStatus.METHOD_NOT_ALLOWED,
    Code.NOT_YOUR_SEAT: HTTPStatus.FORBIDDEN,
    Code.HOST_ONLY: HTTPStatus.FORBIDDEN,
    Code.STORAGE: HTTPStatus.SERVICE_UNAVAILABLE,
    Code.INTERNAL: HTTPStatus.INTERNAL_SERVER_ERROR,
}  # every other code is a conflict with what is true now


def status_of(refusal: Refused) -> int:
    return STATUS.get(refusal.code, HTTPStatus.CONFLICT)


def refusal_body(refusal: Refused, language: str) -> bytes:
    return msgspec.json.encode(wire.ErrorBody(refusal.message(language)))
