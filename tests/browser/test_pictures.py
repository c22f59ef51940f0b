"""A picture made without a browser looks like the browser's own."""

from __future__ import annotations

import random
from io import BytesIO

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser

import regalia
from regalia.pictures import THEMES, drawing, props_of
from regalia.pictures.files import png

pytestmark = pytest.mark.browser
WIDTH = 800
MOST_APART = 48  # in a channel, of 255
MOST_PIXELS = 0.01  # that are further apart


def pixels(picture: bytes) -> np.ndarray:
    return np.asarray(Image.open(BytesIO(picture)).convert("RGB"), np.int16)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("game", drawing.artist().materials["games"])
def test_pictures_are_those_of_the_browser(browser: Browser, base_url: str, game: str, theme: str) -> None:
    context = browser.new_context(
        base_url=base_url, viewport={"width": WIDTH, "height": 1000}, bypass_csp=True
    )
    page = context.new_page()
    page.route(
        "**/*.js", lambda route: route.fulfill(content_type="text/javascript", body="")
    )  # only the styles
    page.goto("/about")
    artist = drawing.artist()
    match = regalia.Match.new(game, seed=3)
    rng = random.Random(3)
    for plies in (1, 20, 45):
        while match.actors and match.ply < plies:
            seat = rng.choice(match.actors)
            match.play(seat, rng.choice(match.actions(seat)))
        body, style = artist.draw(game, props_of(match, match.ply, regalia.SPECTATOR, ()), "en")
        symbols = artist.materials["symbols"]
        style += "".join(drawing.STYLE.findall(artist.materials["style"]))
        page.evaluate(
            """([theme, markup]) => {
                document.documentElement.dataset.theme = theme;
                document.body.innerHTML = markup;
                document.body.style.background = "var(--vellum)";
            }""",
            [theme, f"<style>{style}</style>{symbols}<div style='width:{WIDTH}px' id='picture'>{body}</div>"],
        )
        page.evaluate("() => document.fonts.ready")
        theirs = pixels(page.locator("#picture > svg").screenshot(animations="disabled"))
        ours = pixels(png(match.svg(theme=theme, width=WIDTH)))
        assert ours.shape == theirs.shape
        apart = (np.abs(ours - theirs).max(axis=2) > MOST_APART).mean()
        assert apart <= MOST_PIXELS, f"{apart:.2%} at ply {match.ply}"
    context.close()
