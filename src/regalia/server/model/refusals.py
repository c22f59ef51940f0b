"""The one way to say no: a code of the closed set, in the player's language; and nothing has changed."""

from __future__ import annotations

from http import HTTPStatus

from regalia.core.errors import (
    IllegalAction,
    MatchOver,
    NotationError,
    NotYourTurn,
    RegaliaError,
    RuleError,
    StaleAction,
)
from regalia.locale import say
from regalia.server.protocol import Code, Refusal

STATUS = {
    Code.BAD_MESSAGE: HTTPStatus.UNPROCESSABLE_ENTITY,
    Code.TOO_LARGE: HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    Code.TOO_FAST: HTTPStatus.TOO_MANY_REQUESTS,
    Code.FOREIGN_ORIGIN: HTTPStatus.FORBIDDEN,
    Code.WRONG_HOST: HTTPStatus.MISDIRECTED_REQUEST,
    Code.SIGN_IN: HTTPStatus.UNAUTHORIZED,
    Code.BAD_CREDENTIALS: HTTPStatus.UNAUTHORIZED,
    Code.NOT_FOUND: HTTPStatus.NOT_FOUND,
    Code.METHOD: HTTPStatus.METHOD_NOT_ALLOWED,
    Code.NOT_YOUR_SEAT: HTTPStatus.FORBIDDEN,
    Code.HOST_ONLY: HTTPStatus.FORBIDDEN,
    Code.STORAGE: HTTPStatus.SERVICE_UNAVAILABLE,
    Code.INTERNAL: HTTPStatus.INTERNAL_SERVER_ERROR,
}  # every other code is a conflict with what is true now

RULE_CODES: list[tuple[type[RegaliaError], Code]] = [
    (StaleAction, Code.STALE),
    (NotYourTurn, Code.NOT_YOUR_TURN),
    (MatchOver, Code.MATCH_OVER),
    (IllegalAction, Code.ILLEGAL_ACTION),
    (NotationError, Code.UNREADABLE),
]


class Refused(Exception):
    def __init__(self, code: Code, key: str = "", clause: str | None = None, **values: object) -> None:
        super().__init__(code)
        self.code = code
        self.key = key or f"server.error.{code}"
        self.clause = clause
        self.values = {name: str(value) for name, value in values.items()}

    @classmethod
    def by_rule(cls, error: RegaliaError, code: Code | None = None) -> Refused:
        """What the gate of the match said."""
        if code is None:
            code = next((code for kind, code in RULE_CODES if isinstance(error, kind)), Code.SETUP)
        clause = error.clause if isinstance(error, RuleError) else None
        return cls(code, error.key, clause, **error.values)

    @property
    def status(self) -> int:
        return STATUS.get(self.code, HTTPStatus.CONFLICT)

    def message(self, language: str, command: str | None = None, table: str | None = None) -> Refusal:
        words = say(language, self.key, **self.values)
        if self.clause:
            words = f"{words} ({self.clause})"
        return Refusal(self.code, words, self.key, self.values, self.clause, command, table)
