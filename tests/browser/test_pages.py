"""Every page for everyone: languages, themes, sizes, keys, and what goes wrong."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from browser.conftest import (
    BOT,
    HUMAN,
    OPEN,
    PHONE,
    Player,
    Visit,
    axe,
    last_round,
    near_the_end,
    play_rose_king,
    prompt,
)

pytestmark = pytest.mark.browser

PAGES = ["/", "/lobby", "/new", "/new/rose_king", "/new/court_the_king", "/rules", "/rules/rose_king"]
PAGES += ["/settings", "/import", "/about", "/accessibility", "/nowhere/at/all"]

SMALL_TARGETS = """() => {
    const all = document.querySelectorAll('main button, .bar button, .bar a, main a.button, main input, main select');
    const boxed = [...all].map(each => [each, (each.closest('label') ?? each).getBoundingClientRect()]);
    const isSeen = ([each, box]) => box.width && box.height && getComputedStyle(each).visibility === 'visible';
    const seen = boxed.filter(isSeen);
    const small = seen.filter(([each, box]) => box.height < 43.5 || box.width < 34);
    return small.map(([each]) => each.outerHTML.slice(0, 140));
}"""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_on_any_page(visit: Visit, page: Page, theme: Any) -> None:
    page.emulate_media(color_scheme=theme)
    for path in PAGES:
        visit(path)
        expect(page.locator("main h1")).to_be_visible()
        assert not axe(page), path


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_at_a_table(visit: Visit, page: Page, ann: Player, theme: Any) -> None:
    page.emulate_media(color_scheme=theme)
    rose = ann.table("rose_king", [HUMAN, BOT], position=near_the_end(3))
    visit(f"/t/{rose}")
    expect(prompt(page)).to_contain_text("Your turn")
    assert not axe(page)
    page.get_by_role("button", name="Rules").click()
    expect(page.get_by_role("dialog")).to_contain_text("RK-1")
    assert not axe(page)
    page.keyboard.press("Escape")
    play_rose_king(page)
    assert not axe(page)
    visit(f"/t/{ann.table('court_the_king', [HUMAN, BOT], position=last_round())}")
    expect(prompt(page)).to_contain_text("Final round")
    assert not axe(page)
    visit(f"/t/{ann.table('rose_king', [HUMAN, OPEN])}")
    expect(page.get_by_role("heading", name="Invite someone")).to_be_visible()
    assert not axe(page)


def test_the_language_follows_the_browser_and_can_be_switched(browser: Browser, base_url: str) -> None:
    context = browser.new_context(base_url=base_url, locale="nl-BE")
    page = context.new_page()
    page.goto("/")
    expect(page.get_by_role("heading", level=1)).to_contain_text("ier spellen over koningen")
    page.get_by_role("button", name="Deutsch").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("ier Spiele um Könige")
    assert page.evaluate("document.documentElement.lang") == "de"
    page.reload()
    expect(page.get_by_role("link", name="Jetzt spielen: Rosenkönig")).to_be_visible()
    context.close()


@pytest.mark.parametrize("language", ["en", "de", "nl"])
def test_a_phone_never_scrolls_sideways_and_its_targets_are_large(
    browser: Browser, base_url: str, language: str
) -> None:
    context = browser.new_context(base_url=base_url, locale=language, viewport=PHONE, has_touch=True)  # type: ignore[arg-type]
    ann = Player(context, base_url, "A guest with a rather long name")
    page = context.new_page()
    tables = [
        ann.table("rose_king", [HUMAN, BOT], position=near_the_end(9)),
        ann.table("court_the_king", [HUMAN, BOT, BOT, BOT, BOT]),
        ann.table("rose_king", [HUMAN, OPEN]),
    ]
    for path in [*PAGES, *(f"/t/{table}" for table in tables)]:
        page.goto(path)
        expect(page.locator("main").first).to_be_visible()
        if path.startswith("/t/") and path != f"/t/{tables[2]}":
            expect(prompt(page)).to_be_visible()
            assert page.evaluate("document.documentElement.scrollHeight") <= PHONE["height"], path
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], path
        small = page.evaluate(SMALL_TARGETS)
        assert not small, (path, small)
    context.close()


def test_at_a_laptop_nothing_needs_scrolling_at_the_table(visit: Visit, page: Page, ann: Player) -> None:
    for table in (
        ann.table("rose_king", [HUMAN, BOT], position=near_the_end(9)),
        ann.table("court_the_king", [HUMAN, BOT, BOT, BOT, BOT]),
    ):
        visit(f"/t/{table}")
        expect(prompt(page)).to_be_visible()
        size = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
        assert size == [1440, 900]


def test_the_first_page_is_light_and_soon_ready(visit: Visit, page: Page) -> None:
    loaded: list[int] = []
    page.on("response", lambda reply: loaded.append(int(reply.headers.get("content-length", "0"))))
    visit("/")
    expect(page.get_by_role("link", name="Play now: The Rose King")).to_be_visible()
    assert sum(loaded) <= 150 * 1024


def test_rules_are_found_by_search(visit: Visit) -> None:
    page = visit("/rules/rose_king")
    page.get_by_role("searchbox", name="Search the rules").fill("reshuffl")
    expect(page.get_by_text("Nothing found.").or_(page.locator("dl div").first).first).to_be_visible()
    page.get_by_role("searchbox", name="Search the rules").fill("RK-22")
    expect(page.locator("dl div")).to_have_count(1)
    expect(page.locator("dl div")).to_contain_text("must be empty")


def test_text_at_twice_its_size_stays_in_the_page(visit: Visit, page: Page) -> None:
    page.set_viewport_size({"width": 720, "height": 450})  # what a laptop of 1440 × 900 has left at 200 %
    for path in ("/", "/settings", "/new/rose_king", "/rules/rose_king"):
        visit(path)
        expect(page.locator("main h1")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= 720, path


def test_names_with_markup_or_from_right_to_left_are_only_names(visit: Visit, page: Page) -> None:
    visit("/")
    page.get_by_role("button", name=re.compile("choose a name|change name")).click()
    page.get_by_role("textbox", name="Your name").fill("<img src=x onerror=alert(1)> שלום")
    page.get_by_role("button", name="Keep").click()
    expect(page.locator(".name b")).to_contain_text("<img src=x")
    assert page.locator(".name img").count() == 0


def test_a_dead_link_says_so_and_offers_a_way_on(visit: Visit) -> None:
    page = visit("/t/nosuchtable")
    expect(page.get_by_role("heading", name="This table is not here")).to_be_visible()
    page.get_by_role("main").get_by_role("link", name="Home").click()
    expect(page.get_by_role("link", name="Play now: The Rose King")).to_be_visible()


def test_a_full_table_can_be_watched_but_not_joined(ann: Player, browser: Browser, base_url: str) -> None:
    table = ann.table("rose_king", [HUMAN, BOT])
    outside = browser.new_context(base_url=base_url, locale="en-GB")
    page = outside.new_page()
    page.goto(f"/t/{table}")
    expect(page.get_by_text("You are watching")).to_be_visible()
    assert page.get_by_role("button", name="Sit down").count() == 0
    outside.close()


def test_a_second_tab_on_the_same_seat_is_told(visit: Visit, ann: Player) -> None:
    table = ann.table("rose_king", [HUMAN, BOT])
    page = visit(f"/t/{table}")
    expect(prompt(page)).to_contain_text("Your turn")
    second = page.context.new_page()
    second.goto(f"/t/{table}")
    expect(second.get_by_text("also open in another tab")).to_be_visible()
    second.locator("button.card.can:not(.draw)").first.click()
    expect(page.locator(".log li")).to_have_count(3)


def test_the_back_button_leaves_the_table_and_forward_returns(visit: Visit, ann: Player) -> None:
    table = ann.table("rose_king", [HUMAN, BOT])
    page = visit("/")
    page.locator(f"a[href='/t/{table}']").first.click()
    expect(prompt(page)).to_contain_text("Your turn")
    page.locator("button.card.can:not(.draw)").first.click()
    page.go_back()
    expect(page.get_by_role("link", name="Play now: The Rose King")).to_be_visible()
    page.go_forward()
    expect(page.locator(".log li")).to_have_count(3)


def test_asking_before_each_action_can_be_switched_on(visit: Visit, ann: Player) -> None:
    page = visit("/settings")
    page.get_by_role("checkbox", name="Ask before each action is played").check()
    page.goto(f"/t/{ann.table('rose_king', [HUMAN, BOT])}")
    page.locator("button.card.can:not(.draw)").first.click()
    page.get_by_role("dialog", name="Play this?").get_by_role("button", name="Play it").click()
    expect(page.locator(".log li")).to_have_count(3)


def test_it_installs_as_an_app(visit: Visit, base_url: str) -> None:
    page = visit("/")
    manifest = page.request.get(f"{base_url}/manifest.webmanifest").json()
    assert manifest["display"] == "standalone"
    for icon in manifest["icons"]:
        assert page.request.get(base_url + icon["src"]).ok
