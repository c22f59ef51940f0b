"""How often a caller may do something. Each kind has its own budget: a flood of one spares the rest.

A budget is a bucket of tokens that fills again at a steady rate. What costs more takes more of them: a replay of 200
positions is not one request like any other.
"""

from __future__ import annotations

from regalia.server.model.refusals import Refused
from regalia.server.ports import TimeSource
from regalia.server.protocol import Code
from regalia.server.settings import Rate, Rates

FEWEST_TO_SWEEP = 1000  # buckets


class Limiter:
    def __init__(self, rates: Rates, time: TimeSource) -> None:
        self._rates = rates
        self._time = time
        self._buckets: dict[
            tuple[str, str], tuple[float, int]
        ] = {}  # tokens, and the time they were counted at
        self._sweep_at = FEWEST_TO_SWEEP

    def allows(self, kind: str, caller: str, cost: float = 1) -> bool:
        """Pay, if the budget has it. What costs more than a whole bucket needs a full one, and leaves a debt."""
        rate = self._rate(kind)
        tokens = self._tokens(kind, caller)
        if tokens < min(cost, rate.amount):
            return False
        self._buckets[kind, caller] = (tokens - cost, self._time.steady_ms())
        if len(self._buckets) > self._sweep_at:
            self._sweep()
        return True

    def must_allow(self, kind: str, caller: str, cost: float = 1) -> None:
        if not self.allows(kind, caller, cost):
            raise Refused(Code.TOO_FAST)

    def forget(self, kind: str, caller: str) -> None:
        """The caller is gone for good."""
        self._buckets.pop((kind, caller), None)

    def _rate(self, kind: str) -> Rate:
        rate: Rate = getattr(self._rates, kind)
        return rate

    def _tokens(self, kind: str, caller: str) -> float:
        rate = self._rate(kind)
        tokens, counted_ms = self._buckets.get((kind, caller), (rate.amount, 0))
        passed_s = (self._time.steady_ms() - counted_ms) / 1000
        return min(rate.amount, tokens + passed_s * rate.amount / rate.seconds)

    def _sweep(self) -> None:
        """A full bucket is like none."""
        for kind, caller in list(self._buckets):
            if self._tokens(kind, caller) >= self._rate(kind).amount:
                del self._buckets[kind, caller]
        self._sweep_at = max(FEWEST_TO_SWEEP, 2 * len(self._buckets))
