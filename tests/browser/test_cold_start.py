"""The first minute on a new machine: the page tells what is being prepared, and one plays meanwhile."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from browser.conftest import LAPTOP, WAIT_MS, play_now, prompt

pytestmark = pytest.mark.browser


@pytest.fixture
def cold_server(tmp_path: Path) -> Iterator[str]:
    """The address of a server that has compiled nothing yet."""
    with subprocess.Popen(
        [sys.executable, "-m", "regalia.cli", "serve", "--port", "0", "--no-browser"],
        env={**os.environ, "REGALIA_CACHE": str(tmp_path / "cache"), "REGALIA_DATA": str(tmp_path)},
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        address = re.search(r"http://\S+", process.stdout.readline())
        assert address is not None
        yield address[0].rstrip("/")
        process.terminate()


@pytest.mark.slow
def test_one_plays_at_once_and_sees_what_is_still_being_prepared(browser: Browser, cold_server: str) -> None:
    context = browser.new_context(base_url=cold_server, locale="en-GB", viewport=LAPTOP)  # type: ignore[arg-type]
    context.set_default_timeout(WAIT_MS)
    page = context.new_page()
    page.goto("/")
    note = page.get_by_role("region", name="First start on this computer")
    expect(note).to_contain_text("You can play right away")
    expect(note).to_contain_text("To Court the King")
    bar = note.get_by_role("progressbar")
    expect(bar).to_be_visible()
    before = float(bar.get_attribute("value") or 0)
    expect(note).to_contain_text(f"of {bar.get_attribute('max')} parts")

    play_now(page, "The Rose King")
    expect(prompt(page)).to_contain_text("Your turn")
    told = page.locator(".log li").count()
    page.locator("button.card.can").first.click()
    expect(page.locator(".log li").nth(told + 1), "a bot answers").to_be_attached()
    expect(note, "before all is prepared").to_be_visible()
    page.wait_for_function(
        "before => document.querySelector('.preparing progress').value > before", arg=before
    )

    for language, words in {"de": "Spielen kannst du sofort", "nl": "Je kunt meteen spelen"}.items():
        other = browser.new_context(base_url=cold_server, locale=language, viewport=LAPTOP)  # type: ignore[arg-type]
        first = other.new_page()
        first.goto("/")
        expect(first.locator(".preparing")).to_contain_text(words)
        other.close()

    note.get_by_role("button", name="Close").click()
    expect(note).to_be_hidden()
    expect(prompt(page)).to_be_visible()
    context.close()
