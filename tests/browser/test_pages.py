"""Every page for everyone: languages, themes, sizes, keys, and what goes wrong."""

from __future__ import annotations

import os
import random
import re
import secrets
import statistics
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Response, expect

from browser.conftest import (
    BOT,
    HUMAN,
    OPEN,
    PHONE,
    Player,
    Visit,
    axe,
    last_round,
    near_the_end,
    play_rose_king,
    prompt,
)
from browser.kings import five
from server.harness import Guest

pytestmark = pytest.mark.browser

PAGES = ["/", "/lobby", "/new", "/new/rose_king", "/new/court_the_king", "/rules", "/rules/rose_king"]
PAGES += ["/settings", "/account", "/sign-in", "/import", "/about", "/accessibility", "/nowhere/at/all"]

# Everything that can be pressed; a link in running text may be as small as its line.
SMALL_TARGETS = """() => {
    const all = 'button, a.button, .bar a, [role=button], input, select, textarea, summary, .foot a, .chapters a';
    const root = document.querySelector('dialog[open]') ?? document;
    const area = each => each.closest('label') ?? (each.matches('.step') ? each.closest('li') : each);
    const boxed = [...root.querySelectorAll(all)].map(each => [each, area(each)]);
    const isSeen = each => each.checkVisibility({ visibilityProperty: true }) && !each.closest('.sr, .skip');
    const size = each => { const box = (each.querySelector?.('.reach') ?? each).getBoundingClientRect(); return box; };
    const small = boxed.filter(([each, area]) => isSeen(each) && (size(area).height < 43.5 || size(area).width < 43.5));
    return small.map(([each, area]) => `${Math.round(size(area).width)}×${Math.round(size(area).height)} `
        + each.outerHTML.slice(0, 120));
}"""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_on_any_page(visit: Visit, page: Page, theme: Any) -> None:
    page.emulate_media(color_scheme=theme)
    for path in PAGES:
        visit(path)
        expect(page.locator("main h1")).to_be_visible()
        assert not axe(page), path


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_at_a_table(visit: Visit, page: Page, ann: Player, theme: Any) -> None:
    page.emulate_media(color_scheme=theme)
    rose = ann.table("rose_king", [HUMAN, BOT], position=near_the_end(3))
    visit(f"/t/{rose}")
    expect(prompt(page)).to_contain_text("Your turn")
    assert not axe(page)
    page.get_by_role("button", name="Rules").click()
    expect(page.get_by_role("dialog")).to_contain_text("RK-1")
    assert not axe(page)
    page.keyboard.press("Escape")
    play_rose_king(page)
    assert not axe(page)
    visit(f"/t/{ann.table('court_the_king', [HUMAN, BOT], position=last_round())}")
    expect(prompt(page)).to_contain_text("Final round")
    assert not axe(page)
    visit(f"/t/{ann.table('rose_king', [HUMAN, OPEN])}")
    expect(page.get_by_role("heading", name="Invite someone")).to_be_visible()
    assert not axe(page)


def test_the_language_follows_the_browser_and_can_be_switched(browser: Browser, base_url: str) -> None:
    context = browser.new_context(base_url=base_url, locale="nl-BE")
    page = context.new_page()
    page.goto("/")
    expect(page.get_by_role("heading", level=1)).to_contain_text("ier spellen over koningen")
    page.get_by_role("button", name="Deutsch").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("ier Spiele um Könige")
    assert page.evaluate("document.documentElement.lang") == "de"
    page.reload()
    expect(page.get_by_role("link", name="Jetzt spielen: Rosenkönig")).to_be_visible()
    context.close()


def twelve_dice() -> dict[str, Any]:
    """A position of To Court the King with as many dice on the table as there are."""
    adding = ["laborer", "guard", "hunter", "pawnbroker", "knight", "bishop"]
    own = ["fool", "farmer", "general", *adding]
    return {
        **last_round(),
        "phase": "turn",
        "characters": [own, ["king", "queen", "guard"]],
        "used": adding,
        "in_hand": 0,
        "active": [1, 2, 4, 4, 1, 2, 3, 4, 5, 6, 6, 6],
        "duty": True,
    }


def tables_of(ann: Player) -> list[str]:
    """Tables in many states, with a name for each."""
    return [
        ann.table("rose_king", [HUMAN, BOT], position=near_the_end(9)),
        ann.table("court_the_king", [HUMAN, BOT, BOT, BOT, BOT]),
        ann.table("court_the_king", [HUMAN, BOT], position=twelve_dice()),
        ann.table("carolus_magnus", [HUMAN, BOT, BOT, BOT]),
        ann.table("long_live_the_king", [HUMAN, BOT, BOT, BOT, BOT], position=five()),
        disputing(ann),
    ]


