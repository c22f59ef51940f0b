"""The texts of The Rose King: `NE2`, `NE2*`, `draw`; a card for a chance outcome.

A direction is also read in the other languages, in which it has letters that mean nothing else: `NO2` and `NE2` are the
same card. Written are the English ones alone.
"""

from __future__ import annotations

from collections.abc import Sequence

from regalia.core.errors import NotationError
from regalia.games.rose_king.components import CARD_NAMES, DRAW, HERO
from regalia.games.rose_king.state import State

GERMAN = {"NE": "NO", "E": "O", "SE": "SO"}
DUTCH = {"NE": "NO", "E": "O", "SE": "ZO", "S": "Z", "SW": "ZW"}
STEP_OF = {
    f"{letters.get(name[:-1], name[:-1])}{name[-1]}".casefold(): card
    for card, name in enumerate(CARD_NAMES)
    for letters in ({}, GERMAN, DUTCH)
}


def read(text: str, state: State, seat: int) -> list[int]:
    word = text.casefold()
    if word == "draw":
        return [DRAW]
    name, star = (word[:-1].strip(), HERO) if word.endswith("*") else (word, 0)
    if name not in STEP_OF:
        raise NotationError("rose_king.unread", action=text[:40])
    return [STEP_OF[name] + star]


def write(steps: Sequence[int], state: State, seat: int) -> str:
    (step,) = steps
    if step == DRAW:
        return "draw"
    return CARD_NAMES[step] if step < HERO else CARD_NAMES[step - HERO] + "*"


def read_outcome(text: str, state: State) -> int:
    if text.casefold() not in STEP_OF:
        raise NotationError("error.outcome", outcome=text[:40])
    return STEP_OF[text.casefold()]


def write_outcome(step: int, state: State) -> str:
    return CARD_NAMES[step]
