"""Write the pictures of the browser in docs/images: a real server, a real Chromium, matches that are always the same.

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
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests")]

from playwright.sync_api import Browser, expect, sync_playwright  # noqa: E402

from browser.conftest import BOT, HUMAN, LAPTOP, PHONE, Player, load_finder  # noqa: E402
from browser.test_pages import disputing  # noqa: E402
from regalia import Match  # noqa: E402
from regalia.bots import choose  # noqa: E402
from server.harness import running  # noqa: E402

IMAGES = ROOT / "docs" / "images"
QUALITY = 82
SEED, SIMULATIONS = 7, 400
View = dict[str, Any]


class Picture(NamedTuple):
    size: dict[str, int]
    path: Callable[[Player], str]  # of the page to show


def played(game: str, seats: int, is_wanted: Callable[[View], bool]) -> str:
    """The transcript of a match between bots up to a decision of seat 0 that is worth a picture."""
    match = Match.new(game, seats=seats, seed=SEED)
    while match.actors:
        seat = match.actors[0]
        if seat == 0 and len(match.actors) == 1 and is_wanted(match.view(0)):
            return match.transcript()
        match.play(seat, choose(match, seat, "squire", match.ply, simulations=SIMULATIONS).action)
    raise SystemExit(f"no such moment in {game}")


def table(player: Player, game: str, seats: int, is_wanted: Callable[[View], bool]) -> str:
    begin = played(game, seats, is_wanted)
    return f"/t/{player.table(game, [HUMAN, *[BOT] * (seats - 1)], transcript=begin)}"


def rose_king(player: Player) -> str:
    return table(player, "rose_king", 2, lambda view: view["supply"] <= 26 and len(view["actions"]) >= 3)


def carolus_magnus(player: Player) -> str:
    return table(player, "carolus_magnus", 2, lambda view: view["phase"] == "emperor" and view["round"] >= 4)


def court_the_king(player: Player) -> str:
    return table(
        player,
        "court_the_king",
        3,
        lambda view: (
            view["phase"] == "turn" and view["round"] >= 7 and view["duty"] and len(view["aside"]) > 0
        ),
    )


def long_live_the_king(player: Player) -> str:
    return table(player, "long_live_the_king", 4, lambda view: view["phase"] == "turn" and view["ply"] >= 24)


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
    page.evaluate(
        "() => { document.activeElement?.blur(); return document.fonts.ready.then(() => undefined); }"
    )
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
