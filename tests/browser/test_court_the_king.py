"""To Court the King in a real browser."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, expect

from browser.conftest import BOT, HUMAN, LAPTOP, Player, Visit, last_round, prompt

pytestmark = pytest.mark.browser


def test_a_turn_rolls_sets_aside_and_wins_a_character(visit: Visit, ann: Player) -> None:
    page = visit(f"/t/{ann.table('court_the_king', [HUMAN, BOT])}")
    roll = page.get_by_role("button", name=re.compile("^Roll"))
    expect(roll).to_be_visible()
    roll.click()
    dice = page.get_by_role("group", name="Active dice").get_by_role("button")
    expect(dice).to_have_count(3)
    dice.first.click()
    page.get_by_role("button", name=re.compile("^Set aside")).click()
    expect(dice).to_have_count(2)
    page.get_by_role("button", name=re.compile("^All aside")).click()
    expect(prompt(page)).to_contain_text("take a character, or none")
    fool = page.get_by_role("button", name=re.compile("^take, Fool"))
    fool.click()
    told = page.get_by_role("dialog", name="Fool")
    expect(told).to_contain_text("Your result pays for it.")
    expect(told).to_contain_text("any result")
    expect(told).to_contain_text("re-roll one active die")
    expect(told).to_contain_text("of 2 left")
    page.keyboard.press("Escape")
    expect(told).to_be_hidden()
    fool.click()
    told.get_by_role("button", name=re.compile("^Take")).click()
    expect(page.locator(".log")).to_contain_text("Ann wins over a Fool.")
    expect(
        page.get_by_role("group", name="The court of Ann").get_by_role("button", name=re.compile("^Fool"))
    ).to_be_visible()


def test_the_exact_odds_of_each_character_are_shown(visit: Visit, ann: Player) -> None:
    page = visit(f"/t/{ann.table('court_the_king', [HUMAN, BOT])}")
    expect(page.get_by_role("button", name=re.compile("^Roll"))).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("^Guard.*% with best play towards it"))).to_be_visible()


def test_a_power_is_used_by_a_click_on_it_and_then_on_dice(visit: Visit, ann: Player) -> None:
    position = {**last_round(), "in_hand": 0, "phase": "turn", "active": [1, 2, 4, 4], "duty": True}
    page = visit(f"/t/{ann.table('court_the_king', [HUMAN, BOT], position=position)}")
    page.get_by_role("button", name=re.compile("^Maid, ready")).click()
    page.get_by_role("button", name="Die showing 1", exact=True).click()
    offer = page.get_by_role("button", name="use maid 1+3", exact=True)
    expect(offer.locator("use")).to_have_count(2)
    expect(offer.locator("use").last).to_have_attribute("href", "#die-4")  # what the 1 would become
    offer.click()
    expect(page.get_by_role("button", name="Die showing 4", exact=True)).to_have_count(3)
    expect(page.get_by_role("button", name=re.compile("^Maid, used"))).to_be_visible()
    page.get_by_role("button", name="Take back").click()
    expect(page.get_by_role("button", name=re.compile("^Maid, ready"))).to_be_visible()


def test_the_final_round_ends_with_the_reckoning(visit: Visit, ann: Player) -> None:
    page = visit(f"/t/{ann.table('court_the_king', [HUMAN, BOT], position=last_round())}")
    expect(prompt(page)).to_contain_text("Final round")
    page.get_by_role("button", name=re.compile("^Roll")).click()
    page.get_by_role("button", name=re.compile("^All aside")).click()
    result = page.get_by_role("dialog", name="Result")
    expect(result).to_contain_text("Till wins")
    expect(result).to_contain_text("The King was won by Till with 7 times 2.")


def test_rolling_before_a_die_is_set_aside_is_refused_with_its_clause(visit: Visit, ann: Player) -> None:
    page = visit(f"/t/{ann.table('court_the_king', [HUMAN, BOT])}")
    page.get_by_role("button", name=re.compile("^Roll")).click()
    expect(page.get_by_role("group", name="Active dice").get_by_role("button")).to_have_count(3)
    page.keyboard.press("/")
    page.keyboard.type("roll")
    page.keyboard.press("Enter")
    expect(page.locator(".strip")).to_contain_text("Set aside at least one die before you roll again.")
    expect(page.get_by_role("button", name="Read CK-22")).to_be_visible()


@pytest.mark.parametrize("language", ["en-GB", "de-DE"])
def test_the_court_keeps_still_while_its_characters_are_looked_at(
    browser: Browser, base_url: str, language: str
) -> None:
    context = browser.new_context(
        base_url=base_url,
        locale=language,
        viewport=LAPTOP,
        reduced_motion="reduce",  # type: ignore[arg-type]
    )
    player = Player(context, base_url)
    page = context.new_page()
    position = {**last_round(), "in_hand": 0, "phase": "turn", "active": [1, 2, 4, 4], "duty": True}
    page.goto(f"/t/{player.table('court_the_king', [HUMAN, BOT], position=position)}")
    cards = page.locator(".court button.card")
    expect(cards).to_have_count(20)
    court = page.locator(".court")
    still = court.bounding_box()
    for card in cards.all():
        card.hover()
        expect(page.locator(".tip h2")).to_have_text(card.inner_text().split(",")[0])
        assert court.bounding_box() == still
    context.close()
