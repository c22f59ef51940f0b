"""scripts/new_game.py: a copy of the probe under another name is a game for every part of the program at once."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from second_game import NAME, ROOT, make, npm, script, serving
from server.harness import wait_for

USES = f"""
from rich.console import Console

from regalia import GAMES, Match, bots
from regalia.arena.contest import Plan, play_fixture
from regalia.bots.opponents import opponent
from regalia.cli import boards
from regalia.locale import say

game = GAMES["{NAME}"]
match = Match.new("{NAME}", seed=1)
assert say("nl", "{NAME}.clause.SP-8").startswith("Een ogenaantal")
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
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("second")


@pytest.fixture(scope="module")
def environment(home: Path) -> dict[str, str]:
    return make(home)


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


def test_its_own_tests_pass(environment: dict[str, str], home: Path) -> None:
    settings = ["-q", "-p", "no:cacheprovider", "-c", str(ROOT / "pyproject.toml")]
    run(environment, "-m", "pytest", *settings, str(home / "tests"))


def test_it_is_left_as_tidy_as_the_rest(tmp_path: Path) -> None:
    game, tests = tmp_path / "src/regalia/games" / NAME, tmp_path / "tests/games" / NAME
    maker = script("new_game")
    maker.copy(NAME, f"regalia.games.{NAME}", game, tests)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    shutil.copy(ROOT / "tests/driving.py", tmp_path / "tests")  # imported, and known as ours by its place
    ruff = [sys.executable, "-m", "ruff"]
    assert subprocess.run([*ruff, "check", "--quiet", game, tests], capture_output=True).returncode == 1
    assert maker.tidy(game, tests)
    for command in (["check"], ["format", "--check"]):
        done = subprocess.run([*ruff, *command, game, tests], capture_output=True, text=True)
        assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("name, letters", [("hex_king", "HK"), ("long_live_the_king", "LK"), ("hex", "HE")])
def test_its_clauses_bear_its_own_letters(name: str, letters: str) -> None:
    maker = script("new_game")
    assert maker.renamed("- PB-1 as in PB-10\n# clauses PB\n", name, "x") == (
        f"- {letters}-1 as in {letters}-10\n# clauses {letters}\n"
    )


@pytest.mark.slow
def test_its_board_builds_with_all_others_and_its_own_tests_pass(
    environment: dict[str, str], home: Path
) -> None:
    npm(home, "run", "build")
    chunks = json.loads((home / "src/regalia/server/static/.vite/manifest.json").read_text("utf-8"))
    assert f"../src/regalia/games/{NAME}/web/index.ts" in chunks
    assert f"virtual:words/nl/{NAME}" in {name.lstrip("\0") for name in chunks}
    npm(home, "exec", "--", "vitest", "run", f"../tests/games/{NAME}")


def fetched(address: str) -> Any:
    """What the server says; nothing while it is still starting."""
    try:
        with urllib.request.urlopen(address, timeout=5) as reply:
            return json.load(reply)
    except OSError:
        return None


def test_the_server_finds_it(environment: dict[str, str]) -> None:
    with serving(environment) as address:
        games = wait_for(lambda: fetched(f"{address}api/games"), 60)
        assert NAME in [game["id"] for game in games]
        book = fetched(f"{address}api/games/{NAME}/rulebook")
        assert book["chapters"][0]["key"] == "setup"
