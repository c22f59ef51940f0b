"""The Rose King in the terminal: the field with its roses, and both hands with where each card leads.

Red roses are filled, white ones outlined; the crown stands above the stone it lies on. The cards that can be played
are written on the fields to which they lead, with a star where a hero is needed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Console, ConsoleOptions, Group, RenderResult
from rich.table import Table
from rich.text import Text

from regalia.cli import boards
from regalia.core.effects import Effect
from regalia.core.transcript import Record
from regalia.games.rose_king.effects import CardDrawn, CrownMoved, StoneLaid, StoneTurned
from regalia.locale import say

HOUSES = ("lancaster", "york")
COLOURS = ("red", "white")
ARROWS = {"N": "↑", "NE": "↗", "E": "→", "SE": "↘", "S": "↓", "SW": "↙", "W": "←", "NW": "↖"}
SIGNS = {"r": "✿", "w": "❀", ".": "·", "crown": "♛", "hero": "♞", "spent": "·", "turn": "▶"}
LETTERS = {"r": "R", "w": "W", ".": ".", "crown": "K", "hero": "H", "spent": ".", "turn": ">"}
HEROES = 4
DIRECTION = re.compile(r"\b[NESW]+(?=[123])")

BANDS = ("bold #fff1ea on #8c1c2c", "bold #2b2118 on #e9dfc8")
STONES = {"r": "#ffe3da on #8c1c2c", "w": "#5c4408 on #e9dfc8"}
FIELDS = ("#7a7266 on #29251f", "#7a7266 on #353029")  # grey enough to stay so where there are 256 colours
REACHED = "bold #f6cf62 on #4d4019"
CROWN = "bold #2b2118 on #d8a93f"
CELL = 5  # characters
SIDEBAR = 31
WIDE, TALL = 80, 24  # from this size on the hands stand beside the field, and a field is two lines high


@dataclass(frozen=True)
class Board:
    view: dict[str, Any]
    language: str

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        signs = LETTERS if options.ascii_only else SIGNS
        field = Text("\n").join(self.rows(signs, options.size.height >= TALL))
        sidebar = Text("\n").join(self.sidebar(signs, options.ascii_only))
        if options.max_width >= WIDE:
            table = Table.grid(padding=(0, 2, 0, 0))
            table.add_row(field, sidebar)
            yield table
        else:
            yield Group(field, sidebar)
        slug = prompt(self.view["actions"]) if self.view["you"] in self.view["actors"] else None
        for line in boards.due(self.view, self.language, slug):
            yield Text(line, "bold")

    # --- The field ---

    def rows(self, signs: dict[str, str], tall: bool) -> Iterator[Text]:
        reached = self.reached()
        for rank, stones in zip(range(9, 0, -1), self.view["board"], strict=True):
            lines = [Text("  "), Text(f"{rank} ", "bold")] if tall else [Text(f"{rank} ", "bold")]
            for column, stone in zip("abcdefghi", stones, strict=True):
                cell = f"{column}{rank}"
                card, crowned = reached.get(cell, ""), cell == self.view["crown"]
                ground = STONES.get(stone) or FIELDS[(ord(column) + rank) % 2]
                above = CROWN if crowned else REACHED if card else ground
                sign = signs["crown"] if crowned else spell(card, self.language)
                if tall:
                    lines[0].append(f"{sign:^{CELL}}", above)
                    lines[1].append(f"{signs[stone]:^{CELL}}", REACHED if card and stone == "." else ground)
                else:
                    lines[0].append(f"{sign.rstrip('*') + signs[stone]:^{CELL}}", above)
            yield from lines
        yield Text("  " + "".join(f"{column:^{CELL}}" for column in "abcdefghi"), "bold")

    def reached(self) -> dict[str, str]:
        """The fields to which the viewer's legal actions lead, each with its card."""
        targets = self.view["targets"]
        return {targets[action.rstrip("*")]: action for action in self.view["actions"] if action != "draw"}

    # --- The players ---

    def sidebar(self, signs: dict[str, str], ascii_only: bool) -> Iterator[Text]:
        """White sits in the north, so it comes first."""
        for seat in (1, 0):
            yield self.band(seat, signs)
            left = self.view["heroes"][seat]
            heroes = signs["hero"] * left + signs["spent"] * (HEROES - left)
            yield Text(f"{heroes}  ").append(say(self.language, "rose_king.ui.heroes", count=left), "dim")
            hand = [self.card(card, seat, signs, ascii_only) for card in self.view["hands"][seat]]
            yield from hand + [Text()] * (5 - len(hand))
            yield Text()
        view = self.view
        stones = say(self.language, "rose_king.ui.stones", count=view["supply"])
        yield Text(say(self.language, "rose_king.cli.left", stones=stones, cards=len(view["pile"])), "italic")

    def band(self, seat: int, signs: dict[str, str]) -> Text:
        turn = signs["turn"] if seat in self.view["actors"] else " "
        title = f"{turn} {signs['rw'[seat]]} {name_of(seat, self.language)}"
        score = f"{self.view['scores'][seat]} {say(self.language, 'rose_king.piece.points')} "
        return Text(title + score.rjust(SIDEBAR - len(title)), BANDS[seat])

    def card(self, card: str, seat: int, signs: dict[str, str], ascii_only: bool) -> Text:
        """`NE2 ↗↗  g7`, and what lies there."""
        direction, distance = card[:-1], int(card[-1])
        arrows = "" if ascii_only else ARROWS[direction] * distance
        line = Text().append(f"{spell(card, self.language):<4}{arrows:<4}", "bold")
        target = self.view["targets"].get(card)
        if target is None:
            return line.append(say(self.language, "rose_king.cli.off"), "dim italic")
        stone = self.view["board"][9 - int(target[1])]["abcdefghi".index(target[0])]
        if stone == ".":
            return line.append(target)
        line.append(f"{target} {signs[stone]} ")
        if stone == "rw"[seat]:
            return line.append(say(self.language, "rose_king.cli.own"), "dim italic")
        if self.view["heroes"][seat]:
            return line.append(say(self.language, "rose_king.cli.hero"), "italic")
        return line.append(say(self.language, "rose_king.cli.taken"), "dim italic")


