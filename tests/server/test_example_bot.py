"""The example of a program that plays, over real sockets."""

from __future__ import annotations

import importlib.util
import threading
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from server.harness import Guest, Running, running, wait_for

EXAMPLE = Path(__file__).parents[2] / "examples" / "bot.py"


@pytest.fixture
def bot() -> ModuleType:
    spec = importlib.util.spec_from_file_location("bot_example", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def token_of(server: Running) -> str:
    with Guest(server, "Rita") as rita:
        token: str = rita.post("/api/tokens", {"label": "example"}).json["token"]
    return token


def in_a_thread(work: Callable[..., None], *values: Any) -> threading.Thread:
    thread = threading.Thread(target=work, args=values, daemon=True)
    thread.start()
    return thread


def test_the_example_bot_sits_down_and_plays_to_the_end(bot: ModuleType, server: Running, ann: Guest) -> None:
    table = ann.new_table("carolus_magnus", ["bot", "open"])["table"]["id"]
    tables = ann.get("/api/tables", list="open", game="carolus_magnus", limit=100).json["tables"]
    assert tables[0]["id"] == table
    visit = in_a_thread(bot.main, server.base, "carolus_magnus", True)
    visit.join(120)
    assert not visit.is_alive()
    shown = ann.table(table)
    assert shown["table"]["status"] == "ended"
    assert shown["table"]["seats"][1]["name"] == "Random Rita"


def test_the_example_bot_stays_while_its_opponent_thinks(bot: ModuleType, tmp_path: Path) -> None:
    """The server hears nothing from the table for longer than it bears silence."""
    bot.QUIET_S = 0.2
    with running(tmp_path, silent_s=1.0) as server, Guest(server) as ann:
        table = ann.new_table("rose_king", ["human", "open"])["table"]
        visit = in_a_thread(bot.play, server.base, token_of(server), table)
        wait_for(lambda: ann.table(table["id"])["table"]["status"] == "running")
        visit.join(3 * server.settings.silent_s)
        assert visit.is_alive(), "the bot left while its opponent was thinking"
        view = ann.table(table["id"], seat=0)["view"]
        ann.must("play", table["id"], seat=0, ply=view["ply"], action=view["actions"][0])
        ann.must("resign", table["id"], seat=0)
        visit.join(30)
        assert not visit.is_alive()


def test_the_example_bot_goes_on_when_its_seat_was_taken(
    bot: ModuleType, server: Running, ann: Guest, bob: Guest
) -> None:
    table = ann.new_table("rose_king", ["human", "open"])["table"]
    bob.must("sit", table["id"], seat=1)
    visit = in_a_thread(bot.play, server.base, token_of(server), table)
    visit.join(30)
    assert not visit.is_alive()


def test_the_program_of_the_protocol_page_plays_a_whole_match(
    server: Running, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (EXAMPLE.parents[1] / "docs" / "protocol.md").read_text("utf-8")
    program = page.partition("```python\n")[2].partition("```")[0]
    assert "http://127.0.0.1:8642" in program
    exec(program.replace("http://127.0.0.1:8642", server.base), {})
    assert "'ranks'" in capsys.readouterr().out
