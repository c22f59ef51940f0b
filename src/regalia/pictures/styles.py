"""The little of CSS that a drawing uses, worked out: which rules an element has, and what their values come to.

Browsers resolve custom properties and mixed colours by themselves; a picture that stands alone must not need them, since
most other programs that read SVG do not know them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from xml.etree.ElementTree import Element

import cssselect2
import tinycss2
from tinycss2.color4 import parse_color

Values = Mapping[str, str]
SHORTHAND = re.compile(
    r"(?:(?P<style>italic)\s+)?(?:(?P<weight>\d+|bold|normal)\s+)?(?P<size>[\d.]+(?:px|em|rem))(?:/\S+)?\s+(?P<family>.+)"
)


class Sheet:
    """The rules of a style sheet that hold on any screen: media queries and animations are left out."""

    def __init__(self, css: str) -> None:
        self._matcher = cssselect2.Matcher()
        for rule in tinycss2.parse_stylesheet(css, skip_comments=True, skip_whitespace=True):
            if rule.type != "qualified-rule":
                continue
            declarations = declared(tinycss2.serialize(rule.content))
            for selector in cssselect2.compile_selector_list(rule.prelude):
                if selector.pseudo_element is None:
                    self._matcher.add_selector(selector, declarations)

    def rules_of(self, root: Element) -> dict[Element, dict[str, str]]:
        """What the sheet says of every element below a root, the stronger rule last."""
        rules: dict[Element, dict[str, str]] = {}
        for wrapped in cssselect2.ElementWrapper.from_xml_root(root).iter_subtree():
            matches = self._matcher.match(wrapped)
            if matches:
                merged: dict[str, str] = {}
                for _, _, _, declarations in matches:  # ordered by specificity, then by place
                    merged.update(declarations)
                rules[wrapped.etree_element] = merged
        return rules


def declared(text: str) -> dict[str, str]:
    """The declarations of a block, or of a style attribute."""
    values: dict[str, str] = {}
    for one in tinycss2.parse_blocks_contents(text, skip_comments=True, skip_whitespace=True):
        if one.type != "declaration":
            continue
        value = tinycss2.serialize(one.value).strip()
        if one.lower_name == "font":
            values.update(font(value))
        else:
            values[one.name if one.name.startswith("--") else one.lower_name] = value
    return values


def font(text: str) -> dict[str, str]:
    """What the shorthand stands for: `italic 600 12px/1.2 serif`. It also takes back what it leaves out."""
    parts = SHORTHAND.match(text)
    if parts is None:
        raise ValueError(f"no font: {text}")
    return {
        "font-style": parts["style"] or "normal",
        "font-weight": parts["weight"] or "normal",
        "font-size": parts["size"],
        "font-family": parts["family"],
        "font-variant-caps": "normal",
        "font-variant-numeric": "normal",
    }


def tokens(css: str, theme: str) -> dict[str, str]:
    """The custom properties of a theme: those of all, and what the theme says otherwise."""
    values: dict[str, str] = {}
    for rule in tinycss2.parse_stylesheet(css, skip_comments=True, skip_whitespace=True):
        if rule.type != "qualified-rule":
            continue
        selector = tinycss2.serialize(rule.prelude).replace('"', "").replace("'", "").strip()
        if selector in (":root", f"[data-theme={theme}]"):
            values.update(declared(tinycss2.serialize(rule.content)))
    return {name: value for name, value in values.items() if name.startswith("--")}


def resolve(text: str, values: Values) -> str:
    """A value without `var()` and `color-mix()`."""
    if "var(" not in text and "color-mix(" not in text:
        return text
    return str(tinycss2.serialize(list(resolved(tinycss2.parse_component_value_list(text), values)))).strip()


def resolved(parts: Iterable[tinycss2.ast.Node], values: Values) -> Iterable[tinycss2.ast.Node]:
    for part in parts:
        if part.type != "function":
            yield part
        elif part.lower_name == "var":
            name, _, fallback = tinycss2.serialize(part.arguments).partition(",")
            value = values.get(name.strip(), fallback.strip())
            yield from resolved(tinycss2.parse_component_value_list(value), values)
        else:
            part.arguments = list(resolved(part.arguments, values))
            if part.lower_name == "color-mix":
                yield from tinycss2.parse_component_value_list(mixed(tinycss2.serialize(part.arguments)))
            else:
                yield part


@cache
def mixed(arguments: str) -> str:
    """`in oklab, #fbf5e6 70%, transparent` as a plain colour."""
    how, first, second = [part.strip() for part in split_arguments(arguments)]
    space = how.removeprefix("in").strip()
    (one, share), (other, rest) = part_of_mix(first), part_of_mix(second)
    if share is None:
        share = 0.5 if rest is None else 1 - rest
    a, b = rgba(one), rgba(other)
    alpha = share * a[3] + (1 - share) * b[3]
    if not alpha:
        return "transparent"
    to, back = (to_oklab, from_oklab) if space == "oklab" else (tuple, tuple)
    blend = [
        (share * a[3] * x + (1 - share) * b[3] * y) / alpha for x, y in zip(to(a[:3]), to(b[:3]), strict=True)
    ]
    red, green, blue = (round(255 * min(1.0, max(0.0, value))) for value in back(blend))
    return f"rgba({red}, {green}, {blue}, {alpha:.4g})" if alpha < 1 else f"#{red:02x}{green:02x}{blue:02x}"


def split_arguments(text: str) -> list[str]:
    """At the commas outside brackets."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


def part_of_mix(text: str) -> tuple[str, float | None]:
    colour, _, share = text.rpartition(" ")
    return (colour, float(share[:-1]) / 100) if share.endswith("%") else (text, None)


def rgba(text: str) -> tuple[float, float, float, float]:
    colour = parse_color(text)
    if colour is None or isinstance(colour, str):
        raise ValueError(f"no colour: {text}")
    red, green, blue, alpha = (float(value or 0) for value in colour.to("srgb"))
    return red, green, blue, alpha


def to_oklab(rgb: Iterable[float]) -> tuple[float, float, float]:
    red, green, blue = (x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in rgb)
    long = (0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue) ** (1 / 3)
    medium = (0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue) ** (1 / 3)
    short = (0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue) ** (1 / 3)
    return (
        0.2104542553 * long + 0.7936177850 * medium - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * medium + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * medium - 0.8086757660 * short,
    )


def from_oklab(lab: Iterable[float]) -> tuple[float, ...]:
    light, a, b = lab
    long = (light + 0.3963377774 * a + 0.2158037573 * b) ** 3
    medium = (light - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (light - 0.0894841775 * a - 1.2914855480 * b) ** 3
    linear = (
        4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * short,
    )
    return tuple(12.92 * x if x <= 0.0031308 else 1.055 * x ** (1 / 2.4) - 0.055 for x in linear)
