"""Curves that words are set along."""

from __future__ import annotations

from bisect import bisect_right
from functools import cache
from math import dist

from fontTools.misc.bezierTools import cubicPointAtT
from fontTools.misc.transform import Transform
from fontTools.pens.recordingPen import RecordingPen
from fontTools.svgLib.path import parse_path

STEPS = 64  # of an arc, each a straight line: at the size of a word the eye sees no corner

Point = tuple[float, float]


def points_of(path: str) -> list[Point]:
    """What a path of lines and arcs goes through."""
    pen = RecordingPen()
    parse_path(path, pen)
    points: list[Point] = []
    for command, arguments in pen.value:
        if command == "curveTo":
            start = points[-1]
            points += [cubicPointAtT(start, *arguments, step / STEPS) for step in range(1, STEPS + 1)]
        else:
            points += arguments
    return points


class Curve:
    def __init__(self, path: str) -> None:
        self._points = points_of(path)
        self._marks = [0.0]  # how far along each point lies
        for here, there in zip(self._points, self._points[1:], strict=False):
            self._marks.append(self._marks[-1] + dist(here, there))
        self.length = self._marks[-1]

    def at(self, far: float) -> Transform | None:
        """A place on the curve, turned as the curve goes there; None beyond its ends."""
        if not 0 <= far <= self.length:
            return None
        index = min(bisect_right(self._marks, far), len(self._marks) - 1) - 1
        (ax, ay), (bx, by) = self._points[index : index + 2]
        step = self._marks[index + 1] - self._marks[index]
        cos, sin, part = (bx - ax) / step, (by - ay) / step, (far - self._marks[index]) / step
        return Transform(cos, sin, -sin, cos, ax + (bx - ax) * part, ay + (by - ay) * part)


@cache
def curve(path: str) -> Curve:
    return Curve(path)
