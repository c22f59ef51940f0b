"""People at one table: clocks, draws, a bot standing in, talk, and what a page does when the world changes under it."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

from browser.conftest import BOT, HUMAN, OPEN, PHONE, Player, Visit, axe, prompt, sit_down
from regalia.server.protocol import VERSION
from server.harness import Running

pytestmark = pytest.mark.browser

HOTSEAT = [{"kind": "hotseat", "name": "Ann"}, {"kind": "hotseat", "name": "Cem"}]


def play_a_card(page: Page) -> None:
    before = page.locator(".log li").count()
    page.locator("button.card.can:not(.draw)").first.click()
    expect(page.locator(".log li").nth(before)).to_be_attached()


def menu(page: Page, item: str) -> None:
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("dialog", name="Menu").get_by_role("button", name=item).click()


def live(reserve_ms: int) -> dict[str, Any]:
    return {"tempo": "live", "reserve_ms": reserve_ms, "increment_ms": 0}


# --- Invitations ---


def test_an_invitation_from_this_machine_says_who_can_open_it(
    visit: Visit, ann: Player, house: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = ann.table("rose_king", [HUMAN, OPEN], is_public=False)
    page = visit(f"/t/{table}")
    link = page.get_by_role("textbox", name="Invitation link")
    expect(page.locator(".invite .note")).to_contain_text("Other devices cannot open this link")
    expect(page.locator(".invite code").first).to_have_text("./play serve --host 0.0.0.0")
    assert link.input_value().startswith(house.base)
    assert not axe(page)

    public = replace(house.services.settings, public=("https://play.example.org/",))
    monkeypatch.setattr(house.services, "settings", public)
    page.reload()
    expect(link).to_have_value(re.compile(rf"^https://play\.example\.org/t/{table}\?invite="))
    expect(page.locator(".invite .note")).to_contain_text("The link above is the one for other devices")
    expect(page.get_by_role("img", name="The invitation link as a QR code")).to_be_visible()
    page.wait_for_function("() => document.querySelector('img').naturalWidth > 0")


def test_who_comes_by_an_invitation_is_asked_for_a_name_once(
    browser: Browser, base_url: str, ann: Player
) -> None:
    context = browser.new_context(base_url=base_url, locale="en-GB", viewport=PHONE)  # type: ignore[arg-type]
    context.set_default_timeout(45_000)
    page = context.new_page()
    for is_first in (True, False):
        table = ann.table("rose_king", [HUMAN, OPEN], is_public=False)
        page.goto(f"/t/{table}?invite={ann.update(table)['table']['invite']}")
        page.get_by_role("button", name="Sit down").click()
        if is_first:
            name = page.get_by_role("textbox", name="Your name")
            expect(name).to_be_focused()
            expect(name).to_have_value(re.compile("^Guest "))
            assert not axe(page)
            page.keyboard.type("Zoë of Thule")
            page.keyboard.press("Enter")
        expect(prompt(page)).to_be_visible()
        assert ann.update(table)["table"]["seats"][1]["name"] == "Zoë of Thule"
    context.close()


# --- Clocks ---


def test_the_clock_of_whoever_is_due_runs_and_says_when_it_is_low(visit: Visit, ann: Player) -> None:
    page = visit(f"/t/{ann.table('rose_king', HOTSEAT, clock=live(22_000))}")
    own = page.get_by_role("region", name="Ann").get_by_role("timer")
    other = page.get_by_role("region", name="Cem").get_by_role("timer")
    expect(own).to_have_class(re.compile("running"))
    expect(other).not_to_have_class(re.compile("running"))
    expect(other).to_have_text("0:22")
    expect(own).to_have_class(re.compile("short"), timeout=8_000)
    assert other.inner_text() == "0:22"
    expect(page.locator("[role=status]").first).to_contain_text(re.compile(r"\d+ seconds left on your clock"))
    play_a_card(page)
    expect(other).to_have_class(re.compile("running"))
    expect(own).not_to_have_class(re.compile("running"))


def test_a_flag_ends_the_match_and_says_whose(visit: Visit, ann: Player) -> None:
    page = visit(f"/t/{ann.table('rose_king', [HUMAN, BOT], clock=live(2_500))}")
    result = page.get_by_role("dialog", name="Result")
    expect(result).to_contain_text("Ann ran out of time.")
    expect(result).to_contain_text("Till wins")
    expect(page.get_by_role("region", name="Ann").get_by_role("timer")).to_have_text("0:00")


# --- Draws and giving up ---


def test_a_draw_is_offered_declined_and_accepted(visit: Visit, ann: Player, bea: Player) -> None:
    table = ann.table("rose_king", [HUMAN, OPEN], is_public=True)
    page = visit(f"/t/{table}")
    other = sit_down(bea, table)
    expect(prompt(page)).to_contain_text("Your turn")
    menu(page, "Offer a draw")
    offer = other.locator(".strip", has_text="Ann offers a draw.")
    expect(offer).to_be_visible()
    assert page.locator(".strip", has_text="offers a draw").count() == 0
    offer.get_by_role("button", name="Decline").click()
    expect(page.locator(".strip")).to_contain_text("Bea declines.")
    expect(offer).to_have_count(0)
    play_a_card(page)
    expect(prompt(other)).to_contain_text("Your turn")
    menu(other, "Offer a draw")
    page.locator(".strip", has_text="Bea offers a draw.").get_by_role("button", name="Accept").click()
    for each in (page, other):
        result = each.get_by_role("dialog", name="Result")
        expect(result).to_contain_text("A draw")
        expect(result).to_contain_text("You agreed on a draw.")


def test_no_draw_is_offered_to_a_bot(visit: Visit, ann: Player) -> None:
    page = visit(f"/t/{ann.table('rose_king', [HUMAN, BOT])}")
    page.get_by_role("button", name="Menu").click()
    dialog = page.get_by_role("dialog", name="Menu")
    expect(dialog.get_by_role("button", name="Give up")).to_be_visible()
    assert dialog.get_by_role("button", name="Offer a draw").count() == 0


def test_whoever_gives_up_is_named_on_both_sides(visit: Visit, ann: Player, bea: Player) -> None:
    table = ann.table("rose_king", [HUMAN, OPEN], is_public=True)
    page = visit(f"/t/{table}")
    other = sit_down(bea, table)
    menu(other, "Give up")
    other.get_by_role("dialog", name="Give up").get_by_role("button", name="Give up").click()
    expect(page.get_by_role("dialog", name="Result")).to_contain_text("You have won!")
    for each in (page, other):
        expect(each.get_by_role("dialog", name="Result")).to_contain_text("Bea gave up.")


# --- A bot stands in ---


def test_a_bot_plays_my_seat_until_i_want_it_back(visit: Visit, ann: Player, bea: Player) -> None:
    table = ann.table("rose_king", [HUMAN, OPEN], is_public=True)
    page = visit(f"/t/{table}")
    sit_down(bea, table)  # who does nothing: the match cannot end meanwhile
    menu(page, "Let a bot play for me")
    strip = page.locator(".strip", has_text="is playing your seat.")
    expect(strip).to_be_visible()
    expect(page.get_by_role("region", name="Ann")).to_contain_text("a bot stands in")
    strip.get_by_role("button", name="Play myself").click()
    expect(strip).to_have_count(0)
    expect(page.get_by_role("region", name="Ann")).not_to_contain_text("a bot stands in")


def test_somebody_who_left_is_replaced_and_comes_back(visit: Visit, ann: Player, bea: Player) -> None:
    table = ann.table("rose_king", [HUMAN, OPEN], is_public=True)
    page = visit(f"/t/{table}")
    other = sit_down(bea, table)
    play_a_card(page)
    expect(prompt(page)).to_contain_text("Bea")
    other.close()
    expect(page.get_by_role("region", name="Bea")).to_contain_text("away")
    page.wait_for_timeout(1_200)  # a short while is not gone yet
    menu(page, "Let a bot play for Bea")
    expect(page.locator(".strip")).to_contain_text("plays for Bea.")
    expect(prompt(page)).to_contain_text("Your turn")
    back = bea.context.new_page()
    back.goto(f"/t/{table}")
    back.locator(".strip", has_text="is playing your seat.").get_by_role("button", name="Play myself").click()
    expect(page.locator(".strip")).to_contain_text("Bea is back.")
    play_a_card(page)
    expect(prompt(back)).to_contain_text("Your turn")


# --- Sound ---

LISTEN = """
    window.tones = 0;
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (...when) { window.tones += 1; return start.apply(this, when); };
"""


def test_nothing_sounds_unless_it_is_wanted(visit: Visit, page: Page, ann: Player) -> None:
    page.add_init_script(LISTEN)
    visit(f"/t/{ann.table('rose_king', HOTSEAT)}")
    play_a_card(page)
    play_a_card(page)
    assert page.evaluate("window.tones") == 0
    page.goto("/settings")
    box = page.get_by_role("checkbox", name="Soft sounds")
    expect(box).not_to_be_checked()
    box.check()
    assert page.evaluate("window.tones") > 0
    page.goto(f"/t/{ann.table('rose_king', HOTSEAT)}")
    play_a_card(page)
    page.wait_for_function("() => window.tones > 0")
    page.goto("/settings")
    box.uncheck()
    assert page.evaluate("window.tones") == 0


# --- Names and talk ---


@pytest.mark.parametrize("size", ["laptop", "phone"])
def test_long_names_and_talk_from_right_to_left_stay_in_their_place(
    visit: Visit, page: Page, ann: Player, bea: Player, size: str
) -> None:
    if size == "phone":
        page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    loud = "W" * 32
    assert bea.context.request.patch(f"{bea.base}/api/me", data={"name": loud}).ok
    table = ann.table("rose_king", [HUMAN, OPEN], is_public=True)
    visit(f"/t/{table}")
    other = sit_down(bea, table)
    other.get_by_role("button", name="Talk").click()
    for text in ("x" * 500, "שלום, זה תורך עכשיו!", "<b>bold</b>" * 30):
        other.get_by_role("textbox", name="Say something").fill(text)
        other.get_by_role("button", name="Send").click()
        expect(other.locator(".chat .text").last).to_have_text(text)
    if size == "phone":
        page.locator(".lastline").click()
    page.get_by_role("button", name="Talk").last.click()
    said = page.locator(".chat .text")
    expect(said).to_have_count(3)
    assert said.nth(1).evaluate("each => getComputedStyle(each).direction") == "rtl"
    assert page.locator(".chat b").first.evaluate("each => getComputedStyle(each).direction") == "ltr"
    assert page.locator(".chat li b bdi").count() == 3  # a name cannot turn around what follows it
    width = page.viewport_size["width"] if page.viewport_size else 0
    for each in (page.locator("html"), page.locator(".chat").last, page.locator(".players")):
        assert each.evaluate("each => each.scrollWidth <= each.clientWidth + 1"), each
    for index in range(3):
        box = said.nth(index).bounding_box()
        assert box
        assert box["x"] >= 0, index
        assert box["x"] + box["width"] <= width, index
    visit("/lobby?kind=running")
    expect(page.get_by_text(loud).first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= width


# --- When the world changes ---


def test_a_table_that_is_given_up_says_so_to_whoever_waits(visit: Visit, ann: Player, bea: Player) -> None:
    table = ann.table("rose_king", [HUMAN, OPEN], is_public=True)
    other = bea.context.new_page()
    other.goto(f"/t/{table}")
    expect(other.get_by_role("button", name="Sit down")).to_be_visible()
    page = visit(f"/t/{table}")
    page.get_by_role("button", name="Give up this table").click()
    for each in (page, other):
        expect(each.get_by_role("heading", name="This table is not here")).to_be_visible()
        expect(each.get_by_text("Its host gave it up before the game began.")).to_be_visible()
    other.get_by_role("main").get_by_role("link", name="Tables").click()
    expect(other.get_by_role("heading", name="Tables")).to_be_visible()


class Server:
    """What stands between the page and the server: it can change what the server says about itself."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.change: dict[str, str] = {}
        self.lines: list[WebSocketRoute] = []
        self.held: list[str] | None = None  # what has not been passed on yet
        page.route_web_socket(re.compile("/ws$"), self.connect)

    def connect(self, line: WebSocketRoute) -> None:
        self.lines.append(line)
        server = line.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            text = message if isinstance(message, str) else message.decode()
            if '"type":"welcome"' in text:
                for old, new in self.change.items():
                    text, count = re.subn(old, new, text)
                    assert count == 1, text
            if self.held is None:
                line.send(text)
            else:
                self.held.append(text)

        server.on_message(pass_on)

    def release(self) -> None:
        held, self.held = self.held or [], None
        for text in held:
            self.lines[-1].send(text)

    def restart(self, **change: str) -> None:
        self.change = change
        self.lines[-1].close(code=1012)


