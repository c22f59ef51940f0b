"""Figures about the running server, as Prometheus text."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter

BOUNDS_S = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)


class Histogram:
    def __init__(self) -> None:
        self.counts = [0] * (len(BOUNDS_S) + 1)
        self.total = 0.0

    def add(self, seconds: float) -> None:
        self.counts[bisect_left(BOUNDS_S, seconds)] += 1
        self.total += seconds


class Metrics:
    def __init__(self) -> None:
        self.requests: Counter[tuple[str, int]] = Counter()  # by route and status
        self.refusals: Counter[str] = Counter()  # by code
        self.sockets = 0
        self.sockets_opened = 0
        self.sockets_closed: Counter[str] = Counter()  # by reason
        self.frames_in = 0
        self.frames_out = 0
        self.command_s = Histogram()  # from a command's arrival to its ack

    def text(self, gauges: dict[str, float], counters: dict[str, float]) -> str:
        lines: list[str] = []

        def family(name: str, kind: str, samples: list[tuple[str, float]]) -> None:
            lines.append(f"# TYPE regalia_{name} {kind}")
            lines.extend(f"regalia_{name}{labels} {value:g}" for labels, value in samples)

        for name, value in gauges.items():
            family(name, "gauge", [("", value)])
        for name, value in counters.items():
            family(f"{name}_total", "counter", [("", value)])
        family("sockets", "gauge", [("", self.sockets)])
        family("sockets_opened_total", "counter", [("", self.sockets_opened)])
        family("frames_in_total", "counter", [("", self.frames_in)])
        family("frames_out_total", "counter", [("", self.frames_out)])
        family("sockets_closed_total", "counter", labelled("reason", self.sockets_closed))
        family("refusals_total", "counter", labelled("code", self.refusals))
        requests = [
            (f'{{route="{route}",status="{status}"}}', float(count))
            for (route, status), count in sorted(self.requests.items())
        ]
        family("http_requests_total", "counter", requests)
        lines += self._seconds("command_seconds", self.command_s)
        return "\n".join(lines) + "\n"

    @staticmethod
    def _seconds(name: str, histogram: Histogram) -> list[str]:
        lines, count = [f"# TYPE regalia_{name} histogram"], 0
        for bound, here in zip((*BOUNDS_S, float("inf")), histogram.counts, strict=True):
            count += here
            edge = "+Inf" if bound == float("inf") else f"{bound:g}"
            lines.append(f'regalia_{name}_bucket{{le="{edge}"}} {count}')
        return [*lines, f"regalia_{name}_sum {histogram.total:g}", f"regalia_{name}_count {count}"]


def labelled(label: str, counts: Counter[str]) -> list[tuple[str, float]]:
    return [(f'{{{label}="{key}"}}', float(count)) for key, count in sorted(counts.items())]
