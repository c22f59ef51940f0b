"""The tree itself: imports point one way, and every language says the same things."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from regalia.locale import LANGUAGES, catalogue, say

PACKAGE = Path(__file__).parents[1] / "src" / "regalia"
LAYERS = {
    "locale": 0,
    "core": 1,
    "games": 2,
    "bots": 3,
    "arena": 4,
    "research": 4,
    "server": 4,
    "bench": 5,
    "cli": 6,
}


def imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
    return {name for name in found if name.startswith("regalia.")}


def test_imports_point_one_way() -> None:
    wrong = []
    for path in PACKAGE.rglob("*.py"):
        layer = path.relative_to(PACKAGE).parts[0]
        if layer not in LAYERS:
            continue
        for name in imports(path):
            other = name.split(".")[1]
            if other in LAYERS and other != layer and LAYERS[other] >= LAYERS[layer]:
                wrong.append(f"{path.relative_to(PACKAGE)} imports {name}")
    assert wrong == []


def test_a_game_knows_no_other_game() -> None:
    for path in (PACKAGE / "games").glob("*/*.py"):
        others = [name for name in imports(path) if name.startswith("regalia.games.")]
        assert {name.split(".")[2] for name in others} <= {path.parent.name}, path


def test_every_folder_of_the_package_has_its_layer() -> None:
    folders = {path.name for path in PACKAGE.iterdir() if path.is_dir() and any(path.glob("*.py"))}
    assert folders <= set(LAYERS)


def placeholders(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text))


def test_all_languages_have_the_same_keys_and_placeholders() -> None:
    english = catalogue("en")
    for language in LANGUAGES:
        words = catalogue(language)
        assert sorted(words) == sorted(english)
        assert [key for key in english if placeholders(words[key]) != placeholders(english[key])] == []
        assert [key for key, text in words.items() if not text.strip()] == []


def test_values_are_put_in_as_they_are() -> None:
    assert (
        say("en", "error.game", game="{allowed}", allowed="x")
        == "There is no game called {allowed}. There are: x."
    )
    with pytest.raises(KeyError):
        catalogue("fr")


def test_every_message_that_is_raised_exists() -> None:
    keys = set()
    for path in PACKAGE.rglob("*.py"):
        keys.update(
            re.findall(r'(?:Error|Action|Turn|Over)\(\s*"([a-z_]+\.[\w.]+)"', path.read_text("utf-8"))
        )
    assert keys
    assert [key for key in sorted(keys) if key not in catalogue("en")] == []
