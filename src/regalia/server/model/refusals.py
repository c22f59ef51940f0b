"""The one way to say no: a code of the closed set, in the player's language; and nothing has changed."""

from __future__ import annotations

from typing import NoReturn

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

RULE_CODES: list[tuple[type[RegaliaError], Code]] = [
    (StaleAction, Code.STALE),
    (NotYourTurn, Code.NOT_YOUR_TURN),
    (MatchOver, Code.MATCH_OVER),
    (IllegalAction, Code.ILLEGAL_ACTION),
    (NotationError, Code.UNREADABLE),
]


class Refused(Exception):
    def __init__(self, code: Code, key: str = "", clause: str | None = None, /, **values: object) -> None:
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

    def message(self, language: str, command: str | None = None, table: str | None = None) -> Refusal:
        words = say(language, self.key, **self.values)
        if self.clause:
            words = f"{words} ({self.clause})"
        return Refusal(self.code, words, self.key, self.values, self.clause, command, table)


def refuse(code: Code, key: str = "", /, **values: object) -> NoReturn:
    raise Refused(code, key, None, **values)
