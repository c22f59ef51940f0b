"""Text as outlines, so that a picture looks the same where our typefaces are not installed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from io import BytesIO
from itertools import groupby
from pathlib import Path

import uharfbuzz as hb
from fontTools.misc.transform import Transform
from fontTools.pens.basePen import decomposeQuadraticSegment
from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTFont

from regalia.pictures.curves import Point, curve

FOLDER = Path(__file__).parent / "bundle" / "fonts"
MOST_KEPT = 4096  # outlines of texts
# Our typefaces have neither italics nor small capitals: browsers make them up in these measures, and so do we.
SLANT = 0.25
SMALL_CAPS = 0.7
COMMANDS = {"moveTo": "m", "lineTo": "l", "qCurveTo": "q", "curveTo": "c"}
NUMBERS = {
    "lining-nums": "lnum",
    "oldstyle-nums": "onum",
    "tabular-nums": "tnum",
    "proportional-nums": "pnum",
}


@dataclass(frozen=True)
class Face:
    """A typeface in one weight."""

    outlines: TTFont
    shaping: hb.Font
    units: int  # of its em
    ascent: float  # in ems, as browsers read them
    descent: float


@cache
def face(name: str, weight: int) -> Face:
    font = TTFont(FOLDER / f"{name}-{weight}.woff")
    font.flavor = None
    data = BytesIO()
    font.save(data)
    units = font["head"].unitsPerEm
    metrics = font["hhea"]
    return Face(
        TTFont(BytesIO(data.getvalue())),
        hb.Font(hb.Face(data.getvalue())),
        units,
        metrics.ascent / units,
        -metrics.descent / units,
    )


@dataclass(frozen=True)
class Glyph:
    name: str
    form: Transform  # from the units of the face to those of the picture
    advance: float  # to the next one


@dataclass(frozen=True)
class Type:
    """How a text is set."""

    family: str = '"Source Sans 3", sans-serif'
    size: float = 16.0
    weight: int = 400
    numbers: str = "tabular-nums"
    spacing: float = 0.0  # between letters
    anchor: str = "start"
    baseline: str = "auto"
    is_italic: bool = False
    is_small_caps: bool = False
    scale: float = 1.0  # pixels for a unit of the picture: browsers measure a face in whole pixels

    @property
    def face(self) -> Face:
        name = "source-sans-3" if "Source Sans" in self.family.partition(",")[0] else "eb-garamond"
        return face(name, 600 if self.weight > 500 else 400)

    @lru_cache(MOST_KEPT)  # noqa: B019 - a few kinds of type, which stay for good
    def outline(self, text: str) -> str:
        """The path of a line of text that is placed at the origin."""
        glyphs = self._shape(text)
        left = self._start(glyphs)
        base = self._drop()
        drawn = []
        for glyph in glyphs:
            drawn.append((glyph, Transform(1, 0, 0, 1, left, base)))
            left += glyph.advance
        return self._draw(drawn)

    @lru_cache(MOST_KEPT)  # noqa: B019 - as above
    def outline_along(self, text: str, path: str, offset: float) -> str:
        """The path of a line of text along another one, placed so far along it as a share of its length.

        Every letter stands over the point under its middle, as browsers set them; none stands beyond the ends.
        """
        way = curve(path)
        glyphs = self._shape(text)
        far = way.length * offset + self._start(glyphs)
        base = self._drop()
        drawn = []
        for glyph in glyphs:
            place = way.at(far + glyph.advance / 2)
            if place is not None:
                drawn.append((glyph, place.translate(-glyph.advance / 2, base)))
            far += glyph.advance
        return self._draw(drawn)

    def width(self, text: str) -> float:
        return sum(glyph.advance for glyph in self._shape(text))

    def _start(self, glyphs: list[Glyph]) -> float:
        """From where a text is placed to its first letter."""
        return -{"middle": 0.5, "end": 1.0}.get(self.anchor, 0.0) * sum(glyph.advance for glyph in glyphs)

    def _shape(self, text: str) -> list[Glyph]:
        face = self.face
        features = {NUMBERS[word]: True for word in self.numbers.split() if word in NUMBERS}
        if self.spacing:
            features["liga"] = False
        glyphs = []
        for part, share in self._parts(text):
            scale = share * self.size / face.units
            buffer = hb.Buffer()
            buffer.add_str(part)
            buffer.guess_segment_properties()
            hb.shape(face.shaping, buffer, features)
            for info, place in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True):
                name = face.outlines.getGlyphName(info.codepoint)
                slant = SLANT * scale if self.is_italic else 0.0
                form = Transform(scale, 0, slant, -scale, place.x_offset * scale, -place.y_offset * scale)
                glyphs.append(Glyph(name, form, place.x_advance * scale + self.spacing))
        return glyphs

    def _parts(self, text: str) -> Iterator[tuple[str, float]]:
        """What is set in one size, and its share of the text's size."""
        if not self.is_small_caps:
            yield text, 1.0
            return
        for is_small, letters in groupby(text, str.islower):
            part = "".join(letters)
            yield (part.upper(), SMALL_CAPS) if is_small else (part, 1.0)

    def _draw(self, glyphs: list[tuple[Glyph, Transform]]) -> str:
        shapes = self.face.outlines.getGlyphSet()
        pen = DecomposingRecordingPen(shapes)
        for glyph, place in glyphs:
            shapes[glyph.name].draw(TransformPen(pen, place.transform(glyph.form)))
        return written(pen.value)

    def _drop(self) -> float:
        """From where a text is placed down to the line its letters stand on."""
        ascent, descent = (
            round(part * self.size * self.scale) / self.scale
            for part in (self.face.ascent, self.face.descent)
        )
        match self.baseline:
            case "central" | "middle":
                return (ascent - descent) / 2
            case "hanging" | "text-before-edge":
                return ascent
            case _:
                return 0.0


def written(drawn: list[tuple[str, tuple[Point, ...]]]) -> str:
    """A path in few letters: every point as its way from the one before."""
    text = []
    at = start = (0.0, 0.0)  # as it was written, so that what is rounded off does not add up
    for command, points in drawn:
        if command == "closePath":
            text.append("z")
            at = start
            continue
        for part in decomposeQuadraticSegment(points) if command == "qCurveTo" else [points]:
            ways = [(round(x - at[0], 2), round(y - at[1], 2)) for x, y in part]
            if command == "moveTo" or any(way != (0, 0) for way in ways):
                numbers = " ".join(short(number) for way in ways for number in way)
                text.append(COMMANDS[command] + numbers.replace(" -", "-"))
            at = at[0] + ways[-1][0], at[1] + ways[-1][1]
        if command == "moveTo":
            start = at
    return "".join(text)


def short(number: float) -> str:
    """At most two decimals, and no letter more than needed."""
    text = f"{number:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text.replace("0.", ".", 1) if text.lstrip("-").startswith("0.") else text
