"""What is marked on the boards is what may be done: all of it, and nothing else."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from math import prod

import pytest
from playwright.sync_api import Page, expect

from browser.conftest import BOT, HUMAN, OWN_OR_OVER, Player, prompt

pytestmark = pytest.mark.browser

MARKED = """() => [...document.querySelectorAll(".stage [data-action], .tray [data-action]")]
    .filter((each) => each.checkVisibility()).map((each) => each.dataset.action)"""
USABLE = """all => all.map((each) =>
    each.querySelector('use[href^="#e-"]').getAttribute("href").slice("#e-".length))"""
Marks = set[str]


def marked(page: Page) -> Marks:
    return set(page.evaluate(MARKED))


def with_each(page: Page, pieces: str) -> Marks:
    """What is marked while nothing is chosen, and while each of some pieces is."""
    found = marked(page)
    for index in range(page.locator(pieces).count()):
        page.locator(pieces).nth(index).click()
        found |= marked(page)
        page.locator(pieces).nth(index).click()
    return found


def rose_king(page: Page, actions: Marks) -> Marks:
    return marked(page)


def carolus_magnus(page: Page, actions: Marks) -> Marks:
    return with_each(page, ".knight.can")


def court_the_king(page: Page, actions: Marks) -> Marks:
    """Dice may be set aside in any number; a power that asks for nothing is used by a press, so it is not pressed."""
    found = marked(page)
    kept = {action for action in actions if action.startswith("keep ")}
    dice = page.locator(".active button.die")
    faces = [label.split()[-1] for label in dice.evaluate_all("all => all.map(each => each.ariaLabel)")]
    if kept:
        assert len(kept) == prod(count + 1 for count in Counter(faces).values()) - 1
        for index in range(dice.count()):
            dice.nth(index).click()
            found |= {action for action in marked(page) if action.startswith("keep ")}
        assert f"keep {' '.join(sorted(faces))}" in found
        assert found & kept == {action for action in found if action.startswith("keep ")}
        found |= kept
        for index in range(dice.count()):
            dice.nth(index).click()
    uses = {action for action in actions if action.startswith("use ")}
    names = page.locator(".mine.usable").evaluate_all(USABLE)
    assert set(names) == {action.split()[1] for action in uses}
    for name in names:
        own = {action for action in uses if action.split()[1] == name}
        if own == {f"use {name}"}:
            found |= own
            continue
        page.locator(".mine.usable", has=page.locator(f'use[href="#e-{name}"]')).first.click()
        expect(page.locator(".using")).to_be_visible()
        offered = marked(page) & uses
        assert offered == (own if len(own) <= 12 else set())
        found |= own
        page.keyboard.press("Escape")
        expect(page.locator(".using")).to_be_hidden()
    return found


def long_live_the_king(page: Page, actions: Marks) -> Marks:
    """A free move is a press on its area; where a card is paid the area asks for it; a stake is picked card by card."""
    found = marked(page)
    if any(action.startswith("stake ") for action in actions):
        assert page.locator(".stack.can").count() == len(
            {action.split()[1] for action in actions if len(action.split()) == 2}
        )
        page.locator(".stack.can").first.click()
        assert marked(page) <= actions
        return set(actions)
    goals = page.locator(".area[data-goal]")
    for index in range(goals.count()):
        area = goals.nth(index).get_attribute("data-area")
        if goals.nth(index).get_attribute("data-goal") == "banish":
            found.add(f"banish {area}")
        elif f"move {area}" in actions:
            found.add(f"move {area}")
        else:
            goals.nth(index).focus()
            page.keyboard.press("Enter")
            asked = {action for action in marked(page) if action.startswith(f"move {area} ")}
            assert asked, area
            found |= asked
            page.keyboard.press("Enter")
    return found


Reader = Callable[[Page, Marks], Marks]
GAMES: dict[str, tuple[Reader, int, int]] = {  # how marks are read, seats, decisions to look at
    "rose_king": (rose_king, 2, 12),
    "carolus_magnus": (carolus_magnus, 2, 14),
    "court_the_king": (court_the_king, 2, 24),
    "long_live_the_king": (long_live_the_king, 3, 16),
}


@pytest.mark.parametrize("game", GAMES)
def test_all_that_may_be_done_is_marked_and_nothing_else(page: Page, ann: Player, game: str) -> None:
    read, seats, most = GAMES[game]
    choice = random.Random(11)
    table = ann.table(game, [HUMAN, *[BOT] * (seats - 1)])
    page.goto(f"/t/{table}")
    expect(prompt(page)).to_be_visible()
    command = page.get_by_role("combobox", name="Type an action in notation")
    for _ in range(most):
        page.wait_for_function(OWN_OR_OVER)
        if page.locator(".ended").is_visible():
            return
        view = ann.update(table)["view"]
        actions = set(view["actions"])
        assert read(page, actions) == actions, view["phase"]
        before = page.locator(".log li").count()
        command.fill(choice.choice(sorted(actions)))
        command.press("Enter")
        page.wait_for_function(
            "before => document.querySelector('.ended') || document.querySelectorAll('.log li').length > before",
            arg=before,
        )
