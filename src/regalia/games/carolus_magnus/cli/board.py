"""Carolus Magnus in the terminal: the ring in two rows, the players, and what each move would do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from rich.box import ROUNDED, SIMPLE
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from regalia.core.effects import Effect
from regalia.core.transcript import Record
from regalia.games.carolus_magnus.components import COLOURS
from regalia.games.carolus_magnus.effects import (
    CastlesBuilt,
    ControlGained,
    CourtsReduced,
    DieRolled,
    DiscLaid,
    EmperorMoved,
    KnightPlaced,
    KnightTaken,
    KnightToCourt,
    PlacesMerged,
    StartDrawn,
)
from regalia.locale import say

STYLES = {"red": "red", "purple": "magenta", "blue": "bright_blue", "yellow": "yellow", "green": "green"}
CASTLES = {"black": "▲", "white": "△", "grey": "◭"}  # told apart without colour
EMPEROR = "♔"


def render(view: dict[str, Any], language: str) -> RenderableType:
    parts: list[RenderableType] = [headline(view, language), draw_ring(view), legend(view, language)]
    parts.append(players(view, language))
    if view["previews"]:
        parts.append(previews(view, language))
    return Group(*parts)


def word(language: str, key: str, **values: object) -> str:
    return say(language, f"carolus_magnus.{key}", **values)


def headline(view: dict[str, Any], language: str) -> Text:
    """The round, and what is due of whom."""
    line = Text(
        word(language, "board.round", round=view["round"]) if view["round"] else word(language, "board.setup")
    )
    if view["outcome"]:
        return line.append(" · " + word(language, f"reason.{view['reason']}"), "bold")
    for seat in view["actors"]:
        if seat < view["seats"]:
            key, style = f"phase.{view['phase']}.waiting", ""
            if seat == view["you"]:
                key, style = f"phase.{view['phase']}", "bold"
            line.append(" · " + word(language, key, name=word(language, "board.seat", seat=seat)), style)
    count = view["due"] or view["crowns"]
    return line.append(f" ({word(language, 'board.due', count=count)})") if count > 1 else line


def draw_ring(view: dict[str, Any]) -> Table:
    """Clockwise: the upper row from left to right, the lower one from right to left."""
    ring = view["ring"]
    wide = (len(ring) + 1) // 2
    cells = [
        cell(place, view["emperor"], strengths)
        for place, strengths in zip(ring, view["strengths"], strict=True)
    ]
    lower = cells[wide:][::-1]
    table = Table(box=ROUNDED, show_header=False, show_lines=True, padding=(0, 1))
    for _ in range(wide):
        table.add_column(justify="center", min_width=6)
    table.add_row(*cells[:wide])
    table.add_row(*[Text()] * (wide - len(lower)), *lower)
    return table


def cell(place: dict[str, Any], emperor: int | None, strengths: dict[str, int]) -> Text:
    provinces = place["provinces"]
    text = Text(f"{place['place']}", "bold")
    if len(provinces) > 1:
        text.append(f" ({provinces[0]}-{provinces[-1]})", "dim")
    text.append(f" {EMPEROR}\n" if place["place"] == emperor else "\n", "bold yellow")
    text.append_text(knights(place["knights"])).append("\n")
    text.append(CASTLES[place["owner"]] * place["castles"] + "\n" if place["owner"] else "·\n")
    return text.append(":".join(map(str, strengths.values())), "dim")


def knights(counts: dict[str, int], controlled: tuple[str, ...] = ()) -> Text:
    """`2r* 1g`, in their colours; a star marks control, which outlasts the knights themselves."""
    parts = [
        Text(f"{count}{colour[0]}" + "*" * (colour in controlled), STYLES[colour])
        for colour, count in counts.items()
        if count or colour in controlled
    ]
    return Text(" ").join(parts) if parts else Text("-", "dim")


def legend(view: dict[str, Any], language: str) -> Text:
    """The order of the ring, the signs, and the supply."""
    signs = [f"{EMPEROR} {word(language, 'piece.emperor')}"]
    signs += [f"{CASTLES[side['side']]} {word(language, 'piece.' + side['side'])}" for side in view["sides"]]
    sides = ":".join(word(language, f"piece.{side['side']}") for side in view["sides"])
    signs += [f"{word(language, 'piece.strength')} {sides}", f"* {word(language, 'board.controls')}"]
    line = Text(word(language, "board.clockwise") + " · " + " · ".join(signs) + "\n", "dim")
    line.append(word(language, "piece.supply") + " ")
    for colour, count in view["supply"].items():
        name = word(language, f"piece.{colour}")
        named = colour if name.casefold() == colour else f"{colour} ({name})"
        line.append(f"{count} {named}  ", STYLES[colour])
    return line


def players(view: dict[str, Any], language: str) -> Table:
    """In the order in which they lay discs or act; an arrow marks who is in turn."""
    table = Table(box=SIMPLE, padding=(0, 1))
    for key in ("board.order", "piece.side", "board.stock", "board.discs"):
        table.add_column(word(language, key), no_wrap=True)
    for key in ("piece.court", "piece.reserve"):
        table.add_column(word(language, key))
    for seat in view["order"]:
        player = view["players"][seat]
        side = next(side for side in view["sides"] if seat in side["seats"])
        arrow = "▶ " if seat in view["actors"] else "  "
        left = [str(disc) for disc in range(1, 6) if disc not in player["used"]]
        controlled = tuple(colour for colour, controller in view["control"].items() if controller == seat)
        table.add_row(
            Text(arrow + word(language, "board.seat", seat=seat), "bold" if seat == view["you"] else ""),
            f"{CASTLES[side['side']]} {word(language, 'piece.' + side['side'])}",
            str(side["stock"]),
            f"{player['disc'] or '-'} ({' '.join(left) or '-'})",
            knights(player["court"], controlled),
            knights(player["reserve"]),
        )
    return table


def previews(view: dict[str, Any], language: str) -> Table:
    table = Table(box=SIMPLE, padding=(0, 1), show_header=False)
    for move in view["previews"]:
        table.add_row(
            move["action"],
            f"{word(language, 'piece.place')} {move['place']}",
            ":".join(map(str, move["strengths"].values())),
            effect(move, language),
        )
    return table


def effect(move: dict[str, Any], language: str) -> str:
    if move["takes"] is None:
        return word(language, "board.nothing")
    side = word(language, f"piece.{move['takes']}")
    key = "board.takes" if move["loses"] else "board.builds"
    parts = [word(language, key, side=side, count=move["castles"])]
    if move["merges"]:
        parts.append(word(language, "board.joins", places=", ".join(map(str, move["merges"]))))
    if move["ends"]:
        parts.append(word(language, "board.ends"))
    return ", ".join(parts)


# --- What happened ---


def tell(record: Record, effects: Sequence[Effect], language: str) -> str:
    sentences = [sentence for effect in effects for sentence in tell_effect(effect, effects, language)]
    sentences += tell_dice(record, effects, language)
    for effect in effects:
        if isinstance(effect, StartDrawn):
            sentences.append(word(language, "ui.begins", name=name_of(effect.seat, language)))
    return " ".join([*sentences, *tell_courts(effects, language)])


def tell_effect(effect: Effect, effects: Sequence[Effect], language: str) -> list[str]:
    """What one effect says by itself. Dice and courts given back are told once for the whole record."""

    def act(key: str, seat: int, **values: object) -> str:
        return word(language, f"action.{key}", name=name_of(seat, language), **values)

    match effect:
        case DiscLaid(seat=seat, disc=disc):
            return [act("disc", seat, number=disc)]
        case KnightPlaced(seat=seat, family=family, provinces=provinces):
            return [
                act("place", seat, knight=a_knight(family, language), place=place_name(provinces, language))
            ]
        case KnightToCourt(seat=seat, family=family):
            return [act("court", seat, knight=a_knight(family, language))]
        case ControlGained(seat=seat, family=family):
            return [act("control", seat, colour=word(language, f"piece.{family}"))]
        case KnightTaken(seat=seat, family=family):
            return [act("take", seat, knight=a_knight(family, language))]
        case EmperorMoved(seat=seat, steps=steps, provinces=provinces, strengths=strengths):
            is_taken = any(isinstance(other, CastlesBuilt) for other in effects)
            return [
                act("move", seat, steps=steps, place=place_name(provinces, language)),
                word(
                    language,
                    "ui.counted" if is_taken else "ui.unchanged",
                    strengths=ranked(strengths, language),
                ),
            ]
        case CastlesBuilt(side=side, count=count, provinces=provinces, replaced=replaced):
            key = "action.replace" if replaced else "action.build"
            side_name = word(language, f"piece.{side}")
            place = place_name(provinces, language)
            return [word(language, key, side=side_name, place=place, count=count)]
        case PlacesMerged(provinces=provinces):
            return [word(language, "action.merge", provinces=span(provinces))]
    return []


def tell_dice(record: Record, effects: Sequence[Effect], language: str) -> list[str]:
    """The dice of a record. After a crown in the set-up they are the next player's."""
    dice = ", ".join(
        word(language, f"piece.{effect.face}") for effect in effects if isinstance(effect, DieRolled)
    )
    if not dice or record.seat is None:
        return []
    if any(isinstance(effect, EmperorMoved) for effect in effects):
        return [word(language, "action.rolled", name=name_of(record.seat, language), dice=dice)]
    return [word(language, "ui.dice_fell", dice=dice)]


