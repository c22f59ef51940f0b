"""A copy of the probe under another name is played to its end in the browser, and a game without a board says so."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from regalia.locale import LANGUAGES, say
from second_game import NAME, make, npm, serving

pytestmark = [pytest.mark.browser, pytest.mark.slow]
# What can be used now: all else can be pressed too, and says why not.
CARDS, MARKS, DICE = (
    f"{place}:enabled:not([aria-disabled=true])" for place in (".hand button", ".face > button", ".die")
)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    home = tmp_path_factory.mktemp("second")
    environment = make(home)
    bare = home / "src/regalia/games/bare_probe"  # a third game, which has no board
    shutil.copytree(bare.with_name(NAME), bare, ignore=shutil.ignore_patterns("web"))
    for path in bare.rglob("*.py"):
        path.write_text(path.read_text("utf-8").replace(NAME, "bare_probe"), "utf-8")
    npm(home, "run", "build")
    with serving(environment, "--bot-pause", "0") as started:
        yield started


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    context = browser.new_context(
        base_url=address, viewport={"width": 1440, "height": 900}, locale="en-GB", reduced_motion="reduce"
    )
    yield context.new_page()
    context.close()


def start(page: Page) -> None:
    page.goto(f"/new/{NAME}")
    page.locator("form button.primary").click()
    page.wait_for_url(re.compile("/t/"))


def test_it_stands_on_the_first_page_with_its_cover(page: Page) -> None:
    page.goto("/")
    card = page.locator("article", has_text="Second Probe")
    expect(card.locator("svg use[href='#die-3']").first).to_be_visible()
    expect(card.get_by_role("link", name="Play now: Second Probe")).to_be_visible()


def test_a_whole_match_is_played_with_clicks(page: Page) -> None:
    start(page)
    result = page.locator("dialog", has_text="Team")
    end = ".acts button[aria-keyshortcuts=e]"
    next_click = page.locator(f"{CARDS}, {MARKS}, {end}, dialog").first
    for _ in range(60):
        expect(next_click).to_be_visible()
        if result.is_visible():
            break
        next_click.click()
    expect(result.get_by_role("rowheader")).to_have_count(2)


def test_a_whole_match_is_played_with_keys(page: Page) -> None:
    start(page)
    result = page.locator("dialog", has_text="Team")
    mine = page.locator(".prompt:not(.waiting)")
    for _ in range(40):
        expect(mine.or_(result).first).to_be_visible()
        if result.is_visible():
            break
        before = page.locator(".log li").count()
        stakes = page.locator(CARDS)
        if stakes.count():
            page.keyboard.press(stakes.first.inner_text())
        elif page.locator(DICE).count():
            page.locator(DICE).first.focus()
            page.keyboard.press("Space")
            page.keyboard.press("r")
        else:
            page.keyboard.press("e")
        expect(page.locator(".log li").nth(before)).to_be_attached()
    expect(result).to_be_visible()


def test_a_game_without_a_board_says_so(page: Page) -> None:
    for language in LANGUAGES:
        page.goto("/")
        page.get_by_role("button", name=f"{language.upper()}, ").click()
        card = page.locator("article", has=page.locator("a[href='/rules/bare_probe']"))
        expect(card).to_contain_text(say(language, "ui.home.soon"))
    page.goto("/new/bare_probe")
    expect(page.locator("main")).to_contain_text(say("nl", "ui.no_board.title"))


def test_a_table_of_a_game_without_a_board_says_so(page: Page, address: str) -> None:
    page.goto("/")
    headers = {"Origin": address.rstrip("/")}
    page.request.post("/api/guest", data={"name": "Ann"}, headers=headers)
    seats = [{"kind": "human"}, *({"kind": "bot", "bot": "random"} for _ in range(3))]
    made = page.request.post("/api/tables", data={"game": "bare_probe", "seats": seats}, headers=headers)
    page.goto(f"/t/{made.json()['table']['id']}")
    expect(page.locator("main")).to_contain_text(say("en", "ui.no_board.title"))
    expect(page.get_by_role("link", name=say("en", "ui.no_board.rules"))).to_be_visible()
