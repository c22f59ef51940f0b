"""How often a caller may do something. Each kind has its own budget: a flood of one spares the rest."""

from __future__ import annotations

from dataclasses import fields

from limits import RateLimitItem, parse
from limits.storage import MemoryStorage
from limits.strategies import FixedWindowRateLimiter

from regalia.server.protocol import Code
from regalia.server.refused import Refused
from regalia.server.settings import Rates


class Limiter:
    def __init__(self, rates: Rates) -> None:
        self._items: dict[str, RateLimitItem] = {
            kind.name: parse(getattr(rates, kind.name)) for kind in fields(rates)
        }
        self._limiter = FixedWindowRateLimiter(MemoryStorage())

    def allows(self, kind: str, caller: str) -> bool:
        return bool(self._limiter.hit(self._items[kind], kind, caller))

    def must_allow(self, kind: str, caller: str) -> None:
        if not self.allows(kind, caller):
            raise Refused(Code.TOO_FAST)

    def is_exhausted(self, kind: str, caller: str) -> bool:
        """Without counting this one."""
        return not self._limiter.test(self._items[kind], kind, caller)
