"""Every word a person reads, one flat JSON file per language; the browser uses the same files."""

from __future__ import annotations

import json
import re
from functools import cache
from importlib import resources

LANGUAGES = ("en", "de", "nl")


@cache
def catalogue(language: str) -> dict[str, str]:
    if language not in LANGUAGES:
        raise KeyError(f"no such language: {language}")
    text = resources.files(__package__).joinpath(f"{language}.json").read_text("utf-8")
    words: dict[str, str] = json.loads(text)
    return words


def say(language: str, key: str, /, **values: object) -> str:
    """The words for a key, with its placeholders filled in. A missing key is a mistake in the program."""
    return re.sub(r"\{(\w+)\}", lambda found: str(values[found[1]]), catalogue(language)[key])


def has(key: str) -> bool:
    return key in catalogue("en")
