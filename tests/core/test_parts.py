"""What a game may have besides its rules is found by its folder."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import probe


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    folder = tmp_path / "some_game"
    folder.mkdir()
    (folder / "__init__.py").write_text("", "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    yield folder
    for name in [name for name in sys.modules if name.partition(".")[0] == "some_game"]:
        del sys.modules[name]


def test_a_part_is_a_module_or_nothing(package: Path) -> None:
    game = replace(probe.GAME, package="some_game")
    assert game.part("bots") is None
    assert game.part("bots.knowledge") is None
    (package / "odds.py").write_text("ANSWER = 42", "utf-8")
    odds = game.part("odds")
    assert odds is not None
    assert odds.ANSWER == 42


def test_a_part_that_lacks_something_it_needs_is_not_taken_for_none(package: Path) -> None:
    (package / "bots").mkdir()
    (package / "bots" / "__init__.py").write_text("import nowhere_to_be_found", "utf-8")
    with pytest.raises(ModuleNotFoundError, match="nowhere_to_be_found"):
        replace(probe.GAME, package="some_game").part("bots.knowledge")