def tell_courts(effects: Sequence[Effect], language: str) -> list[str]:
    """Knights put back from every court because the supply had run out."""
    reduced: Counter[str] = Counter()
    for effect in effects:
        if isinstance(effect, CourtsReduced):
            reduced[effect.family] += effect.count
    return [
        word(language, "action.refill", colour=word(language, f"piece.{family}"), count=reduced[family])
        for family in COLOURS
        if reduced[family]
    ]


def name_of(seat: int, language: str) -> str:
    return say(language, "cli.seat", seat=seat)


def a_knight(family: str, language: str) -> str:
    return word(language, f"piece.a_knight_{family}")


def place_name(provinces: Sequence[int], language: str) -> str:
    if len(provinces) > 1:
        return word(language, "piece.region", provinces=span(provinces))
    return word(language, "piece.province", number=provinces[0])


def span(provinces: Sequence[int]) -> str:
    return f"{provinces[0]}–{provinces[-1]}" if len(provinces) > 1 else str(provinces[0])


def ranked(strengths: dict[Any, int], language: str) -> str:
    """The sides by strength, the strongest first."""
    sides = sorted(strengths, key=lambda side: -strengths[side])
    return ", ".join(f"{word(language, f'piece.{side}')} {strengths[side]}" for side in sides)