def render(view: dict[str, Any], language: str) -> Board:
    return Board(view, language)


def name_of(seat: int, language: str) -> str:
    return f"{say(language, f'rose_king.piece.{HOUSES[seat]}')} ({say(language, f'rose_king.piece.{COLOURS[seat]}')})"


def spell(text: str, language: str) -> str:
    """Cards with their directions in the reader's letters: `NE2` is `NO2` in German."""
    return DIRECTION.sub(lambda found: say(language, f"rose_king.short.{found[0]}"), text)


def tell(record: Record, effects: Sequence[Effect], language: str) -> str:
    assert record.seat is not None
    name = say(language, f"rose_king.piece.{HOUSES[record.seat]}")
    match effects:
        case [CrownMoved(card=card), StoneTurned(field=field), *_]:
            card = spell(card, language)
            return say(language, "rose_king.action.hero", name=name, card=card, field=field)
        case [CrownMoved(card=card), StoneLaid(field=field), *_]:
            card = spell(card, language)
            return say(language, "rose_king.action.play", name=name, card=card, field=field)
    drawn = " ".join(effect.card for effect in effects if isinstance(effect, CardDrawn))
    return say(language, "rose_king.action.draw", name=name, card=spell(drawn, language))


def prompt(actions: list[str]) -> str:
    """Which of the prompts fits what can be done."""
    if actions == ["draw"]:
        return "turn_draw"
    if "draw" in actions:
        return "turn"
    return "turn_hero" if all(action.endswith("*") for action in actions) else "turn_full"
