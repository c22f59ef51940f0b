"""The probe in the terminal: the dice, the teams, and who holds what."""

from __future__ import annotations

from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from regalia.cli import boards
from regalia.locale import say


def render(view: dict[str, Any], language: str) -> RenderableType:
    dice = [str(face) for face, count in enumerate(view["dice"], 1) for _ in range(count)]
    head = word(language, "round", round=view["rounds"] + 1, points="–".join(map(str, view["points"])))
    table = Table.grid(padding=(0, 2))
    for seat, hand in enumerate(view["hands"]):
        cards = [str(value) for value, count in enumerate(hand, 1) for _ in range(count or 0)]
        held = " ".join(cards) if cards else word(language, "cards", count=view["cards"][seat])
        table.add_row(Text(name_of(seat, language), "bold" if seat == view["you"] else ""), Text(held))
    parts: list[RenderableType] = [
        Text(head),
        Text(word(language, "dice", dice=" ".join(dice) or "–")),
        table,
    ]
    return Group(*parts, *(Text(line, "bold") for line in boards.due(view, language)))


def name_of(seat: int, language: str) -> str:
    return word(language, "seat", seat=seat, team="AB"[seat % 2])


def word(language: str, key: str, **values: object) -> str:
    return say(language, f"probe.cli.{key}", **values)