def test_a_page_from_before_an_upgrade_plays_on_and_offers_the_new_one(
    visit: Visit, page: Page, ann: Player
) -> None:
    server = Server(page)
    visit(f"/t/{ann.table('rose_king', [HUMAN, BOT])}")
    expect(prompt(page)).to_contain_text("Your turn")
    note = page.get_by_text("Regalia has been renewed. Your game goes on")
    assert note.count() == 0
    server.restart(**{'"build":"[^"]*"': '"build":"newer"'})
    expect(note).to_be_visible()
    play_a_card(page)
    page.evaluate("window.old = true")
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("dialog").get_by_role("link", name="Settings").click()
    expect(page.get_by_role("heading", name="Settings")).to_be_visible()
    assert page.evaluate("window.old") is None  # the next page came from the server


def test_a_page_that_the_server_does_not_understand_any_more_says_so(
    visit: Visit, page: Page, ann: Player
) -> None:
    server = Server(page)
    visit(f"/t/{ann.table('rose_king', [HUMAN, BOT])}")
    expect(prompt(page)).to_contain_text("Your turn")
    server.restart(**{f'"version":{VERSION},': f'"version":{VERSION + 1},'})
    expect(page.get_by_role("heading", name="Regalia has been renewed")).to_be_visible()
    server.change = {}
    page.get_by_role("button", name="Load again").click()
    expect(prompt(page)).to_contain_text("Your turn")


