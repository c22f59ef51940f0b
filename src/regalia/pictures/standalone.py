"""A drawing that stands alone: symbols put where they are used, colours worked out, text as outlines."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from regalia.pictures.fonts import Type, short
from regalia.pictures.styles import Sheet, declared, resolve, tokens

SVG = "http://www.w3.org/2000/svg"
BASE = "svg text { font-family: var(--serif) }"  # of the pages' own style, what reaches into drawings
# What a drawing's rules may say to a picture. The rest is for pointers, motion and boxes.
DRAWN = re.compile(
    r"(fill|stroke)(-\w+)*|opacity|paint-order|visibility|overflow|clip-path|mask|filter|color|transform"
    r"|[xyr]|[rc][xy]|width|height|vector-effect"
)
SHAPES = frozenset(("rect", "path", "circle", "ellipse", "line", "polygon", "polyline"))
LEFT_OUT = frozenset(("class", "style", "id", "role", "href", "tabindex"))
NOTED = re.compile(r"<!--.*?-->", re.DOTALL)
REFERENCE = re.compile(r"url\(\s*[\"']?#([^\"')]+)[\"']?\s*\)")
NUMBER = re.compile(r"-?\d*\.?\d+(?:e-?\d+)?")


@dataclass(frozen=True)
class Context:
    """What an element inherits that a picture cannot leave to inheritance."""

    values: Mapping[str, str]  # custom properties
    type: Type
    fill: str = "black"
    stroke: str = "none"
    viewport: tuple[str, str] = ("100%", "100%")  # what 100 % of width and height are


class Studio:
    """Makes pictures of one theme, from what web/src/pictures/draw.ts calls the materials."""

    def __init__(self, symbols: str, style: str, colours: str, theme: str) -> None:
        self.theme = theme
        self.tokens = tokens(colours, theme)
        store = parse(symbols)
        self.symbols = named(store)
        self.rules = Sheet(style).rules_of(store)

    def picture(self, body: str, style: str, width: float | None = None) -> str:
        """The SVG of a drawing."""
        root = parse(body)
        left, top, wide, high = (float(number) for number in root[0].get("viewBox", "0 0 1 1").split())
        width = wide if width is None else width
        svg = Drawing(self, root, sheet_of(style)).draw(root[0], width / wide)
        svg.set("width", short(width))
        svg.set("height", short(width * high / wide))
        svg.set("xmlns", SVG)
        ground = {"x": left, "y": top, "width": wide, "height": high}
        paint = {name: short(value) for name, value in ground.items()} | {"fill": self.tokens["--vellum"]}
        svg.insert(0, Element("rect", paint))
        return ElementTree.tostring(svg, "unicode")


class Drawing:
    """One picture in the making."""

    def __init__(self, studio: Studio, root: Element, sheet: Sheet) -> None:
        self.theme = studio.theme
        self.values = studio.tokens
        self.rules = studio.rules | sheet.rules_of(root)
        self.sources = studio.symbols | named(root)
        self.definitions: dict[str, Element] = {}  # symbols, gradients, patterns and clips, by their ids

    def draw(self, source: Element, scale: float) -> Element:
        """The whole drawing, in so many pixels for a unit of it."""
        sans = Type(family=resolve("var(--sans)", self.values), scale=scale)
        svg = self.element(source, Context(self.values, sans))
        assert svg is not None
        svg.set("color", resolve("var(--ink)", self.values))
        if self.definitions:
            store = Element("defs")
            store.extend(self.definitions.values())
            svg.insert(0, store)
        return svg

    def element(self, source: Element, outer: Context) -> Element | None:
        """An element as it is drawn, or None if it is not."""
        said = {**self.rules.get(source, {}), **declared(source.get("style", ""))}
        if said.get("display") == "none":
            return None
        own = {name: value for name, value in said.items() if name.startswith("--")}
        values = outer.values
        if own:  # they may refer to each other
            values = {**values, **own}
            values.update({name: resolve(value, values) for name, value in own.items()})
        drawn = {
            name: resolve(value, values)
            for name, value in source.attrib.items()
            if name not in LEFT_OUT and not name.startswith("aria-")
        }
        styled = {name: resolve(value, values) for name, value in said.items() if not name.startswith("--")}
        type_ = typed(outer.type, {**drawn, **styled})
        drawn.update({name: plain(name, value) for name, value in styled.items() if DRAWN.fullmatch(name)})
        fill, stroke = drawn.get("fill", outer.fill), drawn.get("stroke", outer.stroke)
        box = source.get("viewBox", "").split()
        viewport = (box[2], box[3]) if box else outer.viewport
        context = Context(values, type_, fill, stroke, viewport)
        if source.tag in SHAPES and "opacity" in drawn and "none" in (fill, stroke):
            thin(drawn, "stroke-opacity" if fill == "none" else "fill-opacity")
        drawn = {name: self.with_references(value, context) for name, value in drawn.items()}
        match source.tag:
            case "defs":  # what is used of them is put among the picture's own
                return None
            case "text":
                return self.text(source, drawn, context)
            case "use":
                target = self.sources[source.get("href", "#")[1:]]
                if target.tag == "symbol":  # not all programs know what 100 % are inside another symbol
                    drawn = dict(zip(("width", "height"), viewport, strict=True)) | drawn
                drawn["href"] = f"#{self.define(source.get('href', '#')[1:], context)}"
                return Element("use", drawn)
        node = Element(source.tag, drawn)
        node.extend(self.children(source, context))
        return node

    def children(self, source: Element, context: Context) -> list[Element]:
        inner = (self.element(child, context) for child in source)
        return [node for node in inner if node is not None]

    def with_references(self, value: str, context: Context) -> str:
        return REFERENCE.sub(lambda found: f"url(#{self.define(found[1], context)})", value)

    def define(self, name: str, context: Context) -> str:
        """What is referred to by its id, once for each set of colours; returns its id in the picture.

        The id says what it is, so that several pictures on one page do not disturb each other.
        """
        changed = {key: value for key, value in context.values.items() if self.values.get(key) != value}
        used = f"{self.theme}-{name}"
        if changed:
            used += f"-{hashlib.sha256(repr(sorted(changed.items())).encode()).hexdigest()[:8]}"
        if used not in self.definitions:
            source = self.sources[name]
            self.definitions[used] = source  # it may refer to itself by way of others
            node = self.element(source, context)
            self.definitions[used] = Element("g") if node is None else node
            self.definitions[used].set("id", used)
        return used

    def text(self, source: Element, drawn: dict[str, str], context: Context) -> Element:
        """Lines of text as paths, each with the words it shows."""
        x, y = (length(drawn.pop(name, "0"), context.type.size) for name in ("x", "y"))
        x += length(drawn.pop("dx", "0"), context.type.size)
        y += length(drawn.pop("dy", "0"), context.type.size)
        node = Element("g", {name: value for name, value in drawn.items() if not OF_TYPE.fullmatch(name)})
        words = " ".join((source.text or "").split())
        if words:
            node.append(line(words, x, y, context.type))
        spans = (self.span(child, x, y, context) for child in source)
        node.extend(span for span in spans if span is not None)
        return node

    def span(self, source: Element, x: float, y: float, context: Context) -> Element | None:
        """A line of its own inside a text; it says where it stands, or along which path."""
        said = {**self.rules.get(source, {}), **declared(source.get("style", ""))}
        drawn = {
            name: resolve(value, context.values)
            for name, value in {**source.attrib, **said}.items()
            if name != "class"
        }
        type_ = typed(context.type, drawn)
        words = " ".join("".join(source.itertext()).split())
        if not words or drawn.get("display") == "none":
            return None
        if source.tag == "textPath":
            curve = self.sources[drawn["href"][1:]].attrib["d"]
            offset = float(drawn.get("startOffset", "0%").removesuffix("%")) / 100
            return Element("path", {"d": type_.outline_along(words, curve, offset)})
        x = length(drawn.get("x", short(x)), type_.size) + length(drawn.get("dx", "0"), type_.size)
        y = length(drawn.get("y", short(y)), type_.size) + length(drawn.get("dy", "0"), type_.size)
        path = line(words, x, y, type_)
        for name, value in drawn.items():
            if PAINT.fullmatch(name):
                path.set(name, plain(name, value))
        return path


PAINT = re.compile(r"(fill|stroke)(-\w+)*|opacity|paint-order")
OF_TYPE = re.compile(r"font-[\w-]+|letter-spacing|text-anchor|dominant-baseline")


def thin(drawn: dict[str, str], paint: str) -> None:
    """A shape painted in one way needs no layer of its own to be seen through, which would take far longer to draw."""
    drawn[paint] = f"{float(drawn.pop('opacity')) * float(drawn.get(paint, '1')):.4g}"


@cache
def sheet_of(style: str) -> Sheet:
    return Sheet(BASE + style)


def named(root: Element) -> dict[str, Element]:
    return {name: element for element in root.iter() if (name := element.get("id"))}


def parse(markup: str) -> Element:
    return ElementTree.fromstring(f"<g>{NOTED.sub('', markup)}</g>")  # noqa: S314 - our own drawing wrote it


def line(words: str, x: float, y: float, type_: Type) -> Element:
    return Element("path", {"d": type_.outline(words), "transform": f"translate({short(x)} {short(y)})"})


def typed(outer: Type, said: Mapping[str, str]) -> Type:
    """How text is set below an element."""
    changes: dict[str, object] = {}
    if "font-family" in said:
        changes["family"] = said["font-family"]
    if "font-size" in said:
        changes["size"] = length(said["font-size"], outer.size)
    if "font-weight" in said:
        changes["weight"] = weight(said["font-weight"])
    if "font-style" in said:
        changes["is_italic"] = said["font-style"] == "italic"
    if "font-variant-caps" in said:
        changes["is_small_caps"] = said["font-variant-caps"] == "small-caps"
    if "font-variant-numeric" in said:
        changes["numbers"] = said["font-variant-numeric"]
    if "text-anchor" in said:
        changes["anchor"] = said["text-anchor"]
    if "dominant-baseline" in said:
        changes["baseline"] = said["dominant-baseline"]
    size = changes.get("size", outer.size)
    if "letter-spacing" in said and isinstance(size, float):
        changes["spacing"] = (
            0.0 if said["letter-spacing"] == "normal" else length(said["letter-spacing"], size)
        )
    return replace(outer, **changes) if changes else outer  # type: ignore[arg-type]


def weight(text: str) -> int:
    return {"bold": 700, "normal": 400}.get(text) or int(text)


def length(text: str, em: float) -> float:
    number = NUMBER.match(text.strip())
    value = float(number[0]) if number else 0.0
    return value * {"em": em, "rem": 16.0}.get(text.strip()[number.end() :] if number else "", 1.0)


def plain(name: str, value: str) -> str:
    """As an attribute: without the units that are implied there."""
    if name == "transform":
        return re.sub(r"(\d)(?:px|deg)", r"\1", value)
    return value.removesuffix("px") if re.fullmatch(r"-?[\d.]+px", value) else value
