"""The tables in the terminal, each drawn by its game: cli/board.py in the game's folder.

That module has

    render(view, language)                      the table as a seat sees it, and what is due of whom
    name_of(seat, language) -> str              what a seat is called; optional, else "Seat 0"
    tell(record, view, language) -> str         an action in a sentence, the view being that after it; optional

and draws from the JSON view alone, so that it cannot show more than the seat may see. A game without a board is
shown as the list of what its view says.
"""

from __future__ import annotations

import json
from types import ModuleType
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from regalia.core import registry
from regalia.core.transcript import HIDDEN, Record
from regalia.locale import has, say

HEADING = {"game", "rules", "seats", "options", "ply", "phase", "actors", "you", "actions", "outcome"}


def board_of(game: str) -> ModuleType | None:
    return registry.find(game).part("cli.board")


def render(view: dict[str, Any], language: str) -> RenderableType:
    board = board_of(view["game"])
    if board is None:
        return plain(view, language)
    table: RenderableType = board.render(view, language)
    return table


def name_of(game: str, seat: int, language: str) -> str:
    board = board_of(game)
    if board is None or not hasattr(board, "name_of"):
        return say(language, "cli.seat", seat=seat)
    name: str = board.name_of(seat, language)
    return name


def tell(record: Record, view: dict[str, Any], language: str) -> str:
    """What happened, as the one who has the view may know it. The notation is always part of it."""
    board = board_of(view["game"])
    outcomes = f" / {' '.join(record.outcomes)}" if record.outcomes else ""
    if record.seat is None:
        return say(language, "ui.log.setup") + outcomes
    name = name_of(view["game"], record.seat, language)
    if board is not None and hasattr(board, "tell") and record.action != HIDDEN:
        return f"{record.action}{outcomes}  {board.tell(record, view, language)}"
    return f"{name}: {record.action}{outcomes}"


def due(view: dict[str, Any], language: str, slug: str | None = None) -> list[str]:
    """What is due, in words; of others too, when one looks at their turn."""
    lines = []
    for seat in view["actors"]:
        key = f"{view['game']}.phase.{slug or view['phase']}" + (".waiting" if seat != view["you"] else "")
        name = name_of(view["game"], seat, language)
        generic = "cli.due" if seat == view["you"] else "cli.due.waiting"
        lines.append(say(language, key if has(key) else generic, name=name, phase=view["phase"]))
    return lines


def plain(view: dict[str, Any], language: str) -> Group:
    table = Table.grid(padding=(0, 2))
    for key, value in view.items():
        if key not in HEADING:
            table.add_row(Text(key, "bold"), Text(json.dumps(value, ensure_ascii=False)))
    return Group(table, *(Text(line, "bold") for line in due(view, language)))
