"""Boards in frames of other sites."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import quote

import pytest
from playwright.sync_api import FrameLocator, Page, expect

import regalia
from browser.conftest import BOT, HUMAN, Player, axe, near_the_end
from regalia.locale import say

pytestmark = [pytest.mark.browser, pytest.mark.slow]
GAMES = [*regalia.GAMES]


class Elsewhere(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.end_headers()
        self.wfile.write(b'<!doctype html><title>Elsewhere</title><link rel="icon" href="data:,">')

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[str]:
    """Another site, on the same machine."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://localhost:{server.server_port}/"
        server.shutdown()
        thread.join()


def framed(page: Page, elsewhere: str, address: str) -> FrameLocator:
    """A page of another site that shows the address."""
    page.goto(elsewhere)
    page.evaluate(
        """address => {
          const frame = document.createElement("iframe");
          [frame.src, frame.width, frame.height] = [address, 640, 720];
          document.body.replaceChildren(frame);
        }""",
        address,
    )
    return page.frame_locator("iframe")


def test_a_match_is_gone_through_in_a_frame(page: Page, ann: Player, base_url: str, elsewhere: str) -> None:
    table = ann.table("rose_king", [HUMAN, BOT], position=near_the_end(30))
    view = ann.update(table)["view"]
    ann.context.request.post(
        f"{base_url}/api/tables/{table}/commands",
        data={
            "type": "play",
            "table": table,
            "id": "embed-one",
            "seat": 0,
            "ply": view["ply"],
            "action": "draw",
        },
    )
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.headers.get("cookie", "")))
    frame = framed(page, elsewhere, f"{base_url}/embed/t/{table}?ply=1&theme=dark&lang=de")
    expect(frame.locator("figure svg").first).to_be_visible()
    expect(frame.get_by_role("heading", name=say("de", "rose_king.title"))).to_be_visible()
    expect(frame.locator("html")).to_have_attribute("data-theme", "dark")
    expect(frame.get_by_text(re.compile("^0 von "))).to_be_visible()
    frame.get_by_role("button", name="Einen Schritt weiter").click()
    expect(frame.get_by_text(re.compile("^1 von "))).to_be_visible()
    expect(frame.get_by_role("link", name="In Regalia öffnen")).to_have_attribute(
        "href", re.compile(rf"^/t/{table}")
    )
    assert not any(sent)  # nobody is known by an embed, wherever it is shown


@pytest.mark.parametrize("game", GAMES)
def test_a_position_in_an_address_is_drawn(page: Page, base_url: str, game: str) -> None:
    position = regalia.Match.new(game, seed=3).position_text()
    page.set_viewport_size({"width": 480, "height": 560})
    page.goto(f"{base_url}/embed/p?theme=light&lang=en#{quote(position)}")
    expect(page.locator("figure > svg").first).to_be_visible()
    assert axe(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 480


def test_what_cannot_be_embedded_says_so(
    page: Page, ann: Player, base_url: str, elsewhere: str, complaints: list[str]
) -> None:
    table = ann.table("rose_king", [HUMAN, BOT], is_public=False)
    frame = framed(page, elsewhere, f"{base_url}/embed/t/{table}?lang=en")
    expect(frame.get_by_role("alert")).to_contain_text("Private tables cannot be embedded.")
    frame = framed(page, elsewhere, f"{base_url}/embed/p?lang=en#rose_king%20rules=7%20seats=2%20{{}}")
    expect(frame.get_by_role("alert")).to_contain_text("rules")
    frame = framed(page, elsewhere, f"{base_url}/embed/nothing?lang=en")
    expect(frame.get_by_role("alert")).to_contain_text("There is no board at this address.")
    assert all("Failed to load resource" in each for each in complaints)
    complaints.clear()
