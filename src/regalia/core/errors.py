"""Every error a caller can cause, as one small tree.

    RegaliaError (a ValueError)
    ├── RuleError            a rule refuses; `.clause` names it ("RK-22"), `.seat` and `.ply` say who and when
    │   ├── IllegalAction    the action is not allowed now
    │   ├── NotYourTurn      the seat owes no decision
    │   ├── StaleAction      the caller looked at an older position (`.clause` is None)
    │   └── MatchOver        nothing can be played any more
    ├── NotationError        a text or position that cannot be read; the message says what and where
    └── SetupError           unknown game, number of seats, seat, option, seed or ply

Whoever raises one has changed nothing. `key` and `values` say the same in any language (see `regalia.locale`).
"""

from __future__ import annotations

from typing import Self

from regalia.locale import say


class RegaliaError(ValueError):
    """A message of the catalogue: `str(error)` is English, `error.text("de")` is German."""

    def __init__(self, key: str, /, **values: object) -> None:
        super().__init__(key, values)
        self.key = key
        self.values = values

    def text(self, language: str = "en") -> str:
        return say(language, self.key, **self.values)

    def __str__(self) -> str:
        return self.text()


class RuleError(RegaliaError):
    """A rule refuses. The clause is part of the message."""

    def __init__(self, key: str, clause: str | None = None, /, **values: object) -> None:
        super().__init__(key, **values)
        self.clause = clause
        self.seat: int | None = None  # who acted, where a match refused
        self.ply: int | None = None  # at which ply of the match

    def at(self, seat: int | None, ply: int) -> Self:
        """The same error, from a seat of a match at a ply."""
        self.seat, self.ply = seat, ply
        return self

    def text(self, language: str = "en") -> str:
        words = super().text(language)
        return f"{words} ({self.clause})" if self.clause else words


class IllegalAction(RuleError):
    pass


class NotYourTurn(RuleError):
    pass


class StaleAction(RuleError):
    pass


class MatchOver(RuleError):
    pass


class NotationError(RegaliaError):
    pass


class SetupError(RegaliaError):
    pass
