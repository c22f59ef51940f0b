"""The Rose King in a real browser."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, expect

from browser.conftest import (
    BOT,
    HUMAN,
    LAPTOP,
    PHONE,
    Player,
    Visit,
    near_the_end,
    play_rose_king,
    prompt,
)
from regalia import Match
from regalia.games.rose_king.components import CARD_NAMES

pytestmark = pytest.mark.browser

NOTATION = {"north": "N", "south": "S", "east": "E", "west": "W"}


def test_from_the_first_page_to_the_first_move_in_two_clicks(visit: Visit) -> None:
    page = visit("/")
    page.get_by_role("link", name="Play now: The Rose King").click()
    expect(page.get_by_role("radio", name="Till jester Plays at random")).to_be_checked()
    page.get_by_role("button", name="Start the game").click()
    expect(prompt(page).get_by_text("Your turn")).to_be_visible()
    expect(page).to_have_title(re.compile("Your turn"))


def test_a_match_against_a_bot_ends_with_the_reckoning(visit: Visit, ann: Player) -> None:
    table = ann.table("rose_king", [HUMAN, {"kind": "bot", "bot": "page"}], position=near_the_end(4))
    page = visit(f"/t/{table}")
    play_rose_king(page)
    result = page.get_by_role("dialog", name="Result")
    expect(result.get_by_text("The 52nd stone was laid.")).to_be_visible()
    points = ann.update(table)["table"]["result"]["points"]
    for number in points:
        expect(result.get_by_role("cell", name=str(number), exact=True).first).to_be_visible()
    result.get_by_text("Provably fair").click()
    expect(result.get_by_role("button", name="Save the proof")).to_be_visible()
    page.goto("/new/rose_king")
    expect(page.get_by_role("radio", name="Cicely")).to_be_checked()


def test_a_bot_takes_a_seat_among_those_who_share_a_device(visit: Visit) -> None:
    page = visit("/new/rose_king?with=hotseat")
    page.get_by_role("textbox", name="Player 1").fill("Ann")
    page.get_by_role("combobox", name="Who plays seat 2").select_option(label="Cicely, page")
    page.get_by_role("button", name="Start the game").click()
    expect(page.get_by_role("region", name="Cicely")).to_be_visible()
    page.locator("button.card.can:not(.draw)").first.click()
    expect(page.locator(".log li").nth(2)).to_contain_text("Cicely")
    expect(prompt(page).get_by_text("Your turn")).to_be_visible()


def test_pointing_at_a_card_shows_where_the_crown_would_go_and_the_score(visit: Visit, ann: Player) -> None:
    page = visit(f"/t/{ann.table('rose_king', [HUMAN, BOT])}")
    card = page.locator("button.card.can:not(.draw)").first
    expect(card.locator(".note")).to_contain_text("+1")
    card.hover()
    expect(page.locator(".flag")).to_contain_text("→ 1")
    expect(page.get_by_role("button", name=re.compile("^Play [NESW]+ I+")).last).to_be_visible()


def test_a_refused_action_shows_its_clause(visit: Visit, ann: Player) -> None:
    table = ann.table("rose_king", [HUMAN, BOT])
    held = ann.update(table)["view"]["hands"][0]
    missing = next(
        f"{way}{far}" for way in ("N", "E", "S", "W") for far in (1, 2, 3) if f"{way}{far}" not in held
    )
    page = visit(f"/t/{table}")
    expect(prompt(page).get_by_text("Your turn")).to_be_visible()
    page.keyboard.press("/")
    page.keyboard.type(missing)
    page.keyboard.press("Enter")
    expect(page.locator(".strip")).to_contain_text("Not allowed: This card is not in your hand.")
    page.get_by_role("button", name="Read RK-25").click()
    expect(page.locator(".strip .law")).to_contain_text("only from your own hand")


def test_a_whole_match_by_keyboard_through_the_accessibility_tree(visit: Visit, ann: Player) -> None:
    """From the first card to the result: what is read are roles and names, what is used are keys."""
    page = visit(f"/t/{ann.table('rose_king', [HUMAN, BOT])}")
    over = page.get_by_role("dialog", name="Result")
    offered = page.get_by_role("list", name="Cards of Ann").get_by_role("button", name=re.compile("^Play "))
    log = page.get_by_role("list", name="Log").get_by_role("listitem")
    expect(offered.first).to_be_visible()
    page.keyboard.press("/")  # to the line where actions are typed; it keeps the focus
    expect(page.get_by_role("combobox", name="Type an action in notation")).to_be_focused()
    for _ in range(200):
        expect(page.get_by_text(re.compile("^Your turn")).or_(over).first).to_be_visible()
        if over.is_visible():
            break
        before = log.count()
        if offered.count():
            label = offered.first.locator(".sr").inner_text()
            found = re.match(r"Play ([a-z-]+) (\d)( with a hero)?", label)
            assert found, label
            way = "".join(NOTATION[part] for part in found[1].split("-"))
            page.keyboard.type(f"{way}{found[2]}{'*' if found[3] else ''}")
        else:
            page.keyboard.type("draw")
        page.keyboard.press("Enter")
        expect(log.nth(before)).to_be_attached()
    expect(over).to_be_visible()
    expect(over.get_by_role("table", name="The reckoning")).to_be_visible()


def test_what_happens_is_said_to_those_who_listen(visit: Visit, ann: Player) -> None:
    page = visit(f"/t/{ann.table('rose_king', [HUMAN, BOT])}")
    page.locator("button.card.can:not(.draw)").first.click()
    expect(page.locator("[role=status]").first).to_contain_text("Ann plays")


def test_undo_is_gone_once_the_other_has_acted(visit: Visit, ann: Player) -> None:
    table = ann.table("rose_king", [{"kind": "hotseat", "name": "Ann"}, {"kind": "hotseat", "name": "Bea"}])
    page = visit(f"/t/{table}")
    page.locator("button.card.can:not(.draw)").first.click()
    expect(page.locator(".log li")).to_have_count(2)
    assert len(ann.update(table)["records"]) == 2


def test_directions_are_shown_and_typed_as_the_reader_writes_them(browser: Browser, base_url: str) -> None:
    context = browser.new_context(base_url=base_url, viewport=PHONE, locale="nl-NL", reduced_motion="reduce")  # type: ignore[arg-type]
    player = Player(context, base_url)
    hands = [["N1", "SE1"], ["NE3", "E2", "SE2", "S1", "W1"]]
    position = {
        **Match.new("rose_king", seed=1).position(),
        "hands": hands,
        "pile": [card for card in CARD_NAMES if card not in hands[0] + hands[1]],
    }
    table = player.table("rose_king", [HUMAN, BOT], position=position)
    page = context.new_page()
    page.goto(f"/t/{table}")
    theirs = page.locator(".theirs .direction")
    expect(theirs).to_have_text(["NO", "O", "ZO", "Z", "W"])
    assert (
        theirs.first.evaluate("text => parseFloat(getComputedStyle(text).fontSize) * text.getCTM().a") >= 12
    )
    page.set_viewport_size(LAPTOP)
    page.keyboard.press("/")
    page.keyboard.type("zo1")
    page.keyboard.press("Enter")
    expect(page.locator(".log li").nth(1)).to_contain_text("Ann speelt ZO1: de kroon gaat naar f4")
    assert player.update(table)["records"][1]["action"] == "SE1"
    context.close()
