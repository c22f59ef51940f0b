"""scripts/new_game.py: a copy of the probe under another name is a game for every part of the program at once."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import pytest

import regalia
from server.harness import wait_for

ROOT = Path(__file__).parents[1]
NAME = "second_probe"
USES = f"""
from rich.console import Console

from regalia import GAMES, Match, bots
from regalia.arena.contest import Plan, play_fixture
from regalia.bots.opponents import opponent
from regalia.cli import boards
from regalia.locale import say

game = GAMES["{NAME}"]
match = Match.new("{NAME}", seed=1)
assert say("nl", "{NAME}.clause.PB-8").startswith("Een ogenaantal")
assert opponent(game, "page") == game.module("bots").LADDER["page"]
choice = bots.choose(match, 0, "page", 1, simulations=8)
assert choice.action in match.actions(0)
assert any(key.startswith("{NAME}.bots.") for key, _ in choice.reasons)
with Console().capture() as shown:
    Console().print(boards.render(match.view(0), "de"))
assert boards.name_of("{NAME}", 2, "de") == "Platz 2 (A)"
plan = Plan.of("{NAME}", ["random", "page"], 1)
number, played = play_fixture(plan, plan.fixtures()[0])
assert len(played.ranks) == 4
"""


@pytest.fixture(scope="module")
def new_game() -> Any:
    spec = importlib.util.spec_from_file_location("new_game", ROOT / "scripts" / "new_game.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def environment(new_game: Any, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The whole package with one more folder in it, and the rules as plain Python, so that nothing is compiled."""
    home = tmp_path_factory.mktemp("second")
    package = home / "regalia"
    shutil.copytree(Path(regalia.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    new_game.copy(NAME, f"regalia.games.{NAME}", package / "games" / NAME, home / "tests")
    return {
        **os.environ,
        "PYTHONPATH": str(home),
        "NUMBA_DISABLE_JIT": "1",
        "REGALIA_DATA": str(home / "data"),
        "REGALIA_CACHE": str(home / "cache"),
        "LC_ALL": "C.UTF-8",
    }


def run(environment: dict[str, str], *arguments: str) -> str:
    done = subprocess.run([sys.executable, *arguments], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_registry_words_bots_board_and_arena_find_it(environment: dict[str, str]) -> None:
    run(environment, "-c", USES)


def test_the_commands_find_it(environment: dict[str, str]) -> None:
    games = json.loads(run(environment, "-m", "regalia.cli", "games", "--json"))["games"]
    assert [game["titles"]["en"] for game in games if game["id"] == NAME] == ["Second Probe"]
    rules = run(environment, "-m", "regalia.cli", "rules", NAME, "--lang", "de")
    assert "Eine Augenzahl, die kein Würfel zeigt" in rules


def test_its_own_tests_pass(environment: dict[str, str]) -> None:
    tests = str(Path(environment["PYTHONPATH"]) / "tests")
    run(
        environment, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", str(ROOT / "pyproject.toml"), tests
    )


def fetched(address: str) -> Any:
    """What the server says; nothing while it is still starting."""
    try:
        with urllib.request.urlopen(address, timeout=5) as reply:
            return json.load(reply)
    except OSError:
        return None


def test_the_server_finds_it(environment: dict[str, str]) -> None:
    command = [sys.executable, "-m", "regalia.cli", "serve", "--port", "0", "--no-browser"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            address = re.search(r"http://\S+/", server.stdout.readline())
            assert address is not None
            games = wait_for(lambda: fetched(f"{address[0]}api/games"), 60)
            assert NAME in [game["id"] for game in games]
            book = fetched(f"{address[0]}api/games/{NAME}/rulebook")
            assert book["chapters"][0]["key"] == "setup"
        finally:
            server.terminate()
