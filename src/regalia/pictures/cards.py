"""Cards: the picture beside a link, with a board and a few words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING
from xml.sax.saxutils import quoteattr

from regalia.core.viewers import SPECTATOR
from regalia.pictures import import_drawing, svg

if TYPE_CHECKING:
    from regalia.core.match import Match
    from regalia.pictures.fonts import Type

WIDTH, HEIGHT = 1200, 630  # what sites that show links ask for
EDGE = 36
BOARD = 720  # pixels in width at most
SIZE = re.compile(r'(?<= )(width|height)="([\d.]+)"')
TITLE, LINE, BRAND = 60.0, 34.0, 30.0  # sizes of type
SMALLEST = 0.5  # of its size, before a line is cut
SERIF, SANS = '"EB Garamond", serif', '"Source Sans 3", sans-serif'


def card(
    match: Match, ply: int, title: str, lines: Sequence[str], theme: str = "light", language: str = "en"
) -> str:
    """The position at a ply as a spectator sees it, with a title and some lines beside it, as an SVG."""
    from regalia.pictures.fonts import Type, short

    colours = import_drawing().studio(theme).tokens
    board, width, height = fitted(svg(match, ply, SPECTATOR, theme=theme, language=language, width=BOARD))
    left = EDGE * 2 + width
    column = WIDTH - EDGE - left
    heading = Type(SERIF, TITLE, 600, "oldstyle-nums")
    text = [(row, heading, colours["--oxblood"]) for row in wrapped(title, heading, column)[:3]]
    text += [(row, Type(SANS, LINE), colours["--ink"]) for row in lines]
    top = EDGE + TITLE
    drawn = []
    for row, type_, colour in text:
        drawn.append(outline(row, type_, colour, left, top, column))
        top += type_.size * 1.4
    drawn.append(outline("Regalia", Type(SERIF, BRAND), colours["--lapis"], left, HEIGHT - EDGE, column))
    size = f'width="{WIDTH}" height="{HEIGHT}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="0 0 {WIDTH} {HEIGHT}">'
        f"<rect {size} fill={quoteattr(colours['--vellum'])}/>"
        f'<g transform="translate({EDGE} {short((HEIGHT - height) / 2)})">{board}</g>{"".join(drawn)}</svg>'
    )


def fitted(picture: str) -> tuple[str, float, float]:
    """A picture no higher than a card and with nothing beyond its edges, with its width and height."""
    tag, rest = picture.split(">", 1)
    sizes = {name: float(value) for name, value in SIZE.findall(tag)}
    share = min(1.0, (HEIGHT - 2 * EDGE) / sizes["height"])
    tag = SIZE.sub(lambda found: f'{found[1]}="{float(found[2]) * share:.2f}"', tag)
    tag = tag.replace(' overflow="visible"', "")
    return f"{tag}>{rest}", sizes["width"] * share, sizes["height"] * share


def wrapped(text: str, type_: Type, width: float) -> list[str]:
    """Lines no wider than a column, as far as words allow it."""
    rows: list[str] = []
    for word in text.split():
        longer = f"{rows[-1]} {word}" if rows else word
        if rows and type_.width(longer) <= width:
            rows[-1] = longer
        else:
            rows.append(word)
    return rows


def outline(text: str, type_: Type, colour: str, x: float, y: float, width: float) -> str:
    """A line of text as a path: smaller where it would be too wide, and cut where that is not enough."""
    share = max(min(1.0, width / (type_.width(text) or 1.0)), SMALLEST)
    type_ = replace(type_, size=type_.size * share)
    if type_.width(text) > width:
        while text and type_.width(f"{text}…") > width:
            text = text[:-1].rstrip()
        text += "…"
    where = f"translate({x:.1f} {y:.1f})"
    return f'<path transform="{where}" fill={quoteattr(colour)} d="{type_.outline(text)}"/>'
