"""What a finished match offers: a link for whoever gets it, its moments, its result."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from browser.conftest import BOT, HUMAN, LAPTOP, OPEN, Player, Visit, near_the_end, play_rose_king

pytestmark = pytest.mark.browser
READ_CLIPBOARD = "() => navigator.clipboard.readText()"


@pytest.fixture
def reader(browser: Browser, base_url: str) -> Iterator[Page]:
    """A browser that was never here: no cookie, no name."""
    context = browser.new_context(
        base_url=base_url,
        locale="en-GB",
        viewport=LAPTOP,
        reduced_motion="reduce",  # type: ignore[arg-type]
    )
    yield context.new_page()
    context.close()


@pytest.fixture
def copying(context: BrowserContext) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"])


def boards_of(player: Player, *tables: str) -> dict[str, object]:
    asked = "&".join(f"tables={table}" for table in tables)
    views: dict[str, object] = player.context.request.get(f"{player.base}/api/boards?{asked}").json()["views"]
    return views


def is_on_top(page: Page, selector: str) -> bool:
    """Nothing lies over the middle of it."""
    return bool(
        page.evaluate(
            """selector => {
              const it = document.querySelector(selector), box = it.getBoundingClientRect();
              return it.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2));
            }""",
            selector,
        )
    )


def test_a_copied_link_of_a_match_that_is_listed_nowhere_opens_for_whoever_gets_it(
    visit: Visit, ann: Player, reader: Page, copying: None
) -> None:
    table = ann.table("rose_king", [HUMAN, BOT], is_public=False, position=near_the_end(2))
    page = visit(f"/t/{table}")
    play_rose_king(page)
    page.get_by_role("dialog", name="Result").get_by_role("button", name="Share").click()
    sharing = page.get_by_role("dialog", name="Share")
    expect(sharing.get_by_text("it cannot be embedded")).to_be_visible()
    expect(sharing.get_by_role("img", name="The board as everybody may see it")).to_be_visible()
    expect(sharing.get_by_role("textbox", name="The position in one line")).to_have_value(
        re.compile("^rose_king rules=1 ")
    )
    sharing.get_by_role("button", name="Copy").first.click()
    expect(page.locator(".toast")).to_have_text("The link has been copied.")
    assert is_on_top(page, ".toast")
    page.locator(".toast").get_by_role("button", name="Close").click()
    expect(page.locator(".toast")).to_have_count(0)
    link = page.evaluate(READ_CLIPBOARD)

    reader.goto(link)
    expect(reader.get_by_text("You are watching")).to_be_visible()
    reader.get_by_role("button", name="Result", exact=True).click()
    result = reader.get_by_role("dialog", name="Result")
    expect(result).to_contain_text("Ann")
    result.get_by_text("Provably fair").click()
    expect(result.get_by_role("button", name="Save the proof")).to_be_visible()
    with reader.expect_download() as download:
        result.get_by_role("link", name="Save the transcript").click()
    assert "regalia transcript" in download.value.path().read_text("utf-8")
    result.get_by_role("button", name="Watch it again").click()
    expect(reader.get_by_role("slider", name="Moment of the game")).to_have_value("0")
    reader.get_by_role("button", name="Talk").click()
    expect(reader.get_by_role("textbox", name="Say something")).to_have_count(0)
    reader.get_by_role("button", name="Play on from here").click()
    reader.wait_for_url(lambda url: table not in url)

    reader.goto(f"/t/{table}")
    expect(reader.get_by_text("This table is not here")).to_be_visible()
    reader.goto("/lobby?kind=finished")
    assert reader.locator(f'a[href*="{table}"]').count() == 0


def test_a_link_names_the_moment_that_is_shown(
    visit: Visit, ann: Player, reader: Page, copying: None
) -> None:
    table = ann.table("rose_king", [HUMAN, BOT], is_public=False, position=near_the_end(3))
    page = visit(f"/t/{table}")
    play_rose_king(page)
    last = len(ann.update(table)["records"]) - 1
    page.get_by_role("dialog").get_by_role("button", name="Watch it again").click()
    expect(page.get_by_text(f"0 of {last}", exact=True)).to_be_visible()
    for moment in (1, 2):
        page.keyboard.press("ArrowRight")
        expect(page.get_by_text(f"{moment} of {last}", exact=True)).to_be_visible()
        page.wait_for_url(f"**/t/{table}?moment={moment}")
    page.get_by_role("button", name="Share").click()
    sharing = page.get_by_role("dialog", name="Share")
    sharing.get_by_role("button", name="Copy").first.click()
    expect(page.locator(".toast")).to_have_text("The link has been copied.")
    link = page.evaluate(READ_CLIPBOARD)
    sharing.get_by_role("button", name="Close").first.click()
    assert "moment=2&key=" in link
    board = page.locator("svg.board").get_attribute("aria-label")

    reader.goto(link)
    expect(reader.get_by_text(f"2 of {last}", exact=True)).to_be_visible()
    expect(reader.locator("svg.board")).to_have_attribute("aria-label", str(board))
    page.get_by_role("button", name="Back to the result").click()
    page.wait_for_url(f"**/t/{table}")


def test_coming_back_to_a_finished_match_says_who_won_and_plays_again(
    visit: Visit, ann: Player, reader: Page
) -> None:
    table = ann.table("rose_king", [HUMAN, BOT], position=near_the_end(2))
    page = visit(f"/t/{table}")
    play_rose_king(page)
    result = ann.update(table)["table"]["result"]
    page.goto(f"/t/{table}")
    ended = page.get_by_role("region", name="Result")
    winner = result["ranks"].index(1)
    expect(ended).to_contain_text(["You have won!", "Till wins"][winner])
    units = [f"{points} point{'' if points == 1 else 's'}" for points in result["points"]]
    for seat, name in enumerate(("Ann", "Till")):
        expect(ended).to_contain_text(f"{name} {units[seat]}")
    for reason in ("Neither player could act any more.", "The 52nd stone was laid."):
        expect(page.get_by_text(reason)).to_have_count(0)
    expect(page.get_by_text("The secret is open.")).to_be_visible()
    page.get_by_role("button", name="Menu").click()
    expect(page.get_by_role("dialog").get_by_text("the proof stands with the result")).to_be_visible()
    page.keyboard.press("Escape")
    ended.get_by_role("button", name="Watch it again").click()
    expect(page.get_by_role("slider", name="Moment of the game")).to_be_visible()
    page.get_by_role("button", name="Back to the result").click()

    reader.goto(f"/t/{table}")
    expect(reader.get_by_role("region", name="Result")).to_be_visible()
    assert reader.get_by_role("button", name="Play again").count() == 0
    ended.get_by_role("button", name="Play again").click()
    page.wait_for_url(lambda url: table not in url)
    expect(page.locator(".prompt")).to_be_visible()
    seats = ann.update(page.url.rpartition("/")[2], None)["table"]["seats"]
    assert sorted(seat["kind"] for seat in seats) == ["bot", "human"]
    expect(reader.get_by_role("button", name="To the next game")).to_be_visible()


def test_both_people_of_a_private_table_find_its_rematch(visit: Visit, ann: Player, bea: Player) -> None:
    table = ann.table("rose_king", [HUMAN, OPEN], is_public=False, position=near_the_end(2))
    invite = ann.update(table)["table"]["invite"]
    page, other = visit(f"/t/{table}"), bea.context.new_page()
    other.goto(f"/t/{table}?invite={invite}")
    other.get_by_role("button", name="Sit down").click()
    expect(page.locator(".prompt")).to_be_visible()
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Give up").click()
    page.get_by_role("dialog").get_by_role("button", name="Give up").click()
    page.get_by_role("dialog", name="Result").get_by_role("button", name="Play again").click()
    page.wait_for_url(lambda url: table not in url)
    other.get_by_role("dialog", name="Result").get_by_role("button", name="To the next game").click()
    other.get_by_role("button", name="Sit down").click()
    expect(page.locator(".prompt")).to_be_visible()


def test_lists_tell_results_scores_and_practice_beside_small_boards(
    visit: Visit, ann: Player, bea: Player
) -> None:
    ended = ann.table("rose_king", [HUMAN, BOT], position=near_the_end(2))
    page = visit(f"/t/{ended}")
    play_rose_king(page)
    result = ann.update(ended)["table"]["result"]
    running = ann.table("carolus_magnus", [HUMAN, BOT, BOT])
    practice = ann.table("rose_king", [HUMAN, BOT], is_public=False)
    page.goto(f"/t/{practice}")
    page.locator("button.card.can:not(.draw)").first.click()
    expect(page.locator(".log li")).to_have_count(3)
    page.get_by_role("button", name="Take back").click()
    expect(page.get_by_text("Practice")).to_be_visible()

    page.goto("/lobby?kind=mine")

    def line(table: str) -> Locator:
        return page.get_by_role("listitem").filter(has=page.locator(f'a[href="/t/{table}"]'))

    best, least = sorted(result["points"], reverse=True)
    expect(line(ended)).to_contain_text(["You have won!", "Till wins"][result["ranks"].index(1)])
    expect(line(ended)).to_contain_text(re.compile(rf"{best}\s:\s{least} points"))
    expect(line(running)).to_contain_text(re.compile(r"0\s:\s0\s:\s0 castles"))
    expect(line(practice)).to_contain_text("Practice")
    for table in (ended, running, practice):
        expect(line(table).locator(".board.drawn > svg")).to_be_visible()
    expect(line(ended).locator('.board [href^="#rose-"]').first).to_be_attached()

    other = bea.context.new_page()
    other.goto("/lobby?kind=running")
    expect(other.locator(f'li:has(a[href="/t/{running}"]) .board.drawn')).to_be_visible()
    assert other.locator(f'a[href="/t/{practice}"]').count() == 0
    assert list(boards_of(bea, running, practice)) == [running]


def test_the_first_page_leads_to_ones_own_matches_and_draws_boards_only_where_it_shows_some(
    visit: Visit, ann: Player
) -> None:
    loaded: list[str] = []
    page = visit("/about")
    page.route("**/api/tables?list=*", lambda route: route.fulfill(json={"tables": [], "before": None}))
    page.on("request", lambda request: loaded.append(request.url))
    page.goto("/")
    expect(page.get_by_role("heading", name="our games about kings")).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert page.get_by_role("heading", name="Your games under way").count() == 0
    assert not [url for url in loaded if "Diagram" in url or "/api/boards" in url]
    page.unroute("**/api/tables?list=*")
    table = ann.table("rose_king", [HUMAN, BOT])
    page.goto("/")
    own = page.get_by_role("region", name=re.compile("^Your games under way"))
    expect(own.locator(".board.drawn > svg")).to_be_visible()
    mine, games = own.bounding_box(), page.get_by_role("region", name="Games", exact=True).bounding_box()
    assert mine
    assert games
    assert mine["y"] < games["y"]
    own.get_by_role("link", name=re.compile("^Resume: The Rose King")).click()
    page.wait_for_url(f"**/t/{table}")
