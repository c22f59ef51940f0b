"""Rules to touch: examples stepped through and tried, words looked up, a refusal's clause opened, without scripts."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from browser.conftest import PHONE, Visit, axe
from regalia import GAMES
from regalia.study.examples import examples_of

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.mark.parametrize("game", [name for name, game in GAMES.items() if examples_of(game)])
def test_examples_are_stepped_through_and_words_are_explained(visit: Visit, game: str) -> None:
    page = visit(f"/rules/{game}")
    first = examples_of(GAMES[game])[0]
    figure = page.get_by_role("figure", name=f"Example {first.clause}")
    figure.scroll_into_view_if_needed()
    expect(figure.get_by_role("status")).to_contain_text(f"0/{len(first.play)}")
    for number in range(1, len(first.play) + 1):
        figure.get_by_role("button", name="One on").click()
        expect(figure.get_by_role("status")).to_contain_text(f"{number}/{len(first.play)}")
    expect(figure.locator(".picture svg").last).to_be_visible()
    term = page.locator("dd a.term").first
    name = term.inner_text()
    term.click()
    expect(page.get_by_role("dialog")).to_be_visible()
    assert not axe(page)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_label("Search the rules").fill(name)
    assert page.locator(".clause").count() > 0


def test_an_example_is_tried_by_keyboard_and_what_is_refused_opens_its_clause(visit: Visit) -> None:
    page = visit("/rules/rose_king?try=RK-X2")
    line = page.get_by_label("Type an action in notation")
    line.fill("N3")
    line.press("Enter")
    expect(page.locator(".verdict")).to_contain_text("RK-25")
    line.fill("NE2")
    line.press("Enter")
    expect(page.locator(".verdict")).to_have_count(0)
    assert not axe(page)
    page.get_by_role("button", name="Start again").click()
    line.fill("N3")
    line.press("Enter")
    page.locator(".verdict").get_by_role("link", name="RK-25").click()
    expect(page.locator("#clause-RK-25.here")).to_be_in_viewport()


def test_rules_fit_a_phone(visit: Visit) -> None:
    page = visit("/rules/court_the_king")
    page.set_viewport_size(PHONE)
    page.goto("/rules/court_the_king#term-fool")
    expect(page.locator("#term-fool")).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_without_scripts_the_rules_can_be_read(browser: Browser, base_url: str) -> None:
    context = browser.new_context(java_script_enabled=False, locale="de-DE")
    page: Page = context.new_page()
    page.goto(f"{base_url}/rules/rose_king#clause-RK-21")
    expect(page.locator("#clause-RK-21")).to_be_in_viewport()
    expect(page.locator("main")).to_contain_text("Die Krone darf das Brett nicht verlassen.")
    context.close()
