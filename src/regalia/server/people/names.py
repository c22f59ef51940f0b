"""Names of accounts: two that look alike are one.

The key of a name is made from what its letters look like (Unicode's list of confusable characters), whatever their
case, script or width. What looks like a Latin letter in either of its cases is that letter.
"""

from __future__ import annotations

import unicodedata
from functools import cache

LEFT_TO_RIGHT = "\u200e"  # the list puts it around letters that are written the other way
TWINS = str.maketrans("i1|0", "lllo")  # of Latin letters and digits, some in their other case


@cache
def lookalikes() -> dict[str, list[str]]:
    """The letters that each letter can be taken for."""
    from confusable_homoglyphs.confusables import confusables_data

    return {
        letter.strip(LEFT_TO_RIGHT): [
            text for other in others if len(text := other["c"].strip(LEFT_TO_RIGHT)) == 1
        ]
        for letter, others in confusables_data.items()
    }


def standing_for(letter: str) -> str:
    """What stands for a letter and those like it: a Latin one if there is one."""
    if letter.isascii():
        return letter
    others = lookalikes().get(letter, [])
    latin = sorted(other for other in others if other.isascii() and other.isalnum())
    if latin:
        return latin[0]
    if len(others) == 1:
        return others[0] if len(lookalikes().get(others[0], [])) > 1 else min(letter, others[0])
    return letter


def look_of(letter: str) -> str:
    """Of a letter without case."""
    look = standing_for(letter)
    if not look.isascii() and standing_for(letter.upper()[:1]).isascii():
        look = standing_for(letter.upper()[:1])
    return folded(look)


def folded(text: str) -> str:
    """Without case, width and ligatures."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


def name_key(name: str) -> str:
    """Equal for names that look alike. `name` has been cleaned."""
    letters = "".join("".join(map(look_of, folded(name))).split())
    return letters.translate(TWINS).replace("rn", "m")
