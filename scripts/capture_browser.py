"""Write the pictures of the browser in docs/images: a real server, a real Chromium, positions that are always the same.

    python scripts/capture_browser.py            all of them
    python scripts/capture_browser.py dispute    one

The pages must be built. `scripts/capture_terminal.py` writes the one of the terminal.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests")]

from playwright.sync_api import Browser, expect, sync_playwright  # noqa: E402

from browser.conftest import BOT, HUMAN, LAPTOP, PHONE, Player, load_finder, near_the_end  # noqa: E402
from browser.kings import four  # noqa: E402
from browser.test_carolus_magnus import in_phase, position  # noqa: E402
from browser.test_pages import disputing  # noqa: E402
from regalia import Match  # noqa: E402
from server.harness import running  # noqa: E402

IMAGES = ROOT / "docs" / "images"
QUALITY = 82


class Picture(NamedTuple):
    size: dict[str, int]
    path: Callable[[Player], str]  # of the page to show


def rose_king(player: Player) -> str:
    return f"/t/{player.table('rose_king', [HUMAN, BOT], position=near_the_end(24))}"


def carolus_magnus(player: Player) -> str:
    begin = position(2, in_phase("emperor"))
    return f"/t/{player.table('carolus_magnus', [HUMAN, BOT], position=begin)}"


def court_the_king(player: Player) -> str:
    begin = {
        **Match.new("court_the_king", seats=3, seed=1).position(),
        "phase": "turn",
        "turn": 0,
        "round": 7,
        "starter": 0,
        "characters": [
            ["fool", "farmer", "maid", "hunter", "astronomer"],
            ["farmer", "guard", "merchant", "knight"],
            ["fool", "laborer", "philosopher"],
        ],
        "active": [3, 4],
        "aside": [6, 6],
        "in_hand": 0,
        "duty": True,
        "used": ["fool"],
    }
    return f"/t/{player.table('court_the_king', [HUMAN, BOT, BOT], position=begin)}"


def long_live_the_king(player: Player) -> str:
    return f"/t/{player.table('long_live_the_king', [HUMAN, BOT, BOT, BOT], position=four())}"


PICTURES = {
    "landing": Picture(LAPTOP, lambda _: "/"),
    "rose_king": Picture(LAPTOP, rose_king),
    "rose_king_phone": Picture(PHONE, rose_king),
    "carolus_magnus": Picture(LAPTOP, carolus_magnus),
    "court_the_king": Picture(LAPTOP, court_the_king),
    "long_live_the_king": Picture(LAPTOP, long_live_the_king),
    "dispute": Picture({"width": 1280, "height": 720}, lambda player: f"/t/{disputing(player)}"),
}


def capture(browser: Browser, base: str, name: str) -> None:
    picture = PICTURES[name]
    context = browser.new_context(
        base_url=base,
        locale="en-GB",
        viewport=picture.size,  # type: ignore[arg-type]
        reduced_motion="reduce",
    )
    page = context.new_page()
    page.goto(picture.path(Player(context, base)))
    expect(page.locator("main .prompt, main h1").first).to_be_visible(timeout=60_000)
    page.wait_for_load_state("networkidle")
    page.evaluate("() => document.fonts.ready.then(() => undefined)")
    page.screenshot(path=IMAGES / f"{name}.jpg", type="jpeg", quality=QUALITY)
    context.close()
    print(f"wrote docs/images/{name}.jpg")


def main() -> None:
    wanted = sys.argv[1:] or list(PICTURES)
    if unknown := set(wanted) - set(PICTURES):
        sys.exit(f"no such picture: {', '.join(sorted(unknown))}. There are: {', '.join(PICTURES)}")
    found = load_finder().find()
    with (
        tempfile.TemporaryDirectory() as folder,
        running(Path(folder), away_s=1.0) as house,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(
            executable_path=found.path,
            args=["--disable-dev-shm-usage", "--font-render-hinting=none", "--no-sandbox"],
            env={**os.environ, **found.environment},
        )
        for name in wanted:
            capture(browser, house.base, name)
        browser.close()


if __name__ == "__main__":
    main()
