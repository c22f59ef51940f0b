"""Names and talk as others may read them."""

from __future__ import annotations

import unicodedata

JOINERS = "\u200c\u200d"  # part of how Persian, Indic scripts and emoji are written
BLANKS = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"  # letters and marks by category, empty to the eye
SPACES = ("Cc", "Zl", "Zp", "Zs", "Cs")
UNSEEN_ALONE = ("Mn", "Me", "Cf", "Zs")  # categories of what shows only beside something else


def clean(text: str) -> str:
    """Readable text: no control characters, nothing invisible or that reorders the page, single spaces.

    Empty if there is nothing to see in it.
    """
    kept = "".join(
        " " if unicodedata.category(letter) in SPACES else letter
        for letter in text
        if not is_invisible(letter)
    )
    words = " ".join(kept.split())
    return words if any(unicodedata.category(letter) not in UNSEEN_ALONE for letter in words) else ""


def is_invisible(letter: str) -> bool:
    return letter in BLANKS or (unicodedata.category(letter) == "Cf" and letter not in JOINERS)
