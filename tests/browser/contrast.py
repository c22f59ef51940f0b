"""Text that is hard to read: its colour against what really lies behind it, drawings and disabled buttons included.

axe leaves out SVG, gradients and whatever is disabled; here the page is photographed without its text.
"""

from __future__ import annotations

import io
from typing import Any

import numpy as np
from PIL import Image
from playwright.sync_api import Page

LEAST, LEAST_LARGE = 4.5, 3.0  # WCAG 1.4.3; disabled text is asked for as much, though it need not be
NEARBY = 20  # per cent of the pixels behind a text that may be nearer to its colour: edges, ornaments

TEXTS = """() => {
  const context = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const rgba = (colour) => {
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = colour;
    context.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = context.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const opacity = (each) => (each ? Number(getComputedStyle(each).opacity) * opacity(each.parentElement) : 1);
  const found = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const parent = texts.currentNode.parentElement;
    const said = texts.currentNode.data.trim();
    if (!/[\\p{L}\\p{N}]/u.test(said) || parent.closest(".sr, .skip, .word, .painted, option, symbol, defs")) continue;
    if (!parent.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(texts.currentNode);
    const { x, y, width, height } = range.getBoundingClientRect();
    const middle = [x + width / 2, y + height / 2];
    const top = document.elementFromPoint(...middle);
    const near = parent.closest("svg, dialog, section, header, aside, main") ?? document.body;
    if (width < 2 || !top || !(near.contains(top) || top.contains(parent))) continue; // not in sight
    const style = getComputedStyle(parent);
    const isDrawn = parent instanceof SVGElement;
    const scale = isDrawn ? Math.hypot(parent.getScreenCTM().b, parent.getScreenCTM().d) : 1;
    const [r, g, b, a] = rgba(isDrawn ? style.fill : style.color);
    found.push({
      said, x, y, width, height, colour: [r, g, b], alpha: a * opacity(parent),
      size: parseFloat(style.fontSize) * scale, weight: Number(style.fontWeight),
      halo: isDrawn && style.paintOrder.startsWith("stroke") ? rgba(style.stroke) : null,
      who: `${parent.localName}.${parent.getAttribute("class") ?? ""}`,
    });
  }
  return found;
}"""
HIDE = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`*, ::before, ::after { color: transparent !important; caret-color: transparent !important;
    transition: none !important; animation: none !important; text-decoration-color: transparent !important }
    text, tspan { fill: transparent !important; stroke: transparent !important }`);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}"""
SHOW = "() => { document.adoptedStyleSheets = document.adoptedStyleSheets.slice(0, -1); }"
Colours = np.ndarray[Any, np.dtype[np.float64]]


def luminance(colours: Colours) -> Colours:
    share = colours / 255
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    light: Colours = linear @ np.array([0.2126, 0.7152, 0.0722])
    return light


def contrast(one: Colours, other: Colours) -> Colours:
    first, second = luminance(one), luminance(other)
    ratio: Colours = (np.maximum(first, second) + 0.05) / (np.minimum(first, second) + 0.05)
    return ratio


def faint(page: Page) -> list[str]:
    """A line for every text in sight whose contrast is too low."""
    texts = page.evaluate(TEXTS)
    page.evaluate(HIDE)
    picture = Image.open(io.BytesIO(page.screenshot(scale="css"))).convert("RGB")
    page.evaluate(SHOW)
    pixels = np.asarray(picture, dtype=np.float64)
    found = set()
    for text in texts:
        left, top = max(0, int(text["x"])), max(0, int(text["y"]))
        right, bottom = int(text["x"] + text["width"]) + 1, int(text["y"] + text["height"]) + 1
        behind = pixels[top:bottom, left:right].reshape(-1, 3)
        if not len(behind):
            continue  # out of sight
        if text["halo"]:
            behind = np.array([text["halo"][:3]], dtype=np.float64)
        colour = text["alpha"] * np.array(text["colour"], dtype=np.float64) + (1 - text["alpha"]) * behind
        ratio = float(np.percentile(contrast(colour, behind), NEARBY))
        is_large = text["size"] >= 24 or (text["size"] >= 18.66 and text["weight"] >= 700)
        if ratio < (LEAST_LARGE if is_large else LEAST) - 0.02:
            found.add(f"{ratio:.2f}, {text['size']:.0f} px: {text['who']} “{text['said'][:40]}”")
    return sorted(found)
