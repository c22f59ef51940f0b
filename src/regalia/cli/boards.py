"""The tables in the terminal, each drawn by its game: cli/board.py in the game's folder.

That module has

    render(view, language)                      the table as a seat sees it, and what is due of whom
    name_of(seat, language) -> str              what a seat is called; optional, else "Seat 0"
    tell(record, effects, language) -> str      an action in sentences, from what it did; optional
    spell(text, language) -> str                notation in the reader's letters, which `read` takes too; optional

and draws from the JSON view and the effects alone, so that it cannot show more than the seat may see. A game without
a board is shown as the list of what its view says.
"""

from __future__ import annotations

import json
from types import ModuleType
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from regalia.core import registry
from regalia.core.match import Match
from regalia.core.transcript import HIDDEN
from regalia.core.viewers import Viewer
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


def spell(game: str, text: str, language: str) -> str:
    """A text of the notation as the reader would write it."""
    board = board_of(game)
    if board is None or not hasattr(board, "spell"):
        return text
    spelled: str = board.spell(text, language)
    return spelled


def actions(match: Match, seat: int, language: str, start: str = "") -> list[str]:
    """The legal actions of a seat, as the reader would write them, that begin like this in either spelling."""
    prefix = " ".join(start.split()).casefold()
    texts = [(action, spell(match.game.id, action, language)) for action in match.actions(seat)]
    return [
        text for action, text in texts if any(each.casefold().startswith(prefix) for each in (action, text))
    ]


def tell(match: Match, ply: int, viewer: Viewer, language: str) -> str:
    """The record decided at a ply, as the viewer may know it. The notation is always part of it."""
    record = match.records[ply].seen_by(viewer)
    board = board_of(match.game.id)
    outcomes = f" / {' '.join(record.outcomes)}" if record.outcomes else ""
    notation = spell(match.game.id, f"{record.action}{outcomes}", language)
    if record.seat is None:
        return say(language, "ui.log.setup") + notation
    if board is not None and hasattr(board, "tell") and record.action != HIDDEN:
        return f"{notation}  {board.tell(record, match.effects(ply, viewer), language)}"
    return f"{name_of(match.game.id, record.seat, language)}: {notation}"


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
