"""Sitting down together, leaving and coming back, watching and looking back."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ViewportSize, expect

import regalia
from browser.conftest import (
    BOT,
    HUMAN,
    LAPTOP,
    OPEN,
    PHONE,
    Player,
    Visit,
    near_the_end,
    play_rose_king,
    prompt,
    table_path,
)

pytestmark = pytest.mark.browser
GAMES = Path(__file__).parents[1] / "games"
FINISHED = [
    max((GAMES / game / "transcripts").glob("*.txt"), key=lambda path: path.stat().st_size)
    for game in regalia.GAMES
]


@pytest.mark.parametrize("game", regalia.GAMES)
def test_a_page_asks_for_earlier_positions_only_when_they_are_looked_at(
    visit: Visit, ann: Player, game: str
) -> None:
    """The log is worded from what the records tell: neither a page load nor a reload needs the views of the past."""
    seats = regalia.GAMES[game].seats[0]
    table = ann.table(game, [HUMAN, *[BOT] * (seats - 1)])
    asked: list[str] = []
    page = visit("/")
    page.on("request", lambda request: asked.append(request.url))
    visit(f"/t/{table}")
    expect(page.locator(".log li").first).to_be_visible()
    page.reload()
    expect(page.locator(".log li").first).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert any(table in url for url in asked)
    assert not [url for url in asked if "/frames" in url]
    visit(f"/t/{table}?ply=1")
    expect(page.get_by_role("slider", name="Moment of the game")).to_be_visible()
    assert [url for url in asked if "/frames" in url]


def test_two_browsers_meet_at_one_table_by_invitation(visit: Visit, browser: Browser, base_url: str) -> None:
    page = visit("/new/rose_king?with=friends")
    page.get_by_role("button", name="Open the table").click()
    link = page.get_by_role("textbox", name="Invitation link").input_value()
    assert "invite=" in link

    friend = browser.new_context(base_url=base_url, locale="de-DE", reduced_motion="reduce")
    other = friend.new_page()
    other.goto(link)
    other.get_by_role("button", name="Hinsetzen").click()
    expect(other.get_by_role("textbox", name="Dein Name")).to_be_focused()
    other.keyboard.press("Enter")
    for each in (page, other):
        expect(each.locator(".prompt")).to_be_visible()
    mover = page if "Your turn" in prompt(page).inner_text() else other
    waiter = other if mover is page else page
    mover.locator("button.card.can:not(.draw)").first.click()
    expect(waiter.locator(".log li")).to_have_count(2)
    expect(prompt(waiter)).to_contain_text(re.compile("Your turn|Du bist|Dein Zug|dran", re.IGNORECASE))
    waiter.get_by_role("button", name=re.compile("^(Talk|Chat)")).click()
    waiter.get_by_role("textbox", name=re.compile("^(Say something|Etwas sagen)")).fill("<b>hello</b> שלום")
    waiter.get_by_role("button", name=re.compile("^(Send|Senden)$")).click()
    mover.get_by_role("button", name=re.compile("^(Talk|Chat)")).click()
    expect(mover.locator(".chat").get_by_text("<b>hello</b> שלום")).to_be_visible()
    friend.close()


def test_hot_seat_both_play_at_one_screen(visit: Visit) -> None:
    page = visit("/new/rose_king?with=hotseat")
    page.get_by_role("textbox", name="Player 1").fill("Ann")
    page.get_by_role("textbox", name="Player 2").fill("Bea")
    page.get_by_role("button", name="Start the game").click()
    for turn, name in enumerate(("Ann", "Bea", "Ann")):
        expect(page.get_by_role("list", name=f"Cards of {name}")).to_be_visible()
        page.locator("button.card.can:not(.draw)").first.click()
        expect(page.locator(".log li")).to_have_count(turn + 2)


def test_a_reload_in_mid_game_comes_back_to_the_same_place(visit: Visit, ann: Player) -> None:
    page = visit(f"/t/{ann.table('rose_king', [HUMAN, BOT])}")
    page.locator("button.card.can:not(.draw)").first.click()
    expect(page.locator(".log li")).to_have_count(3)
    board = page.locator("svg.board").get_attribute("aria-label")
    page.reload()
    expect(page.locator(".log li")).to_have_count(3)
    assert page.locator("svg.board").get_attribute("aria-label") == board
    expect(prompt(page)).to_contain_text("Your turn")


def test_a_lost_network_is_said_and_the_game_goes_on_afterwards(
    visit: Visit, ann: Player, complaints: list[str]
) -> None:
    page = visit(f"/t/{ann.table('rose_king', [HUMAN, BOT])}")
    expect(prompt(page)).to_contain_text("Your turn")
    page.context.set_offline(True)
    expect(prompt(page)).to_contain_text("Reconnecting")
    assert page.locator("button.card.can").count() == 0
    page.context.set_offline(False)
    expect(prompt(page)).to_contain_text("Your turn")
    page.locator("button.card.can:not(.draw)").first.click()
    expect(page.locator(".log li")).to_have_count(3)
    complaints[:] = [each for each in complaints if "ERR_INTERNET_DISCONNECTED" not in each]


def test_a_spectator_sees_the_game_and_can_do_nothing(
    visit: Visit, ann: Player, browser: Browser, base_url: str
) -> None:
    table = ann.table("rose_king", [HUMAN, BOT])
    page = visit(f"/t/{table}")
    expect(prompt(page)).to_contain_text("Your turn")
    outside = browser.new_context(base_url=base_url, locale="en-GB", reduced_motion="reduce")
    watcher = outside.new_page()
    watcher.goto(f"/t/{table}")
    expect(watcher.get_by_text("You are watching")).to_be_visible()
    assert watcher.locator("button.card.can").count() == 0
    page.locator("button.card.can:not(.draw)").first.click()
    expect(watcher.locator(".log li")).to_have_count(3)
    outside.close()


def test_a_replay_has_a_slider_keys_links_and_a_way_to_play_on(visit: Visit, ann: Player) -> None:
    table = ann.table("rose_king", [HUMAN, BOT], position=near_the_end(3))
    page = visit(f"/t/{table}")
    play_rose_king(page)
    records = len(ann.update(table)["records"])
    page.get_by_role("dialog").get_by_role("button", name="Watch it again").click()
    expect(page.get_by_text(f"0 of {records - 1}", exact=True)).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text(f"1 of {records - 1}", exact=True)).to_be_visible()
    page.get_by_role("slider", name="Moment of the game").fill("2")
    expect(page.get_by_text(f"2 of {records - 1}", exact=True)).to_be_visible()
    assert page.url.endswith("moment=2")
    page.goto(page.url)
    expect(page.get_by_text(f"2 of {records - 1}", exact=True)).to_be_visible()
    page.goto(f"/t/{table}?ply=3")  # a link of version 0.1
    expect(page.get_by_text(f"2 of {records - 1}", exact=True)).to_be_visible()
    page.get_by_role("slider", name="Moment of the game").fill("0")
    page.get_by_role("button", name="Play on from here").click()
    page.wait_for_url(lambda url: table not in url)
    expect(prompt(page)).to_contain_text("Your turn")
    assert table_path(page) != f"/t/{table}"


def test_a_transcript_goes_out_and_comes_in_again(visit: Visit, ann: Player) -> None:
    table = ann.table("rose_king", [HUMAN, BOT], position=near_the_end(2))
    page = visit(f"/t/{table}")
    page.locator("button.card.can:not(.draw)").first.click()
    expect(page.locator(".log li").nth(1)).to_be_attached()
    text = ann.context.request.get(f"{ann.base}/api/tables/{table}/transcript").text()
    page.goto("/import")
    page.get_by_role("textbox", name="Or paste its text").fill(text)
    page.get_by_role("button", name="Open", exact=True).click()
    page.wait_for_url(re.compile("/t/"))
    expect(page.locator(".log li").nth(1)).to_be_attached()
    page.goto("/import")
    page.get_by_role("textbox", name="Or paste its text").fill("not a transcript")
    page.get_by_role("button", name="Open", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("This is not a transcript")


@pytest.mark.parametrize("path", FINISHED, ids=lambda path: path.parts[-3])
def test_a_finished_match_is_saved_opened_and_stepped_through(visit: Visit, ann: Player, path: Path) -> None:
    match = regalia.Match.replay(path.read_text("utf-8"))
    text = match.transcript()
    for _ in range(2):  # the file, then the one that its result saves
        page = visit("/import")
        page.get_by_role("textbox", name="Or paste its text").fill(text)
        page.get_by_role("button", name="Open", exact=True).click()
        page.wait_for_url(re.compile("/t/"))
        page.get_by_role("button", name="Result", exact=True).click()
        result = page.get_by_role("dialog", name="Result")
        expect(result).to_contain_text("Seat 1")
        expect(result).not_to_contain_text("Provably fair")
        with page.expect_download() as download:
            result.get_by_role("link", name="Save the transcript").click()
        text = download.value.path().read_text("utf-8")
        assert text == match.transcript()
    result.get_by_role("button", name="Watch it again").click()
    expect(page.get_by_text(f"0 of {match.ply - 1}", exact=True)).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text(f"1 of {match.ply - 1}", exact=True)).to_be_visible()
    page.get_by_role("button", name="Play on from here").click()
    page.wait_for_url(lambda url: "ply" not in url)
    expect(prompt(page)).to_be_visible()


def test_giving_up_ends_the_match_and_a_rematch_begins(visit: Visit, ann: Player) -> None:
    table = ann.table("rose_king", [HUMAN, BOT])
    page = visit(f"/t/{table}")
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Give up").click()
    page.get_by_role("dialog", name="Give up").get_by_role("button", name="Give up").click()
    expect(page.get_by_role("dialog", name="Result")).to_contain_text("Till wins")
    page.get_by_role("dialog").get_by_role("button", name="Play again").click()
    page.wait_for_url(lambda url: table not in url and "/t/" in url)
    expect(prompt(page)).to_be_visible()


def test_a_hint_names_an_action_that_can_be_played(visit: Visit, ann: Player) -> None:
    page = visit(f"/t/{ann.table('rose_king', [HUMAN, BOT], position=near_the_end(3))}")
    page.get_by_role("button", name="Hint").click()
    hint = page.locator(".strip.hint")
    expect(hint).to_contain_text("advises:")
    before = page.locator(".log li").count()
    hint.get_by_role("button", name="Play").click()
    expect(page.locator(".log li").nth(before)).to_be_attached()


def test_the_sentences_of_a_hint_are_set_apart(visit: Visit, ann: Player) -> None:
    page = visit(f"/t/{ann.table('rose_king', [HUMAN, BOT], position=near_the_end(3))}")
    page.get_by_role("button", name="Hint").click()
    said = page.locator(".strip.hint > p")
    expect(said).to_contain_text("Expects")
    assert not re.search(r"\.\w", said.inner_text())


CUT_OFF = """() => {
  const pen = document.createElement("canvas").getContext("2d");
  const cut = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const holder = node.parentElement;
    const style = getComputedStyle(holder);
    if (!node.data.trim() || holder.closest(".sr, svg, option, textarea") || !holder.checkVisibility()) continue;
    let box = holder;
    while (box && getComputedStyle(box).overflowY === "visible") box = box.parentElement;
    if (!box || !["hidden", "clip"].includes(getComputedStyle(box).overflowY)) continue;
    const low = box.getBoundingClientRect().bottom - parseFloat(getComputedStyle(box).borderBottomWidth);
    pen.font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    const { actualBoundingBoxDescent: tail, fontBoundingBoxDescent: depth } = pen.measureText("gjpqy");
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const line of range.getClientRects()) {
      const isShown = line.height > 0 && line.top + line.height / 2 < low;
      if (isShown && line.bottom - depth + tail > low + 0.5)
        cut.push(`${holder.tagName}.${holder.className}: ${node.data.trim().slice(0, 30)}`);
    }
  }
  return cut;
}"""


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
@pytest.mark.parametrize("game", list(regalia.GAMES))
def test_no_letter_below_the_line_is_cut_off(
    visit: Visit, ann: Player, game: str, size: ViewportSize
) -> None:
    bots = [BOT] * (regalia.GAMES[game].seats[0] - 1)
    page = visit(f"/t/{ann.table(game, [HUMAN, *bots])}")
    page.set_viewport_size(size)
    expect(prompt(page)).to_be_visible()
    page.evaluate("() => document.fonts.ready.then(() => undefined)")
    assert page.evaluate(CUT_OFF) == []


def test_the_rules_open_by_a_key_before_the_match_has_begun(visit: Visit, ann: Player) -> None:
    page = visit(f"/t/{ann.table('rose_king', [{'kind': 'human'}, {'kind': 'open'}])}")
    expect(page.get_by_role("heading", name="Seats")).to_be_visible()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("RK-1")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_an_open_table_shows_in_the_list_and_can_be_joined(
    visit: Visit, ann: Player, browser: Browser, base_url: str
) -> None:
    table = ann.table("rose_king", [HUMAN, OPEN])
    page = visit("/lobby")
    expect(page.locator(f"a[href='/t/{table}']")).to_be_visible()
    outside = browser.new_context(base_url=base_url, locale="nl-NL", reduced_motion="reduce")
    guest = outside.new_page()
    guest.goto("/")
    guest.locator(f"a[href='/t/{table}']").click()
    guest.get_by_role("button", name="Gaan zitten").click()
    expect(guest.get_by_role("textbox", name="Je naam")).to_be_focused()
    guest.keyboard.press("Enter")
    expect(guest.locator(".prompt")).to_be_visible()
    outside.close()
