"""Text as outlines, so that a picture looks the same where our typefaces are not installed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from io import BytesIO
from pathlib import Path

import uharfbuzz as hb
from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTFont

FOLDER = Path(__file__).parent / "bundle" / "fonts"
MOST_KEPT = 4096  # outlines of texts
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
class Type:
    """How a text is set."""

    family: str = '"Source Sans 3", sans-serif'
    size: float = 16.0
    weight: int = 400
    numbers: str = "tabular-nums"
    spacing: float = 0.0  # between letters
    anchor: str = "start"
    baseline: str = "auto"

    @property
    def face(self) -> Face:
        name = "source-sans-3" if "Source Sans" in self.family.partition(",")[0] else "eb-garamond"
        return face(name, 600 if self.weight >= 500 else 400)

    @lru_cache(MOST_KEPT)  # noqa: B019 - a few kinds of type, which stay for good
    def outline(self, text: str) -> str:
        """The path of a line of text that is placed at the origin."""
        face = self.face
        scale = self.size / face.units
        buffer = hb.Buffer()
        buffer.add_str(text)
        buffer.guess_segment_properties()
        features = {NUMBERS[word]: True for word in self.numbers.split() if word in NUMBERS}
        if self.spacing:
            features["liga"] = False
        hb.shape(face.shaping, buffer, features)
        places = [place.x_advance * scale + self.spacing for place in buffer.glyph_positions]
        left = -{"middle": 0.5, "end": 1.0}.get(self.anchor, 0.0) * sum(places)
        base = self._drop()
        glyphs = face.outlines.getGlyphSet()
        pen = SVGPathPen(glyphs, ntos=short)
        for info, place, advance in zip(buffer.glyph_infos, buffer.glyph_positions, places, strict=True):
            name = face.outlines.getGlyphName(info.codepoint)
            at = (scale, 0, 0, -scale, left + place.x_offset * scale, base - place.y_offset * scale)
            glyphs[name].draw(TransformPen(pen, at))
            left += advance
        return str(pen.getCommands())

    def _drop(self) -> float:
        """From where a text is placed down to the line its letters stand on."""
        face = self.face
        match self.baseline:
            case "central" | "middle":
                return (face.ascent - face.descent) / 2 * self.size
            case "hanging" | "text-before-edge":
                return face.ascent * self.size
            case _:
                return 0.0


def short(number: float) -> str:
    return f"{number:.2f}".rstrip("0").rstrip(".")