def disputing(ann: Player) -> str:
    """A table of five at Long Live the King at which all but one have sealed their stakes."""
    table = ann.table("long_live_the_king", [HUMAN, BOT, BOT, BOT, BOT], position=five())
    play = {"type": "play", "table": table, "id": secrets.token_urlsafe(15), "seat": 0}
    where = f"{ann.base}/api/tables/{table}/commands"
    reply = ann.context.request.post(where, data={**play, "ply": 1, "action": "move Oxeneford"})
    assert reply.ok, reply.text()
    return table


@pytest.mark.parametrize("language", ["en", "de", "nl"])
def test_a_phone_never_scrolls_sideways_and_its_targets_are_large(
    browser: Browser, base_url: str, language: str
) -> None:
    context = browser.new_context(base_url=base_url, locale=language, viewport=PHONE, has_touch=True)  # type: ignore[arg-type]
    ann = Player(context, base_url, "A guest with a rather long name")
    page = context.new_page()
    tables = tables_of(ann)
    opened = ann.table("rose_king", [HUMAN, OPEN])
    for path in [*PAGES, f"/t/{opened}", *(f"/t/{table}" for table in tables)]:
        page.goto(path)
        expect(page.locator("main").first).to_be_visible()
        page.evaluate("document.fonts.ready.then(() => true)")
        if path.removeprefix("/t/") in tables:
            expect(prompt(page)).to_be_visible()
            assert page.evaluate("document.documentElement.scrollHeight") <= PHONE["height"], path
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], path
        small = page.evaluate(SMALL_TARGETS)
        assert not small, (path, small)
    page.goto(f"/t/{tables[0]}")
    expect(prompt(page)).to_be_visible()
    icons = page.locator(".bar nav button:visible")
    for name, button in (
        ("menu", icons.nth(-1)),
        ("rules", icons.nth(-2)),
        ("log", page.locator(".lastline")),
    ):
        button.click()
        expect(page.locator("dialog[open]")).to_be_visible()
        small = page.evaluate(SMALL_TARGETS)
        assert not small, (name, small)
        page.keyboard.press("Escape")
    context.close()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_on_a_phone(browser: Browser, base_url: str, theme: Any) -> None:
    context = browser.new_context(
        base_url=base_url,
        locale="en-GB",
        viewport=PHONE,  # type: ignore[arg-type]
        has_touch=True,
        color_scheme=theme,
        reduced_motion="reduce",
    )
    ann = Player(context, base_url)
    page = context.new_page()
    for path in PAGES:
        page.goto(path)
        expect(page.locator("main h1")).to_be_visible()
        assert not axe(page), path
    for table in tables_of(ann):
        page.goto(f"/t/{table}")
        expect(prompt(page)).to_be_visible()
        assert not axe(page), table
    page.locator(".lastline").click()
    expect(page.locator("dialog[open]")).to_be_visible()
    assert not axe(page)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Menu").click()
    assert not axe(page)
    page.goto(f"/t/{tables_of(ann)[0]}?ply=1")
    expect(page.get_by_role("slider", name="Moment of the game")).to_be_visible()
    assert not axe(page)
    context.close()


def test_at_a_laptop_nothing_needs_scrolling_at_the_table(visit: Visit, page: Page, ann: Player) -> None:
    for table in (
        ann.table("rose_king", [HUMAN, BOT], position=near_the_end(9)),
        ann.table("court_the_king", [HUMAN, BOT, BOT, BOT, BOT]),
        ann.table("court_the_king", [HUMAN, BOT], position=twelve_dice()),
    ):
        visit(f"/t/{table}")
        expect(prompt(page)).to_be_visible()
        size = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
        assert size == [1440, 900]


def test_the_first_page_is_light_and_soon_ready(browser: Browser, base_url: str) -> None:
    """150 kB and a second are what we promise. The second is measured on a quiet machine; here it has a margin."""
    ready: list[float] = []
    for _ in range(3):
        context = browser.new_context(
            base_url=base_url, locale="de-DE"
        )  # nothing is cached, the longest words
        page = context.new_page()
        loaded: list[int] = []

        def weigh(reply: Response, loaded: list[int] = loaded) -> None:
            if "/api/" not in reply.url:  # the page; how many tables there are is not its fault
                loaded.append(reply.request.sizes()["responseBodySize"])

        page.on("response", weigh)
        page.goto("/")
        expect(page.get_by_role("link", name="Jetzt spielen: Rosenkönig")).to_be_visible()
        assert sum(loaded) <= 150 * 1024, loaded
        assert len(loaded) > 5
        ready.append(page.evaluate("performance.getEntriesByName('regalia ready')[0].startTime"))
        context.close()
    print("ready after, in ms:", [round(each) for each in ready])
    assert min(ready) <= 2_500


