"""Which games there are: found by folder and by entry point, in the order of the shelf."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from importlib.metadata import EntryPoint

import pytest

import probe
from regalia import GAMES, Match, SetupError
from regalia.core import registry
from regalia.core.registry import GROUP, Shelf


def test_the_games_stand_in_the_order_of_the_shelf() -> None:
    assert list(GAMES) == [game.id for game in sorted(GAMES.values(), key=lambda game: (game.shelf, game.id))]
    assert len(GAMES) >= 4
    assert all(GAMES[name].id == name for name in GAMES)


def test_a_game_has_the_name_of_its_folder() -> None:
    assert [game.folder.name for game in GAMES.values()] == list(GAMES)


@pytest.mark.parametrize("first", ["regalia.core.match", "regalia.core.registry", "regalia"])
def test_games_are_known_whatever_is_imported_first_and_load_no_compiler(first: str) -> None:
    program = f"import sys, {first}; from regalia.core.registry import find; find('rose_king')"
    if first != "regalia.core.match":
        program += "; assert 'numba' not in sys.modules"
    else:
        program += "; regalia.core.match.Match.find('rose_king')"
    subprocess.run([sys.executable, "-c", program], check=True, timeout=120)


def test_another_distribution_brings_a_game_by_an_entry_point(monkeypatch: pytest.MonkeyPatch) -> None:
    point = EntryPoint("probe", "probe", GROUP)
    monkeypatch.setattr(registry, "entry_points", lambda group: [point] if group == GROUP else [])
    shelf = Shelf()
    assert list(shelf) == [*GAMES, "probe"]
    assert shelf["probe"] is probe.GAME


def test_two_games_of_one_name_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    twice = [GAMES["rose_king"], replace(probe.GAME, id="rose_king")]
    monkeypatch.setattr(registry, "find_games", lambda: iter(twice))
    with pytest.raises(SetupError, match="rose_king, rose_king"):
        len(Shelf())


def test_a_game_can_be_registered_and_is_then_known_by_its_name() -> None:
    registry.register(probe.GAME)
    assert Match.find("probe") is probe.GAME
    assert "probe" not in GAMES
    with pytest.raises(SetupError, match="no_such_game"):
        registry.find("no_such_game")


def test_everyone_plays_alone_unless_the_game_says_otherwise() -> None:
    assert GAMES["long_live_the_king"].sides(3, {}) == ((0,), (1,), (2,))
    assert not GAMES["long_live_the_king"].partners_may_talk({})
    pairs = GAMES["carolus_magnus"]
    assert pairs.sides(3, {}) == ((0,), (1,), (2,))
    assert pairs.sides(4, {}) == ((0, 2), (1, 3))
    assert pairs.sides(4, {"partners": "03-12"}) == ((0, 3), (1, 2))
    assert pairs.side(2, 4, {"partners": "03-12"}) == (1, 2)
    assert pairs.partners_may_talk({"confer": "true"})
    assert not pairs.partners_may_talk({})
