"""The games that can be named by their id.

A game is found by its folder in `regalia.games`, or by an entry point of another distribution:

    [project.entry-points."regalia.games"]
    my_game = "my_package.my_game"

Either way the package has `GAME`. Importing it is light: rules load, and compile, when they are first used.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator, Mapping
from functools import cached_property
from importlib.metadata import entry_points

from regalia import locale
from regalia.core.errors import SetupError
from regalia.core.game import Game, game_in

GROUP = "regalia.games"  # the package with a folder per game, and the group of entry points


class Shelf(Mapping[str, Game]):
    """The games by id, as they stand on the shelf. They are looked for when somebody asks first."""

    @cached_property
    def _games(self) -> dict[str, Game]:
        ordered = sorted(find_games(), key=lambda game: (game.shelf, game.id))
        games = {game.id: game for game in ordered}
        if len(games) < len(ordered):
            raise SetupError("error.game_twice", games=", ".join(game.id for game in ordered))
        for game in ordered:
            locale.register(game.id, game.folder / "words")
        return games

    def __getitem__(self, name: str) -> Game:
        return self._games[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._games)

    def __len__(self) -> int:
        return len(self._games)


def find_games() -> Iterator[Game]:
    folder = importlib.import_module(GROUP).__path__
    for module in pkgutil.iter_modules(folder, f"{GROUP}."):
        yield game_in(module.name)
    for point in entry_points(group=GROUP):
        yield game_in(point.value)


GAMES: Mapping[str, Game] = Shelf()
_registered: dict[str, Game] = {}


def register(game: Game) -> None:
    """Make a game known by its id though it is not on the shelf: one that is being tried out."""
    _registered[game.id] = game
    locale.register(game.id, game.folder / "words")


def is_known(name: str) -> bool:
    return name in GAMES or name in _registered


def find(name: str) -> Game:
    if not is_known(name):
        raise SetupError("error.game", game=name, allowed=", ".join(GAMES))
    return _registered[name] if name in _registered else GAMES[name]