# Every update that brings a new ply is timed from its arrival at the page until a frame that tells it was painted:
# the line of the log is there when a frame is drawn, and the frame after it begins.
WATCH_ANSWERS = """
    window.taken = {};
    const Plain = window.WebSocket;
    window.WebSocket = class extends Plain {
        constructor(...given) {
            super(...given);
            this.addEventListener('message', event => {
                const update = JSON.parse(event.data);
                const ply = update.type === 'update' && update.since !== null && update.view?.ply;
                if (!ply || ply in window.taken) return;
                const look = () => {
                    if (document.querySelectorAll('.log li').length < ply) requestAnimationFrame(look);
                    else requestAnimationFrame(() => (window.taken[ply] = performance.now() - event.timeStamp));
                };
                requestAnimationFrame(look);
            });
        }
    };
"""
PROMISED_MS = 100
BUSY_MS = 300  # where other work runs beside


@pytest.mark.parametrize("game", ["rose_king", "carolus_magnus", "court_the_king", "long_live_the_king"])
def test_an_action_is_on_the_screen_soon_after_the_answer(
    visit: Visit, page: Page, ann: Player, base_url: str, game: str
) -> None:
    """From the answer's arrival to the painted frame, in the middle of a match with a long log.

    100 ms are promised; with REGALIA_QUIET=1 they are asked for, elsewhere there is a margin."""
    page.add_init_script(WATCH_ANSWERS)
    seats = {"rose_king": 2, "carolus_magnus": 3, "court_the_king": 3, "long_live_the_king": 4}[game]
    table = ann.table(game, [HUMAN, *[OPEN] * (seats - 1)])
    invite = ann.update(table, None)["table"]["invite"]
    guests = [Guest(base_url, f"Guest {seat}") for seat in range(1, seats)]
    for seat, guest in enumerate(guests, 1):
        guest.must("sit", table, seat=seat, invite=invite)
    choice = random.Random(7)

    def act() -> int:
        """Somebody acts; no new dispute, since its outcome is left on the screen for a while."""
        seat = ann.update(table, 0)["view"]["actors"][0]
        view = ann.update(table, 0)["view"] if seat == 0 else guests[seat - 1].table(table, seat=seat)["view"]
        calm = [action for action in view["actions"] if not action.startswith(("move ", "resign"))]
        action = choice.choice(calm if game == "long_live_the_king" and calm else view["actions"])
        command = {"type": "play", "table": table, "id": secrets.token_urlsafe(15), "seat": seat}
        command |= {"ply": view["ply"], "action": action}
        if seat == 0:
            reply = ann.context.request.post(f"{base_url}/api/tables/{table}/commands", data=command)
            assert reply.ok, reply.text()
        else:
            guests[seat - 1].must("play", table, seat=seat, ply=view["ply"], action=action)
        return int(view["ply"]) + 1

    for _ in range(12 if game == "rose_king" else 40):
        act()
    visit(f"/t/{table}")
    expect(page.locator(".log li")).to_have_count(ann.update(table)["view"]["ply"])
    page.wait_for_timeout(500)  # the past, previews and odds have come
    taken: list[float] = []
    for _ in range(24):
        ply = act()
        page.wait_for_function("ply => ply in window.taken", arg=ply)
        taken.append(page.evaluate("ply => window.taken[ply]", ply))
    assert all(each > 0 for each in taken)
    middle, worst = statistics.median(taken), max(taken)
    print(f"{game}: on the screen after {middle:.0f} ms (median of {len(taken)}), {worst:.0f} ms at worst")
    assert middle <= (PROMISED_MS if os.environ.get("REGALIA_QUIET") else BUSY_MS)
    for guest in guests:
        guest.close()


def test_rules_are_found_by_search(visit: Visit) -> None:
    page = visit("/rules/rose_king")
    page.get_by_role("searchbox", name="Search the rules").fill("reshuffl")
    expect(page.get_by_text("Nothing found.").or_(page.locator("dl div").first).first).to_be_visible()
    page.get_by_role("searchbox", name="Search the rules").fill("RK-22")
    expect(page.locator("dl div")).to_have_count(1)
    expect(page.locator("dl div")).to_contain_text("must be empty")


