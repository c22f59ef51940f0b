"""Guides in the browser: found, played to the end, left and taken up again, without a pointer and on a phone."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.conftest import PHONE, Player, Visit, axe
from regalia import GAMES
from regalia.study.guide import has_guide

pytestmark = [pytest.mark.browser, pytest.mark.slow]
GUIDED = [name for name, game in GAMES.items() if has_guide(game)]


def lesson(page: Page, game: str, step: int, answers: list[str]) -> dict[str, Any]:
    body = {"step": step, "answers": answers}
    facts: dict[str, Any] = page.request.post(
        f"/api/games/{game}/lesson", data=body, headers={"Origin": page.url.split("/learn")[0]}
    ).json()
    return facts


def do_step(page: Page, game: str, step: int) -> None:
    """By what is offered as a button, else by typing; every answer is told to be right."""
    answers: list[str] = []
    facts = lesson(page, game, step, answers)
    expect(page.locator("main h1")).to_have_text(facts["title"])
    while facts["done"] < facts["tasks"]:
        expect(page.locator(".says .say")).to_have_text(facts["say"])
        place = [choice["answer"] for choice in facts["choices"]]
        if facts["answer"] in place:
            page.locator(".answers button").nth(place.index(facts["answer"])).click()
        else:
            page.get_by_label("Type an action in notation").fill(facts["answer"])
            page.keyboard.press("Enter")
        answers.append(facts["answer"])
        facts = lesson(page, game, step, answers)
        expect(page.locator(".verdict.right")).to_contain_text(facts["verdict"]["text"])


@pytest.mark.parametrize("game", GUIDED)
def test_a_guide_is_played_to_its_end(visit: Visit, game: str) -> None:
    page = visit("/learn")
    page.locator("li", has_text=GAMES[game].titles["en"]).get_by_role("link", name="Begin").click()
    steps = len(page.request.get(f"/api/games/{game}/guide").json()["steps"])
    for step in range(steps):
        do_step(page, game, step)
        ahead = page.get_by_role("button", name="Play your first match" if step == steps - 1 else "Next step")
        expect(ahead).to_be_focused()
        if step == 1:
            assert not axe(page)
            page.goto("/learn")  # who comes back goes on where they left off
            page.get_by_role("link", name=f"Go on: step {step + 2}").click()
            do_step(page, game, step + 1)
            page.get_by_role("button", name="Back").click()
            do_step(page, game, step)
        page.keyboard.press("Enter")
    expect(page).to_have_url(f"{page.url.split('/new')[0]}/new/{game}?bots=page")
    page.goto("/learn")
    expect(page.locator("li", has_text=GAMES[game].titles["en"])).to_contain_text(f"{steps} of {steps} steps")


def test_a_wrong_answer_says_why_and_a_forbidden_action_names_its_clause(visit: Visit) -> None:
    page = visit("/learn/rose_king")
    facts = lesson(page, "rose_king", 0, [])
    wrong = next(at for at, choice in enumerate(facts["choices"]) if choice["answer"] != facts["answer"])
    expect(page.locator(".answers button").first).to_be_visible()
    page.keyboard.press(str(wrong + 1))
    expect(page.locator(".verdict")).to_contain_text("Not quite.")
    page.get_by_role("button", name="Show me").click()
    shown = next(choice["text"] for choice in facts["choices"] if choice["answer"] == facts["answer"])
    expect(page.locator(".shown")).to_contain_text(shown)
    page.goto("/learn/rose_king?step=2")
    page.get_by_label("Type an action in notation").fill("N1")
    page.keyboard.press("Enter")
    expect(page.locator(".verdict a")).to_have_attribute("href", "/rules/rose_king#clause-RK-25")


def test_on_a_phone_the_task_the_board_and_the_hand_are_in_view(visit: Visit, page: Page) -> None:
    page.set_viewport_size(PHONE)
    for game in GUIDED:
        visit(f"/learn/{game}?step=2")
        for part in (".says", ".stage", ".tray"):
            expect(page.locator(part)).to_be_in_viewport(ratio=0.9)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_newcomers_are_led_to_the_guide(visit: Visit, ann: Player) -> None:
    page = visit("/")
    expect(page.get_by_role("link", name="Begin here")).to_have_attribute("href", "/learn")
    expect(page.get_by_role("link", name="New to it? Learn it in five minutes").first).to_be_visible()
    page.goto("/new/rose_king")
    page.get_by_role("link", name="New to it?").click()
    expect(page.locator("main h1")).to_be_visible()
    expect(page).to_have_url(f"{page.url.split('/learn')[0]}/learn/rose_king?step=1")
    table = ann.table("rose_king", [{"kind": "human"}, {"kind": "open"}])
    page.goto(f"/t/{table}")
    expect(page.get_by_role("link", name="While you wait")).to_have_attribute("href", "/learn/rose_king")
