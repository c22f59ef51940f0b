"""Long Live the King in the terminal: the map as a grid, the players, a dispute, and your hand."""

from __future__ import annotations

from typing import Any

from rich.box import ROUNDED, SIMPLE
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from regalia.cli import boards
from regalia.core.transcript import Record
from regalia.games.long_live_the_king.components import CARD_NAMES, ROWS
from regalia.locale import say

SIGNS = "✚☽♣◆○"  # one per seat, told apart without colour
STYLES = ("red", "bright_blue", "green", "yellow", "magenta")
NOBLE = "♔"
COURTIER, ROOM = "●", "·"
# Where the areas are, as far as three columns can tell.
GRID = [
    ["", "Sedberouie", ""],
    ["Man", "Loncastre", "Tateshale"],
    ["Wigemor", "Stadford", "Lincolia"],
    ["Lideforde", "Oxeneford", "Grentebrige"],
    ["Sarisberie", "Lundonia", "Rouecestre"],
]
NEIGHBOURS = {row[0]: row[2:] for row in ROWS}
VOTES = {row[0]: int(row[1]) for row in ROWS}


def word(language: str, key: str, **values: object) -> str:
    return say(language, f"long_live_the_king.{key}", **values)


def name_of(seat: int, language: str) -> str:
    return f"{SIGNS[seat]} {say(language, 'cli.seat', seat=seat)}"


def render(view: dict[str, Any], language: str) -> RenderableType:
    parts: list[RenderableType] = [draw_map(view, language), players(view, language)]
    if view["dispute"]:
        parts.append(dispute(view, language))
    parts.append(Text(word(language, "board.election", count=view["elections"], needed=view["needed_votes"])))
    pile = word(language, "board.pile", cards=cards(view["discards"], language), count=view["face_down"])
    parts.append(Text(pile))
    if any(view["pool"].values()):
        parts.append(Text(word(language, "board.pool", cards=cards(view["pool"], language))))
    if view["outcome"]:
        parts.append(Text(word(language, f"reason.{view['reason']}"), "bold"))
    if view["you"] is not None:
        parts += own(view, language)
    return Group(*parts, *(Text(line, "bold") for line in boards.due(view, language)))


# --- The map ---


def draw_map(view: dict[str, Any], language: str) -> Table:
    grid = Table(box=ROUNDED, show_header=False, show_lines=True, padding=(0, 1))
    for row in GRID:
        grid.add_row(*(draw_area(view, area, language) for area in row))
    return grid


def draw_area(view: dict[str, Any], area: str, language: str) -> Text:
    """Name and votes, the pieces there, and the first letters of the neighbours (~ by sea)."""
    if not area:
        return Text()
    votes = VOTES[area]
    text = Text(f"{area} {votes}\n", "bold")
    piece = view["areas"].get(area)
    if area == "Man" and view["seats"] == 3:
        text.append(word(language, "board.out"), "dim not bold")
    elif piece:
        courtiers = COURTIER * piece["courtiers"] + ROOM * (votes - piece["courtiers"])
        text.append(f"{SIGNS[piece['seat']]} {courtiers}", STYLES[piece["seat"]])
    for seat, place in enumerate(view["nobles"]):
        if place == area:
            text.append(f" {NOBLE}{SIGNS[seat]}", STYLES[seat])
    near = [name[:3] + "~" * name.endswith("~") for name in NEIGHBOURS[area]]
    return text.append("\n" + " ".join(near), "dim not bold")


# --- The players ---


def cards(counts: dict[str, int], language: str) -> str:
    """`12 x1, 7 x2`, without what there is none of."""
    return ", ".join(f"{counts[card]} {card}" for card in CARD_NAMES if counts[card]) or word(
        language, "board.none"
    )


def players(view: dict[str, Any], language: str) -> Table:
    table = Table(box=SIMPLE, padding=(0, 1))
    table.add_column("")
    for key in ("board.in_hand", "board.known"):
        table.add_column(word(language, key))
    for key in ("supply", "area_votes", "bonus_votes", "total_votes"):
        table.add_column(word(language, f"piece.{key}"), justify="right")
    for seat in range(view["seats"]):
        name = Text(name_of(seat, language), STYLES[seat])
        if seat == view["turn"]:
            name.append(" ◂")
        numbers = (view[key][seat] for key in ("supply", "area_votes", "bonus", "total_votes"))
        table.add_row(
            name, str(view["cards"][seat]), cards(view["known"][seat], language), *map(str, numbers)
        )
    return table


def dispute(view: dict[str, Any], language: str) -> Table:
    now = view["dispute"]
    title = word(
        language,
        "board.dispute",
        area=now["area"],
        intruder=name_of(view["turn"], language),
        defender=name_of(now["defender"], language),
    )
    table = Table(box=SIMPLE, title=title, title_justify="left", padding=(0, 1))
    table.add_column("")
    for key in ("odds.adds", "piece.stake", "piece.dice", "board.total"):
        table.add_column(word(language, key))
    for seat in range(view["seats"]):
        name = Text(name_of(seat, language), STYLES[seat])
        if seat == now["winner"]:
            name.append(" ★")
        dice = " ".join(map(str, now["dice"][seat]))
        table.add_row(
            name, str(view["additions"][seat]), stake_of(view, seat, language), dice, str(now["totals"][seat])
        )
    return table


def stake_of(view: dict[str, Any], seat: int, language: str) -> str:
    """What lies there, or whether something does."""
    if view["phase"] != "stakes":
        return " ".join(view["dispute"]["stakes"][seat])
    if seat in view["actors"]:
        return word(language, "piece.choosing")
    return word(language, "piece.sealed") if seat in view["chosen"] else ""


def own(view: dict[str, Any], language: str) -> list[RenderableType]:
    """What only this seat may see."""
    lines = [word(language, "board.hand", cards=cards(view["hands"][view["you"]], language))]
    sealed = view["sealed"][view["you"]]
    if sealed:
        lines.append(word(language, "board.sealed", cards=" ".join(sealed)))
    return [Text(line) for line in lines]


# --- What happened ---


def tell(record: Record, view: dict[str, Any], language: str) -> str:
    assert record.seat is not None
    verb, *rest = record.action.split()
    values: dict[str, object] = {"name": name_of(record.seat, language), "area": view["placing"]}
    if verb in ("move", "banish"):
        values["area"] = rest[0]
    if verb == "banish":
        values["other"] = name_of(view["areas"][rest[0]]["seat"], language)
    if verb in ("move", "roll") and rest[-1] in CARD_NAMES:
        values["card"] = rest[-1]
        verb = "move_roll" if verb == "move" else "roll"
    if verb == "reclaim":
        values["count"] = rest[0]
        verb = "reclaim" if rest[0] != "0" else "reclaim_none"
    values["cards"] = values["dice"] = " ".join(rest)
    sentence = word(language, f"action.{verb}", **values)
    if "card" in values and record.outcomes:
        has_worked = int(record.outcomes[0]) * int(str(values["card"])[1]) >= 3
        values["die"] = record.outcomes[0]
        sentence += " " + word(language, "action.success" if has_worked else "action.failure", **values)
    return sentence
