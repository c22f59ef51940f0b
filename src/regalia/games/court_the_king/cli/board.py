"""To Court the King in the terminal: the characters still to be had, every player's court, and the dice.

A tick marks what the dice as they lie would pay for. Powers used in this turn stand in brackets.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from regalia.cli import boards
from regalia.core.effects import Effect
from regalia.core.transcript import Record
from regalia.games.court_the_king.effects import (
    CharacterTaken,
    CharacterUsed,
    DiceThrown,
    DieAdded,
    DieChanged,
    DieRerolled,
    DieRolled,
    DieSetAside,
    NobodyTaken,
)
from regalia.locale import say

GAME = "court_the_king"
# The costs as signs; words where there are none.
PATTERNS = {
    "farmer": "x x",
    "guard": "x x x",
    "astronomer": "x x  y y",
    "hunter": "x x x x",
    "knight": "x x x x x",
    "magician": "1-5, 2-6",
    "lady": "x x x  y y",
    "alchemist": "1-6",
    "bishop": "x x  y y  z z",
    "nobleman": "x x x  y y y",
    "general": "6 x",
    "king": "7 x",
}
WORDS = {
    "fool": "any",
    "maid": "odd",
    "philosopher": "even",
    "laborer": "15",
    "merchant": "20",
    "pawnbroker": "30",
}
LEVELS: tuple[tuple[str, ...], ...] = (
    ("fool",),
    ("farmer", "maid", "philosopher", "laborer", "guard"),
    ("astronomer", "merchant", "hunter"),
    ("pawnbroker", "knight", "magician", "lady"),
    ("alchemist", "bishop", "nobleman", "general"),
    ("king",),
)
COMPULSORY = {"farmer": 1, "charlatan": 1, "general": 2}
DIE = "bold #2b2118 on #e9dfc8"
ASIDE = "bold #fff1ea on #8c1c2c"


def word(language: str, key: str, **values: object) -> str:
    return say(language, f"{GAME}.{key}", **values)


def interface(language: str, key: str, **values: object) -> str:
    return say(language, f"{GAME}.ui.{key}", **values)


@dataclass(frozen=True)
class Board:
    view: dict[str, Any]
    language: str

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        signs = (">", "*") if options.ascii_only else ("▶", "✓")
        yield from self.headline()
        yield self.display(signs[1])
        yield self.players(signs[0])
        yield from self.dice()
        if self.view["outcome"]:
            yield Text(word(self.language, f"reason.{self.view['reason']}"), "bold")
        for line in boards.due(self.view, self.language):
            yield Text(line, "bold")

    def name(self, seat: int) -> str:
        return say(self.language, "cli.seat", seat=seat)

    def headline(self) -> list[Text]:
        view = self.view
        lines = [Text(interface(self.language, "round", round=view["round"]), "bold")]
        if view["round"]:
            lines[0].append(
                " · " + interface(self.language, "started", name=self.name(view["starter"])), "dim"
            )
        if view["final"] != "none":
            lines[0].append(" · " + interface(self.language, "final"), "bold")
        if view["best"]:
            best = {**view["best"], "name": self.name(view["best"]["seat"])}
            lines.append(Text(interface(self.language, "best", **best), "bold"))
        return lines

    def display(self, tick: str) -> Table:
        """Level by level: the name, how many are left, and what it costs."""
        table = Table.grid(padding=(0, 1))
        for width in (3, 34, 34):
            table.add_column(min_width=width, no_wrap=True)
        for level, names in enumerate(LEVELS):
            cells = [self.card(name, tick) for name in names]
            for at in range(0, len(cells), 2):
                sign = ("", "I", "II", "III", "IV", "V")[level] if at == 0 else ""
                table.add_row(Text(sign, "dim"), *cells[at : at + 2])
        return table

    def card(self, name: str, tick: str) -> Text:
        left = self.view["display"][name]
        style = "dim" if not left else "bold" if name in self.view["takeable"] else ""
        paid = tick if name in self.view["paid"] else " "
        cost = PATTERNS.get(name) or interface(self.language, f"cost.{WORDS[name]}")
        return Text(f"{paid}{left} {word(self.language, f'piece.{name}'):<16}{cost}", style)

    def players(self, arrow: str) -> Table:
        """The dice each begins a turn with, and the court."""
        table = Table.grid(padding=(0, 1))
        for seat, cards in enumerate(self.view["characters"]):
            own = Counter(cards)
            dice = 3 + sum(COMPULSORY.get(card, 0) * number for card, number in own.items())
            is_turn = seat in self.view["actors"]
            court = [self.courtier(card, own[card], is_turn) for card in own]
            court += [self.result(seat)] if self.view["results"][seat] else []
            table.add_row(
                Text(
                    f"{arrow if is_turn else ' '} {self.name(seat)}",
                    "bold" if seat == self.view["you"] else "",
                ),
                Text(interface(self.language, "dice", count=dice), "dim"),
                Text(", ".join(court) or interface(self.language, "nobody")),
            )
        return table

    def courtier(self, card: str, number: int, is_turn: bool) -> str:
        name = word(self.language, f"piece.{card}") + (f" x {number}" if number > 1 else "")
        return f"({name})" if is_turn and card in self.view["used"] else name

    def result(self, seat: int) -> str:
        dice = "-".join(map(str, self.view["results"][seat]))
        return f"{word(self.language, 'piece.result')} {dice}"

    def dice(self) -> list[Text]:
        view = self.view
        lines = []
        if view["in_hand"]:
            lines.append(Text(interface(self.language, "in_hand", count=view["in_hand"])))
        for key, style in (("aside", ASIDE), ("active", DIE)):
            if view[key]:
                line = Text(f"{interface(self.language, key) + ':':<18}")
                for face in view[key]:
                    line.append(f" {face} ", style).append(" ")
                lines.append(line)
        if view["active"] or view["aside"]:
            lines[-1].append(" " + interface(self.language, "total", total=view["total"]), "dim")
        return lines


def render(view: dict[str, Any], language: str) -> Board:
    return Board(view, language)


# --- What happened ---


def tell(record: Record, effects: Sequence[Effect], language: str) -> str:
    assert record.seat is not None
    name = say(language, "cli.seat", seat=record.seat)
    rolled = [effect.face for effect in effects if isinstance(effect, DieRolled)]
    match effects[0]:
        case DiceThrown() if rolled:
            return word(language, "action.rolled", name=name, dice=listed(sorted(rolled)))
        case DiceThrown():
            return word(language, "action.roll", name=name)
        case DieSetAside():
            kept = [effect.face for effect in effects if isinstance(effect, DieSetAside)]
            return word(language, "action.keep", name=name, dice=listed(kept))
        case CharacterUsed(character=character):
            return tell_use(name, character, effects, language)
        case CharacterTaken(character=character):
            return word(language, f"action.take_{character}", name=name)
        case NobodyTaken():
            return word(language, "action.take_none", name=name)
    return word(language, "action.pass", name=name)


def tell_use(name: str, character: str, effects: Sequence[Effect], language: str) -> str:
    key = f"action.use_{character}"
    added = [effect.face for effect in effects if isinstance(effect, DieAdded)]
    if added == [None]:
        return word(language, f"{key}_early", name=name)
    rerolled = [effect.face for effect in effects if isinstance(effect, DieRerolled)]
    changes = [effect for effect in effects if isinstance(effect, DieChanged)]
    dice = rerolled + [change.origin for change in changes]
    values: dict[str, object] = {
        "dice": listed(dice),
        "becomes": listed([change.target for change in changes]),
        "face": listed(added or dice[:1]),
        "pips": sum(abs(change.target - change.origin) for change in changes[:1]),
        "source": listed(dice[:1]),
        "target": listed(dice[1:2]),
    }
    return word(language, key, name=name, **values)


def listed(dice: Sequence[object]) -> str:
    return "-".join(map(str, dice))
