"""The analysis board: every side and all chance in one's own hand, kept in the browser, nothing lost when refused."""

from __future__ import annotations

import re
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

import regalia
from browser.conftest import BOT, HUMAN, PHONE, Player, Visit, axe, near_the_end

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def tree(page: Page) -> list[str]:
    return [" ".join(text.split()) for text in page.locator(".tree button").all_inner_texts()]


def command(page: Page, text: str) -> None:
    field = page.get_by_role("combobox", name="Type an action in notation")
    field.fill(text)
    field.press("Enter")


def test_lines_are_tried_with_all_sides_and_chosen_cards_and_are_still_there_later(
    visit: Visit, page: Page, complaints: list[str]
) -> None:
    position = regalia.Match.from_position("rose_king", near_the_end(20), chance="manual")
    page = visit(f"/analysis/rose_king#{quote(position.position_text())}")
    play = next(action for action in position.actions(0) if action != "draw" and not action.endswith("*"))
    command(page, play)
    expect(page.locator(".tree .now")).to_contain_text(play)
    expect(page.locator(".prompt")).to_contain_text("Player 2")
    page.locator(".tree .now").focus()
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".tree .now")).to_have_text("Start")
    command(page, "draw")
    expect(page.get_by_text("What falls?")).to_be_visible()
    falls = page.locator(".outs button")
    first = falls.first.inner_text().split()[0]
    falls.first.click()
    expect(page.locator(".tree .now")).to_contain_text(f"/ {first}")
    assert len(page.locator(".branch").all()) == 1
    page.get_by_label("Comment on this moment").fill("Waits.")
    page.get_by_label("Comment on this moment").press("Enter")
    expect(page.locator(".tree q")).to_have_text("Waits.")
    page.get_by_role("button", name="Make it the main line").click()
    expect(page.get_by_role("button", name="Make it the main line")).to_be_disabled()
    before = tree(page)
    command(page, "fly")
    expect(page.get_by_role("alert")).to_contain_text("Nothing was changed.")
    assert tree(page) == before
    assert all("Failed to load resource" in each for each in complaints)
    complaints.clear()
    assert axe(page) == []
    expect(page.get_by_text("Kept in this browser")).to_be_visible()

    page.goto("/analysis")
    page.locator("section li button").first.click()
    expect(page.locator(".tree q")).to_have_text("Waits.")
    assert tree(page) == before


def test_a_finished_match_is_analysed_from_the_moment_that_is_shown(
    visit: Visit, ann: Player, base_url: str
) -> None:
    match = regalia.Match.new("rose_king", seed=3)
    while not match.is_over:
        match.play(match.actors[0], match.actions(match.actors[0])[0])
    reply = ann.context.request.post(
        f"{base_url}/api/tables",
        data={"game": "rose_king", "seats": [HUMAN, BOT], "transcript": match.transcript()},
    )
    table = reply.json()["table"]
    page = visit(f"/t/{table['id']}?moment=3&key={table['watch_key']}")
    page.get_by_role("link", name="Analyse").click()
    expect(page.locator(".tree .now")).to_contain_text(match.records[3].action)
    assert page.locator(".tree button").count() == match.ply


def test_a_text_that_cannot_be_read_is_refused_and_stays(visit: Visit, complaints: list[str]) -> None:
    page = visit("/analysis")
    text = page.get_by_role("textbox", name=re.compile("A position, a transcript"))
    text.fill("regalia study 9")
    page.get_by_role("button", name="Open", exact=True).click()
    expect(page.get_by_role("alert")).to_be_visible()
    expect(text).to_have_value("regalia study 9")
    assert all("Failed to load resource" in each for each in complaints)
    complaints.clear()


def test_a_position_is_set_up_by_pieces_and_the_server_judges_each(
    visit: Visit, complaints: list[str]
) -> None:
    page = visit("/analysis/rose_king")
    page.get_by_role("button", name="At random").click()
    page.get_by_role("button", name="Set up").click()
    page.get_by_role("button", name="white stone").click()
    page.get_by_role("button", name="c3: empty").click()  # but the crown lies on a stone, once there are any
    expect(page.get_by_role("alert").get_by_role("link", name="RK-24")).to_be_visible()
    for field in ("e5", "c3"):
        page.get_by_role("button", name=f"{field}: empty").click()
        expect(page.get_by_role("button", name=f"{field}: white stone")).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)
    page.get_by_role("button", name="One hero more: Lancaster, red").click()
    expect(page.get_by_role("alert")).to_contain_text("heroes")
    expect(page.get_by_role("button", name="c3: white stone")).to_be_visible()
    assert all("Failed to load resource" in each for each in complaints)
    complaints.clear()
    assert axe(page) == []


@pytest.mark.parametrize("game", [*regalia.GAMES])
def test_every_game_is_analysed_on_a_phone(visit: Visit, page: Page, game: str) -> None:
    page.set_viewport_size(PHONE)
    position = regalia.Match.new(game, seed=4).position_text()
    visit(f"/analysis/{game}#{quote(position)}")
    expect(page.locator(".stage svg:visible").first).to_be_visible()
    expect(page.locator(".tree .now")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