@pytest.mark.parametrize("where", ["/settings", "table"])
def test_a_part_that_is_gone_after_an_upgrade_leaves_no_blank_page(
    visit: Visit, page: Page, ann: Player, complaints: list[str], where: str
) -> None:
    table = ann.table("carolus_magnus", [HUMAN, BOT])
    visit("/")
    expect(page.get_by_role("link", name="Play now: The Rose King")).to_be_visible()
    page.route("**/assets/*", lambda route: route.fulfill(status=404, body="not found"))
    page.locator(f"a[href='/t/{table}']" if where == "table" else "a[href='/settings']").first.click()
    expect(page.get_by_role("heading", name="Regalia has been renewed")).to_be_visible()
    page.unroute("**/assets/*")
    page.get_by_role("button", name="Load again").click()
    found = (
        page.locator("[data-place]").first
        if where == "table"
        else page.get_by_role("heading", name="Settings")
    )
    expect(found).to_be_visible()
    complaints[:] = [each for each in complaints if "404" not in each and "dynamically imported" not in each]


def test_the_back_button_in_the_middle_of_an_action_undoes_only_the_draft(visit: Visit, ann: Player) -> None:
    page = visit("/settings")
    page.get_by_role("checkbox", name="Ask before each action is played").check()
    table = ann.table("rose_king", [HUMAN, BOT])
    page.goto("/")
    page.locator(f"a[href='/t/{table}']").first.click()
    page.locator("button.card.can:not(.draw)").first.click()
    expect(page.get_by_role("group", name="Play this?")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("link", name="Play now: The Rose King")).to_be_visible()
    assert page.locator("dialog[open]").count() == 0
    page.go_forward()
    expect(prompt(page)).to_contain_text("Your turn")
    assert page.locator("dialog[open]").count() == 0
    assert len(ann.update(table)["records"]) == 1


