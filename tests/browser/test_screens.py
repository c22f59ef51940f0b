"""Every page and every table on every screen: nothing small, cut, squeezed or out of sight."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from browser.conftest import BOT, HUMAN, PHONE, Player, axe, near_the_end, prompt
from browser.contrast import faint
from browser.kings import five, four
from browser.test_carolus_magnus import in_phase, position
from browser.test_pages import PAGES, disputing, twelve_dice

pytestmark = pytest.mark.browser

FAULTS = (Path(__file__).parent / "screens.js").read_text("utf-8")
DRAWN = [(390, 844), (844, 390), (820, 1180), (1440, 900), (2560, 1440)]
BETWEEN = [(667, 375), (375, 667), (768, 1024), (1024, 768), (1280, 720), (1920, 1080)]
LOW = [(844, 390), (720, 450), (640, 360)]  # a phone that lies; laptops of 1440 × 900 and 1280 × 720 at 200 %
# WCAG 1.4.12: no loss where a reader spaces lines, letters, words and paragraphs like this
SPACED = """() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`* { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important }
        p { margin-bottom: 2em !important }`);
    document.adoptedStyleSheets = [sheet];
}"""


@pytest.fixture
def annegret(browser: Browser, base_url: str) -> Iterator[Player]:
    """Somebody with a longish name who reads German, the language with the longest words."""
    context = browser.new_context(
        base_url=base_url,
        locale="de-DE",
        viewport=PHONE,  # type: ignore[arg-type]
        has_touch=True,
        reduced_motion="reduce",
    )
    yield Player(context, base_url, "Annegret")
    context.close()


def faults_at(page: Page, sizes: list[tuple[int, int]]) -> dict[str, list[str]]:
    """What is wrong at each size; a page is loaded once and only its window changes."""
    found: dict[str, list[str]] = {}
    page.evaluate("document.fonts.ready.then(() => true)")  # in another font words have other widths
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        if faults := page.evaluate(FAULTS):
            found[f"{width} × {height}"] = faults
    return found


def opened(player: Player, table: str) -> Page:
    page = player.context.new_page()
    page.goto(f"/t/{table}")
    expect(prompt(page)).to_be_visible()
    return page


def table_of(player: Player, game: str) -> str:
    """A table of a game in its middle, at which the player is to act."""
    many: dict[str, tuple[int, dict[str, Any] | None]] = {
        "rose_king": (2, near_the_end(20)),
        "carolus_magnus": (4, None),
        "court_the_king": (5, None),
        "long_live_the_king": (4, four()),
    }
    seats, position = many[game]
    more = {} if position is None else {"position": position}
    return player.table(game, [HUMAN, *[BOT] * (seats - 1)], **more)


GAMES = ["rose_king", "carolus_magnus", "court_the_king", "long_live_the_king"]


GUIDES = ["/learn", *(f"/learn/{game}" for game in GAMES)]


def test_every_page_fits_every_screen(annegret: Player) -> None:
    page = annegret.context.new_page()
    for path in [*PAGES, *GUIDES]:
        page.goto(path)
        expect(page.locator("main h1")).to_be_visible()
        assert not faults_at(page, DRAWN + BETWEEN), path


@pytest.mark.parametrize("game", GAMES)
def test_every_table_fits_every_screen(annegret: Player, game: str) -> None:
    """Board, prompt and hand are in one view on each of them, at 200 % too."""
    assert not faults_at(opened(annegret, table_of(annegret, game)), DRAWN + BETWEEN + LOW)


def test_the_fullest_tables_fit_the_screens_they_are_drawn_for(annegret: Player) -> None:
    """Five seats, twelve dice, a dispute of five."""
    for table in (
        annegret.table("long_live_the_king", [HUMAN, *[BOT] * 4], position=five()),
        annegret.table("court_the_king", [HUMAN, BOT], position=twelve_dice()),
        disputing(annegret),
    ):
        page = opened(annegret, table)
        assert not faults_at(page, DRAWN)
        page.close()


@pytest.mark.parametrize("game", GAMES)
def test_widely_spaced_text_and_chosen_colours_lose_nothing(annegret: Player, game: str) -> None:
    page = opened(annegret, table_of(annegret, game))
    page.emulate_media(forced_colors="active")
    assert not faults_at(page, DRAWN)
    page.emulate_media(forced_colors="none")
    page.evaluate(SPACED)
    for size, faults in faults_at(page, DRAWN).items():
        # the tray scrolls, and a word that has no room for its letters goes on below
        lost = [each for each in faults if not each.startswith(("the tray has no room", "broken word"))]
        assert not lost, (size, lost)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_all_text_can_be_read_in_both_themes(annegret: Player, theme: Any) -> None:
    """Of drawings and of what cannot be pressed now, too."""
    tables = [
        annegret.table("rose_king", [HUMAN, BOT], position=near_the_end(20)),
        annegret.table("carolus_magnus", [HUMAN, BOT], position=position(2, in_phase("disc"))),
        annegret.table("carolus_magnus", [HUMAN, BOT], position=position(2, in_phase("emperor"))),
        annegret.table("court_the_king", [HUMAN, BOT], position=twelve_dice()),
        annegret.table("long_live_the_king", [HUMAN, *[BOT] * 3], position=four()),
        disputing(annegret),
    ]
    paths = ["/", "/lobby", "/learn/court_the_king", *(f"/t/{table}" for table in tables)]
    page = annegret.context.new_page()
    page.emulate_media(color_scheme=theme)
    found = {}
    for path in paths:
        page.goto(path)
        expect(page.locator("main .prompt, main h1").first).to_be_visible()
        page.wait_for_load_state("networkidle")
        for width, height in ((390, 844), (1440, 900)):
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate(
                "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
            )
            if lines := faint(page):
                found[f"{path}, {width}"] = lines
    assert not found


def test_long_names_end_in_full_words_and_differ(annegret: Player) -> None:
    seats = [{"kind": "hotseat", "name": f"Mitspielerin {number}"} for number in range(1, 6)]
    page = annegret.context.new_page()
    page.goto(f"/t/{annegret.table('court_the_king', seats)}")
    names = page.locator(".players h2")
    for width, height in DRAWN:
        page.set_viewport_size({"width": width, "height": height})
        expect(names.last).to_have_text(re.compile(r"5$"))
        shown = names.all_inner_texts()
        assert len(set(shown)) == 5, (width, shown)
        cut = names.evaluate_all("all => all.filter(each => each.scrollWidth > each.clientWidth + 1).length")
        assert not cut, (width, shown)


def test_the_bar_leads_everywhere_on_a_phone(annegret: Player) -> None:
    page = annegret.context.new_page()
    page.goto("/")
    for name, path in (("Spielen", "/new"), ("Tische", "/lobby"), ("Regeln", "/rules")):
        page.locator(".bar").get_by_role("link", name=name, exact=True).click()
        page.wait_for_url(f"**{path}")
        expect(page.locator(".bar [aria-current=page]")).to_have_text(name)
    page = opened(annegret, table_of(annegret, "rose_king"))
    page.get_by_role("button", name="Menü").click()
    page.get_by_role("dialog").get_by_role("link", name="Tische").click()
    page.wait_for_url("**/lobby")


@pytest.mark.parametrize("size", [(844, 390), (820, 1180)])
def test_axe_finds_nothing_beside_a_board(annegret: Player, size: tuple[int, int]) -> None:
    for game in GAMES:
        page = opened(annegret, table_of(annegret, game))
        page.set_viewport_size({"width": size[0], "height": size[1]})
        assert not axe(page), game
        page.close()


def test_the_log_is_a_sheet_where_it_has_no_column(annegret: Player) -> None:
    page = opened(annegret, table_of(annegret, "rose_king"))
    for width, height in ((844, 390), (390, 667)):
        page.set_viewport_size({"width": width, "height": height})
        page.locator(".bar").get_by_role("button", name="Verlauf").click()
        sheet = page.get_by_role("dialog", name="Verlauf")
        box = sheet.bounding_box()
        assert box
        assert box["x"] + box["width"] == width
        assert box["height"] == height
        expect(sheet.locator("li").last).to_be_in_viewport()
        page.keyboard.press("Escape")
        expect(sheet).to_have_count(0)
