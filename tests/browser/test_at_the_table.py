"""What every table offers around its board, whatever the game."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from browser.conftest import BOT, HUMAN, Player, Visit, prompt

pytestmark = pytest.mark.browser


def test_alone_against_a_bot_one_takes_back_over_its_answer_by_button_and_by_key(
    visit: Visit, ann: Player
) -> None:
    page = visit(f"/t/{ann.table('rose_king', [HUMAN, BOT])}")
    lines = page.locator(".log li")
    take_back = page.get_by_role("button", name="Take back")
    for way in ("button", "Control+z"):
        page.locator("button.card.can:not(.draw)").first.click()
        expect(lines).to_have_count(3)
        expect(take_back).to_be_visible()
        if way == "button":
            take_back.click()
        else:
            page.keyboard.press(way)
        expect(lines).to_have_count(1)
        expect(prompt(page)).to_contain_text("Your turn")
    expect(page.locator("header")).to_contain_text("Practice")
    expect(take_back).to_be_hidden()
