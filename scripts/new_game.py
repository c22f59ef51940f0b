"""Begins a game: copies the probe (tests/probe) under a new name, ready to be played and changed.

    python scripts/new_game.py hex_king

The rules go to src/regalia/games/hex_king, the tests to tests/games/hex_king. Nothing else has to be told of it: see
docs/add-a-game.md for what to change first.
"""

from __future__ import annotations

import argparse
import importlib.util
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROBE = ROOT / "tests" / "probe"
TESTS = (
    "test_rules.py",
    "board.test.ts",
    "board.json",
    "transcripts",
)  # what of the probe belongs to the tests
TITLES = re.compile(r"\b(?:Probe|Proef)\b")


def copy(name: str, package: str, target: Path, tests: Path | None = None) -> None:
    """The probe as the game `name`, importable as `package`."""
    skipped = shutil.ignore_patterns("__pycache__", *TESTS)
    shutil.copytree(PROBE, target, ignore=skipped)
    paths = [*target.rglob("*")]
    if tests is not None:
        tests.mkdir(parents=True)
        for part in TESTS:
            if (PROBE / part).is_dir():
                shutil.copytree(PROBE / part, tests / part)
            else:
                shutil.copy(PROBE / part, tests)
        paths += [*tests.rglob("*")]
    for path in paths:
        if path.is_file():
            path.write_text(renamed(path.read_text("utf-8"), name, package), "utf-8")


def renamed(text: str, name: str, package: str) -> str:
    """A file of the probe with the new name wherever it names itself."""
    title = name.replace("_", " ").title()
    text = re.sub(r"\bPB(?=-\d|$)", clause_letters(name), text, flags=re.MULTILINE)
    text = re.sub(r"^( *(?:from|import)) probe\b", rf"\1 {package}", text, flags=re.MULTILINE)
    text = re.sub(r'(?<=")probe(?=["./])', name, text)
    text = text.replace("tests/probe/", f"src/regalia/games/{name}/").replace("$probe/", f"$games/{name}/")
    text = re.sub(r"^game probe\b", f"game {name}", text, flags=re.MULTILINE)  # the head of a transcript
    text = TITLES.sub(title, text)
    return re.sub(r"\b[Tt]he probe\b", title, text)


def clause_letters(name: str) -> str:
    """The two letters before the number of a clause: HK for hex_king."""
    words = name.split("_")
    return (name[:2] if len(words) == 1 else words[0][0] + words[-1][0]).upper()


def tidy(*folders: Path) -> bool:
    """Sort imports and wrap lines, which another name has changed; False without the tool for it."""
    if importlib.util.find_spec("ruff") is None:
        return False
    ruff = [sys.executable, "-m", "ruff"]
    for command in (["check", "--select", "I", "--fix"], ["format"]):
        subprocess.run([*ruff, *command, "--quiet", *map(str, folders)], check=True)
    return True


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("name", help="the game's id: small letters, joined by _")
    name = parser.parse_args().name
    target = ROOT / "src" / "regalia" / "games" / name
    if not re.fullmatch(r"[a-z]+(_[a-z0-9]+)*", name):
        sys.exit(f"{name} is no id of a game: small letters, joined by _")
    if target.exists():
        sys.exit(f"there is a game called {name}: {target.relative_to(ROOT)}")
    tests = ROOT / "tests" / "games" / name
    copy(name, f"regalia.games.{name}", target, tests)
    if not tidy(target, tests):
        print("ruff is not installed: run `ruff check --fix` and `ruff format` before you commit")
    print(
        f"{target.relative_to(ROOT)} and tests/games/{name}; try: regalia play {name} --bots page, or ./play"
    )


if __name__ == "__main__":
    main()
