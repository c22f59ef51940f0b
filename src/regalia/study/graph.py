"""The graph of a review as a picture that stands alone: shares of the victory, marks by shape, luck beneath."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from regalia.locale import say

if TYPE_CHECKING:
    from regalia.study.decisions import Decision
    from regalia.study.review import Review

WIDTH, SHARES, LUCK, EDGE = 800, 240, 60, 28  # of the whole, of its two parts, and around them
COLOURS = ("#2b5d8a", "#b4532a", "#3f7d4f", "#7a4f8f", "#8a7a1f")
INK, PALE = "#444444", "#dddddd"


def draw(review: Review, language: str = "en") -> str:
    """With two sides the line of the first, with more a band for each."""
    graph = Graph(review)
    words = escape(say(language, "study.review.graph"))
    size = f'viewBox="0 0 {WIDTH} {SHARES + LUCK + 3 * EDGE}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" font-family="serif" font-size="12">',
        f"<title>{words}</title>",
        f'<rect width="{WIDTH}" height="{SHARES + LUCK + 3 * EDGE}" fill="#fffdf7"/>',
        *graph.rules(),
        *(graph.line() if len(review.sides) == 2 else graph.bands()),
        *(graph.mark(decision) for decision in review.decisions if decision.mark is not None),
        *graph.luck(),
        "</svg>",
    ]
    return "\n".join(parts)


class Graph:
    def __init__(self, review: Review) -> None:
        self.review = review
        self.last = max(1, len(review.values) - 1)
        self.most = max((abs(share) for event in review.luck for share in event.by_side), default=1.0) or 1.0

    def x(self, ply: float) -> float:
        return EDGE + (WIDTH - 2 * EDGE) * ply / self.last

    def y(self, share: float) -> float:
        return EDGE + SHARES * (1 - min(1.0, max(0.0, share)))

    def rules(self) -> list[str]:
        lines = []
        for percent in (0, 25, 50, 75, 100):
            y = self.y(percent / 100)
            lines.append(f'<path d="M{EDGE} {y:.1f}H{WIDTH - EDGE}" stroke="{PALE}"/>')
            lines.append(
                f'<text x="{EDGE - 4}" y="{y + 4:.1f}" text-anchor="end" fill="{INK}">{percent}</text>'
            )
        return lines

    def line(self) -> list[str]:
        """The share of the first side, with a band of one error either way."""
        values = self.review.values
        shares, errors = [value.share[0] for value in values], [value.error[0] for value in values]
        above = [(self.x(ply), self.y(shares[ply] + errors[ply])) for ply in range(len(values))]
        below = [(self.x(ply), self.y(shares[ply] - errors[ply])) for ply in range(len(values))]
        curve = [(self.x(ply), self.y(share)) for ply, share in enumerate(shares)]
        return [
            f'<path d="{way(above + below[::-1])}Z" fill="{COLOURS[0]}" opacity="0.25"/>',
            f'<path d="{way(curve)}" fill="none" stroke="{COLOURS[0]}" stroke-width="1.5"/>',
        ]

    def bands(self) -> list[str]:
        """Each side's share upon those of the sides before it."""
        values = self.review.values
        below = [0.0] * len(values)
        paths = []
        for side in range(len(self.review.sides)):
            above = [low + value.share[side] for low, value in zip(below, values, strict=True)]
            edge = [(self.x(ply), self.y(share)) for ply, share in enumerate(above)]
            back = [(self.x(ply), self.y(share)) for ply, share in enumerate(below)]
            paths.append(f'<path d="{way(edge + back[::-1])}Z" fill="{COLOURS[side]}" opacity="0.75"/>')
            below = above
        return paths

    def mark(self, decision: Decision) -> str:
        """A ring for a doubtful decision, a triangle for a mistake, a square for a blunder."""
        side = next(i for i, side in enumerate(self.review.sides) if decision.seat in side.seats)
        x, y = self.x(decision.ply), self.y(self.height(decision.ply, side))
        style = f'fill="#fffdf7" stroke="{COLOURS[side]}" stroke-width="2"'
        title = f"<title>{decision.ply} {escape(decision.played)}</title>"
        if decision.mark == "doubtful":
            return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" {style}>{title}</circle>'
        shape = "m0 -5l5 9h-10z" if decision.mark == "mistake" else "m-5 -5h10v10h-10z"
        return f'<path d="M{x:.1f} {y:.1f}{shape}" {style}>{title}</path>'

    def height(self, ply: int, side: int) -> float:
        """Where a side's marks stand: on the line, or in the middle of its band."""
        share = self.review.values[ply].share
        return share[0] if len(share) == 2 else sum(share[:side]) + share[side] / 2

    def luck(self) -> list[str]:
        """A tick for each roll, as long as what it brought its luckiest side, in that side's colour."""
        top = SHARES + 2 * EDGE
        ticks = [f'<path d="M{EDGE} {top + LUCK}H{WIDTH - EDGE}" stroke="{PALE}"/>']
        for event in self.review.luck:
            side = max(range(len(event.by_side)), key=lambda one: event.by_side[one])
            long = LUCK * event.by_side[side] / self.most
            if long >= 0.5:
                title = f"<title>{event.ply} {escape(event.text)}</title>"
                ticks.append(
                    f'<path d="M{self.x(event.ply + 0.5):.1f} {top + LUCK}v{-long:.1f}" '
                    f'stroke="{COLOURS[side]}" stroke-width="2">{title}</path>'
                )
        return ticks


def way(points: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