def test_two_tabs_of_one_seat_cannot_play_twice(visit: Visit, ann: Player) -> None:
    table = ann.table("rose_king", [HUMAN, BOT])
    page = visit(f"/t/{table}")
    expect(prompt(page)).to_contain_text("Your turn")
    second = page.context.new_page()
    server = Server(second)
    second.goto(f"/t/{table}")
    expect(second.get_by_text("also open in another tab")).to_be_visible()
    expect(prompt(second)).to_contain_text("Your turn")
    server.held = []  # the second tab hears nothing for a while
    play_a_card(page)
    expect(page.locator(".log li")).to_have_count(3)
    second.locator("button.card.can:not(.draw)").first.click()
    second.wait_for_timeout(300)
    server.release()
    expect(second.locator(".strip")).to_contain_text("Meanwhile the game has gone on")
    for each in (page, second):
        expect(each.locator(".log li")).to_have_count(3)
    assert [record["seat"] for record in ann.update(table)["records"]] == [None, 0, 1]


def test_a_hot_seat_on_a_phone_has_clocks_in_sight(browser: Browser, base_url: str) -> None:
    context = browser.new_context(base_url=base_url, locale="de-DE", viewport=PHONE, has_touch=True)  # type: ignore[arg-type]
    ann = Player(context, base_url)
    page = context.new_page()
    for game, seats in (("rose_king", 2), ("carolus_magnus", 4), ("court_the_king", 5)):
        plan = [{"kind": "hotseat", "name": f"Spieler {seat}"} for seat in range(seats)]
        page.goto(f"/t/{ann.table(game, plan, clock=live(3_600_000))}")
        expect(page.get_by_role("timer")).to_have_count(seats)
        for timer in page.get_by_role("timer").all():
            box = timer.bounding_box()
            assert box
            assert box["x"] + box["width"] <= PHONE["width"], game
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], game
        assert page.evaluate("document.documentElement.scrollHeight") <= PHONE["height"], game
    context.close()
