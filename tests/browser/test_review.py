"""The page of a review: its graph and words, stepping by key, trying again on the board, and the way there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from browser.conftest import BOT, HUMAN, LAPTOP, PHONE, WAIT_MS, Player, axe, near_the_end, play_rose_king
from driving import finished
from regalia import GAMES, Match
from regalia.server.ports import DirectStudy
from regalia.server.services import Services
from regalia.server.settings import Settings
from regalia.server.store import open_store
from regalia.study import levels
from regalia.study.levels import Level
from regalia.study.review import review
from server.harness import Running, running

pytestmark = pytest.mark.browser
QUICK = Level(simulations=64, runs=16, most_outcomes=60, samples=8)


def with_a_direct_study(settings: Settings) -> Services:
    return Services(settings, open_store(settings.database), thinker=DirectStudy())


@pytest.fixture(scope="module")
def studious(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server that reviews with few simulations."""
    with pytest.MonkeyPatch.context() as patch:
        for level in list(levels.LEVELS):
            patch.setitem(levels.LEVELS, level, QUICK)
        with running(tmp_path_factory.mktemp("study"), make_services=with_a_direct_study) as started:
            yield started


@pytest.fixture
def reader(browser: Browser, studious: Running) -> Iterator[Player]:
    context = browser.new_context(
        base_url=studious.base,
        locale="en-GB",
        viewport=LAPTOP,  # type: ignore[arg-type]
        reduced_motion="reduce",
    )
    yield Player(context, studious.base)
    context.close()


def opened(player: Player, match: Match) -> str:
    hotseat = {"kind": "hotseat"}
    return player.table(
        match.game.id,
        [HUMAN, *[hotseat] * (match.seats - 1)],
        transcript=match.transcript(),
        options=match.options,
    )


def reviewed(player: Player, table: str, more: str = "") -> Page:
    page = player.context.new_page()
    page.set_default_timeout(WAIT_MS)
    page.goto(f"/t/{table}/review{more}")
    expect(page.get_by_role("heading", name="What the result is made of")).to_be_visible()
    return page


def test_a_review_is_read_stepped_through_and_shared(reader: Player) -> None:
    match = finished(GAMES["rose_king"], 2, 3)
    page = reviewed(reader, opened(reader, match))
    graph = page.get_by_role("slider")
    expect(graph).to_have_attribute("aria-valuemax", str(match.ply))
    expect(graph).to_have_attribute("aria-valuenow", "0")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    expect(graph).to_have_attribute("aria-valuenow", "2")
    expect(graph).to_have_attribute("aria-valuetext", re.compile(r"After 2 of \d+: Ann \d"))
    expect(page).to_have_url(re.compile(r"\?ply=2$"))
    graph.focus()
    page.keyboard.press("End")
    expect(graph).to_have_attribute("aria-valuenow", str(match.ply))
    page.get_by_role("button", name="Points", exact=True).click()
    expect(page.get_by_role("button", name="Points", exact=True)).to_have_attribute("aria-pressed", "true")
    page.get_by_text("The graph as a table").click()
    rows = page.locator("details table tbody tr")
    expect(rows).to_have_count(match.ply + 1)
    parts = page.locator("section[aria-labelledby=parts] tbody tr").first.locator("td")
    numbers = [
        float(re.findall(r"[-−+]?[\d.]+", text.replace("−", "-"))[0]) for text in parts.all_inner_texts()
    ]
    assert numbers[0] + sum(numbers[1:5]) == pytest.approx(numbers[5], abs=0.31)
    assert not axe(page)
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_a_link_to_a_moment_and_to_what_somebody_knew_opens_there(reader: Player) -> None:
    match = finished(GAMES["long_live_the_king"], 3, 3)
    page = reviewed(reader, opened(reader, match), "?ply=7&seat=1")
    expect(page.get_by_role("slider")).to_have_attribute("aria-valuenow", "7")
    known = page.get_by_role("radio", name=re.compile("^As .* knew it"))
    expect(known).to_have_count(3)
    expect(known.nth(1)).to_be_checked()
    page.get_by_role("radio", name="With open cards").check()
    expect(page).to_have_url(re.compile(r"\?ply=7$"))
    expect(page.get_by_role("heading", name="What the result is made of")).to_be_visible()
    expect(page.get_by_role("heading", name="Decided who won")).to_be_visible()


def marked_match() -> tuple[Match, dict[str, Any]]:
    """One with a mark that names another field of the board."""
    for seed in range(40):
        match = finished(GAMES["rose_king"], 2, seed)
        for decision in review(match).data()["decisions"]:
            if decision["mark"] and decision["best"] != "draw":
                return match, decision
    raise AssertionError("no match had a mark")


def test_marked_decisions_are_tried_again_on_the_board(reader: Player) -> None:
    match, _ = marked_match()
    marks = [one for one in review(match).data()["decisions"] if one["mark"]]
    page = reviewed(reader, opened(reader, match))
    page.get_by_role("button", name="Try these again").click()
    again = page.get_by_role("region", name="Try these again")
    expect(again).to_be_visible()
    for number, mark in enumerate(marks):
        expect(again.get_by_text(f"{number + 1} of {len(marks)}")).to_be_visible()
        assert number or not axe(page)
        again.get_by_role("button", name="Show me").click()
        expect(again.get_by_text(re.compile("^Best: "))).to_be_visible()
        if mark["best"] == "draw":
            again.get_by_role("button", name="Draw a card").first.click()
            expect(again.get_by_text("Right: as good as the best.")).to_be_visible()
        if number < len(marks) - 1:
            again.get_by_role("button", name="Next one").click()
    again.get_by_role("button", name="Back to the review").click()
    expect(page.get_by_role("slider")).to_be_visible()


def test_the_result_shows_the_graph_and_leads_to_the_review(reader: Player) -> None:
    table = reader.table("rose_king", [HUMAN, BOT], position=near_the_end(2))
    page = reader.context.new_page()
    page.set_default_timeout(WAIT_MS)
    page.goto(f"/t/{table}")
    play_rose_king(page)
    result = page.get_by_role("dialog", name="Result")
    expect(result.get_by_role("img", name=re.compile("share of the victory"))).to_be_visible()
    result.get_by_role("link", name="Open the review").click()
    expect(page).to_have_url(re.compile(r"/review"))
    expect(page.get_by_role("heading", name="What the result is made of")).to_be_visible()


def test_a_server_without_a_study_says_so(ann: Player) -> None:
    page = ann.context.new_page()
    page.goto(f"/t/{opened(ann, finished(GAMES['rose_king'], 2, 3))}/review")
    expect(page.get_by_text("This server makes no reviews.")).to_be_visible()
