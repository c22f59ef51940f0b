"""Every word a person reads: flat JSON files, one per language, which the browser uses too.

The words of no game are here. A game has its own in `words/`, with keys that do not name it; `register` gives them its
id in front: `clause.RK-1` of the game rose_king is `rose_king.clause.RK-1`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent
LANGUAGES = ("en", *sorted({path.stem for path in FOLDER.glob("*.json")} - {"en"}))
PLACEHOLDER = re.compile(r"\{(\w+)\}")
_games: dict[str, Path] = {}  # by id: the folder of its words


def register(game: str, folder: Path) -> None:
    """From now on a game's words are known; a game without any has no such folder."""
    if folder.is_dir():
        _games[game] = folder
        catalogue.cache_clear()


@cache
def catalogue(language: str) -> dict[str, str]:
    if language not in LANGUAGES:
        raise KeyError(f"no such language: {language}")
    words = read(FOLDER, language)
    for game, folder in _games.items():
        words |= {f"{game}.{key}": text for key, text in read(folder, language).items()}
    return words


def read(folder: Path, language: str) -> dict[str, str]:
    words: dict[str, str] = json.loads((folder / f"{language}.json").read_text("utf-8"))
    return words


def say(language: str, key: str, /, **values: object) -> str:
    """The words for a key, with its placeholders filled in. A missing key is a mistake in the program."""
    text = form(catalogue(language)[key], values)
    return PLACEHOLDER.sub(lambda found: str(values[found[1]]), text)


def form(text: str, values: Mapping[str, object]) -> str:
    """Of `one||more` the form for the value called count, or else for the first placeholder that is a number."""
    one, _, more = text.partition("||")
    numbers = [values.get(name) for name in ("count", *PLACEHOLDER.findall(text))]
    number = next((value for value in numbers if isinstance(value, int | float)), None)
    return one if not more or number == 1 else more


def has(key: str) -> bool:
    return key in catalogue("en")
