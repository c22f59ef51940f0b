"""A real server, a real Chromium, and the few things that every browser test does."""

from __future__ import annotations

import importlib.util
import json
import os
import random
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

import regalia
from regalia.bots import BOTS, choose
from regalia.games.court_the_king.odds import turn_odds
from server.harness import Running, running

ROOT = Path(__file__).parents[2]
PHONE = {"width": 390, "height": 844}
LAPTOP = {"width": 1440, "height": 900}
WAIT_MS = 45_000  # rules compile at their first use

expect.set_options(timeout=WAIT_MS)
Visit = Callable[[str], Page]


def load_finder() -> Any:
    spec = importlib.util.spec_from_file_location("chromium", ROOT / "scripts" / "chromium.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["chromium"] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    found = load_finder().find()
    return {
        **browser_type_launch_args,
        "executable_path": found.path,
        "args": ["--disable-dev-shm-usage", "--font-render-hinting=none", "--no-sandbox"],
        "env": {**os.environ, **found.environment},
    }


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    assert (ROOT / "src/regalia/server/static/index.html").is_file(), "build the UI: cd web && npm run build"
    for game in regalia.GAMES:  # compile before any clock of the browser runs
        match = regalia.Match.new(game, seed=1)
        seat = match.actors[0]
        match.preview(seat, match.actions(seat)[0])
        for bot in ("random", BOTS[-1]):
            choose(match, seat, bot)
    turn_odds(regalia.Match.new("court_the_king", seed=1))
    with running(tmp_path_factory.mktemp("house"), away_s=1.0) as started:
        yield started


@pytest.fixture(scope="session")
def base_url(house: Running) -> str:
    return house.base


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    return {**browser_context_args, "viewport": LAPTOP, "locale": "en-GB", "reduced_motion": "reduce"}


@pytest.fixture(autouse=True)
def complaints(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """No browser of a test may complain in its console: no script error, no broken policy, no missing file."""
    found: list[str] = []
    make = browser.new_context

    def watched(**options: Any) -> BrowserContext:
        context = make(**options)
        context.on("console", lambda message: found.append(message.text) if message.type == "error" else None)
        context.on("weberror", lambda error: found.append(str(error.error)))
        return context

    monkeypatch.setattr(browser, "new_context", watched)
    yield found
    assert not found


@pytest.fixture
def visit(page: Page) -> Visit:
    page.set_default_timeout(WAIT_MS)

    def visit_path(path: str) -> Page:
        page.goto(path)
        return page

    return visit_path


class Player:
    """Someone with a browser of their own."""

    def __init__(self, context: BrowserContext, base: str, name: str = "Ann") -> None:
        self.context, self.base = context, base
        context.set_default_timeout(WAIT_MS)
        reply = context.request.post(f"{base}/api/guest", data={"name": name})
        assert reply.ok, reply.text()

    def table(self, game: str, seats: list[dict[str, Any]], **more: Any) -> str:
        reply = self.context.request.post(
            f"{self.base}/api/tables", data={"game": game, "seats": seats, **more}
        )
        assert reply.ok, reply.text()
        table = reply.json()["table"]
        if table["fairness"]["awaited"]:
            seed = {"type": "seed", "table": table["id"], "id": f"seed-{table['id']}", "seed": "5eed" * 8}
            reply = self.context.request.post(f"{self.base}/api/tables/{table['id']}/commands", data=seed)
            assert reply.ok, reply.text()
        return str(table["id"])

    def update(self, table: str, seat: int | None = 0) -> dict[str, Any]:
        where = f"{self.base}/api/tables/{table}" + ("" if seat is None else f"?seat={seat}")
        update: dict[str, Any] = self.context.request.get(where).json()
        return update


@pytest.fixture
def ann(context: BrowserContext, base_url: str) -> Player:
    return Player(context, base_url)


@pytest.fixture
def bea(browser: Browser, base_url: str) -> Iterator[Player]:
    """Somebody else, with another browser."""
    context = browser.new_context(
        base_url=base_url,
        locale="en-GB",
        viewport=LAPTOP,  # type: ignore[arg-type]
        reduced_motion="reduce",
    )
    yield Player(context, base_url, "Bea")
    context.close()


def sit_down(player: Player, table: str) -> Page:
    """Open a page at a table with a free seat and take the seat."""
    page = player.context.new_page()
    page.goto(f"/t/{table}")
    page.get_by_role("button", name="Sit down").first.click()
    expect(page.locator(".prompt")).to_be_visible()
    return page


HUMAN = {"kind": "human"}
BOT = {"kind": "bot", "bot": "random"}
OPEN = {"kind": "open"}


def near_the_end(stones: int, seed: int = 5) -> dict[str, Any]:
    """A position of The Rose King with so many stones left, red to move and able to play a card."""
    choice = random.Random(seed)
    match = regalia.Match.new("rose_king", seed=seed)
    while match.actors:
        view = match.view(match.actors[0])
        plays = [action for action in view["actions"] if action != "draw"]
        if (
            view["supply"] <= stones
            and match.actors == (0,)
            and any(not play.endswith("*") for play in plays)
        ):
            return match.position()
        match.play(
            match.actors[0],
            choice.choice([play for play in plays if not play.endswith("*")] or view["actions"]),
        )
    return near_the_end(stones, seed + 1)


def last_round() -> dict[str, Any]:
    """A position of To Court the King: seat 1 holds King and Queen with seven 2s, seat 0 has the last word."""
    match = regalia.Match.new("court_the_king", seats=2, seed=1)
    position = match.position()
    return {
        **position,
        "phase": "final",
        "turn": 0,
        "round": 9,
        "starter": 0,
        "final": "king",
        "characters": [["fool", "farmer", "maid"], ["king", "queen", "guard"]],
        "best": {"seat": 1, "count": 7, "face": 2},
        "in_hand": 4,
        "active": [],
        "aside": [],
        "used": [],
    }


def prompt(page: Page) -> Locator:
    return page.locator(".prompt")


def play_rose_king(page: Page, most: int = 200) -> None:
    """Play whatever is offered until the result shows."""
    over = page.get_by_role("dialog", name="Result")
    for _ in range(most):
        expect(prompt(page).get_by_text("Your turn").or_(over).first).to_be_visible()
        if over.is_visible():
            return
        before = page.locator(".log li").count()
        cards = page.locator("button.card.can:not(.draw)")
        (cards if cards.count() else page.locator("button.card.draw")).first.click()
        expect(page.locator(".log li").nth(before)).to_be_attached()
    raise AssertionError("the match did not end")


def play_now(page: Page, title: str) -> None:
    """From the first page to a table against the easiest opponents."""
    page.get_by_role("link", name=f"Play now: {title}").click()
    for opponents in page.get_by_role("radiogroup").all():
        opponents.get_by_role("radio", name=re.compile("^Till")).check(force=True)
    page.get_by_role("button", name="Start the game").click()
    expect(prompt(page)).to_be_visible()


OWN_OR_OVER = "() => document.querySelector('.ended, #offers option')"
OFFERS = "() => [...document.querySelectorAll('#offers option')].map(each => each.value)"


def play_by_command_line(page: Page, prefer: Callable[[list[str]], str], most: int = 400) -> int:
    """Type one of the actions that the page offers, again and again, until the match is over. Says how many."""
    command = page.get_by_role("combobox", name="Type an action in notation")
    for count in range(most):
        page.wait_for_function(OWN_OR_OVER)
        if page.locator(".ended").is_visible():
            return count
        before = page.locator(".log li").count()
        command.fill(prefer(page.evaluate(OFFERS)))
        command.press("Enter")
        page.wait_for_function(
            "before => document.querySelector('.ended') || document.querySelectorAll('.log li').length > before",
            arg=before,
        )
    raise AssertionError("the match did not end")


def axe(page: Page) -> list[str]:
    """What axe finds wrong on the page as it stands."""
    source = (ROOT / "web/node_modules/axe-core/axe.min.js").read_text("utf-8")
    page.evaluate(source)
    found = page.evaluate("async () => (await axe.run(document, { resultTypes: ['violations'] })).violations")
    return [
        f"{each['id']}: {json.dumps([node['html'][:160] for node in each['nodes'][:3]])}" for each in found
    ]


def table_path(page: Page) -> str:
    found = re.search(r"/t/[\w-]+", page.url)
    assert found, page.url
    return found[0]
