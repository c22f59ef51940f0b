"""The keep trainer in the browser: from the Learn page, by keyboard, on a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from browser.conftest import PHONE, Visit, axe

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_hands_are_answered_by_keyboard_and_the_mean_is_kept(visit: Visit) -> None:
    page = visit("/learn")
    page.get_by_role("link", name="Keep trainer").click()
    expect(page.locator("main h1")).not_to_be_empty()
    page.goto("/trainer/court_the_king?level=few&hand=3")
    expect(page.locator(".says .label")).to_contain_text("Hand 3")
    line = page.get_by_label("Type an action in notation")
    offer = page.locator("#offers option").last.get_attribute("value")
    assert offer is not None
    line.fill(offer)
    line.press("Enter")
    expect(page.locator("ol .yours")).to_contain_text(offer)
    assert page.locator("ol li").count() > 2
    expect(page.get_by_role("button", name="Next hand")).to_be_focused()
    assert not axe(page)
    page.keyboard.press("Enter")
    expect(page.locator("ol li")).to_have_count(0)
    expect(page.get_by_label("Keep trainer")).to_contain_text("over the last 1")


def test_a_hand_fits_a_phone(visit: Visit) -> None:
    page = visit("/trainer/court_the_king?level=few&hand=3")
    page.set_viewport_size(PHONE)
    expect(page.locator(".says")).to_be_in_viewport()
    expect(page.locator(".tray")).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert not axe(page)