def test_text_at_twice_its_size_stays_in_the_page(visit: Visit, page: Page) -> None:
    page.set_viewport_size({"width": 720, "height": 450})  # what a laptop of 1440 × 900 has left at 200 %
    for path in ("/", "/settings", "/new/rose_king", "/rules/rose_king"):
        visit(path)
        expect(page.locator("main h1")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= 720, path


LOST = """() => {
    const pressed = 'main button, main a, main input, main [role=button], .bar button, .bar a';
    const all = [...document.querySelectorAll(pressed)];
    const seen = all.filter(each => each.checkVisibility({ visibilityProperty: true }) && !each.closest('.sr'));
    return seen.filter(each => {
        each.scrollIntoView({ block: 'center', inline: 'nearest' });
        const box = (each.querySelector('.reach, .land') ?? each).getBoundingClientRect();
        const isInside = box.left >= -1 && box.right <= innerWidth + 1 && box.width > 0;
        const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
        return !isInside || !(hit && (each.contains(hit) || hit.contains(each) || each.closest('label')?.contains(hit)));
    }).map(each => each.outerHTML.slice(0, 120));
}"""


@pytest.mark.parametrize("size", [(720, 450), (195, 422)])
def test_a_table_at_twice_its_size_loses_nothing(
    visit: Visit, page: Page, ann: Player, size: tuple[int, int]
) -> None:
    """What a laptop and a phone have left at 200 %: the page scrolls down, never sideways, and all can be pressed."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    for table in tables_of(ann):
        visit(f"/t/{table}")
        expect(prompt(page)).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0], table
        lost = page.evaluate(LOST)
        assert not lost, (table, lost)
        board = page.locator("svg.board, svg.map, .stage .court").first.bounding_box()
        assert board
        assert board["height"] >= 150, board


def test_names_with_markup_or_from_right_to_left_are_only_names(visit: Visit, page: Page) -> None:
    visit("/")
    page.get_by_role("button", name=re.compile("choose a name|change name")).click()
    page.get_by_role("textbox", name="Your name").fill("<img src=x onerror=alert(1)> שלום")
    page.get_by_role("button", name="Keep").click()
    expect(page.locator(".name b")).to_contain_text("<img src=x")
    assert page.locator(".name img").count() == 0


def test_a_dead_link_says_so_and_offers_a_way_on(visit: Visit) -> None:
    page = visit("/t/nosuchtable")
    expect(page.get_by_role("heading", name="This table is not here")).to_be_visible()
    page.get_by_role("main").get_by_role("link", name="Home").click()
    expect(page.get_by_role("link", name="Play now: The Rose King")).to_be_visible()


def test_a_full_table_can_be_watched_but_not_joined(ann: Player, browser: Browser, base_url: str) -> None:
    table = ann.table("rose_king", [HUMAN, BOT])
    outside = browser.new_context(base_url=base_url, locale="en-GB")
    page = outside.new_page()
    page.goto(f"/t/{table}")
    expect(page.get_by_text("You are watching")).to_be_visible()
    assert page.get_by_role("button", name="Sit down").count() == 0
    outside.close()


def test_a_second_tab_on_the_same_seat_is_told(visit: Visit, ann: Player) -> None:
    table = ann.table("rose_king", [HUMAN, BOT])
    page = visit(f"/t/{table}")
    expect(prompt(page)).to_contain_text("Your turn")
    second = page.context.new_page()
    second.goto(f"/t/{table}")
    expect(second.get_by_text("also open in another tab")).to_be_visible()
    second.locator("button.card.can:not(.draw)").first.click()
    expect(page.locator(".log li")).to_have_count(3)


def test_the_back_button_leaves_the_table_and_forward_returns(visit: Visit, ann: Player) -> None:
    table = ann.table("rose_king", [HUMAN, BOT])
    page = visit("/")
    page.locator(f"a[href='/t/{table}']").first.click()
    expect(prompt(page)).to_contain_text("Your turn")
    page.locator("button.card.can:not(.draw)").first.click()
    page.go_back()
    expect(page.get_by_role("link", name="Play now: The Rose King")).to_be_visible()
    page.go_forward()
    expect(page.locator(".log li")).to_have_count(3)


def test_asking_before_each_action_can_be_switched_on(visit: Visit, ann: Player) -> None:
    page = visit("/settings")
    page.get_by_role("checkbox", name="Ask before each action is played").check()
    page.goto(f"/t/{ann.table('rose_king', [HUMAN, BOT])}")
    page.locator("button.card.can:not(.draw)").first.click()
    page.get_by_role("group", name="Play this?").get_by_role("button", name="Play it").click()
    expect(page.locator(".log li")).to_have_count(3)


def test_it_installs_as_an_app(visit: Visit, base_url: str) -> None:
    page = visit("/")
    manifest = page.request.get(f"{base_url}/manifest.webmanifest").json()
    assert manifest["display"] == "standalone"
    for icon in manifest["icons"]:
        assert page.request.get(base_url + icon["src"]).ok
