"""Long Live the King in the terminal: the map as a grid, the players, a dispute, and your hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.box import ROUNDED, SIMPLE
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from regalia.cli import boards
from regalia.core.effects import Effect
from regalia.core.transcript import Record
from regalia.games.long_live_the_king.components import CARD_NAMES, ROWS
from regalia.games.long_live_the_king.effects import (
    BonusGained,
    CardsReclaimed,
    CourtierPlaced,
    DealBegun,
    DiceRolled,
    DiePut,
    DisputeOpened,
    DisputeTied,
    DisputeWon,
    ElectionHeld,
    FavourPaid,
    FavourRolled,
    KingElected,
    NobleBanished,
    NobleMoved,
    NobleReturned,
    StakeSealed,
    StakesRevealed,
    Stopped,
    TieRolled,
    Votes,
)
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


def tell(record: Record, effects: Sequence[Effect], language: str) -> str:
    sentences = [tell_put(effects, language)]
    for effect in effects:
        sentences += tell_turn(effect, language)
        sentences += tell_dispute(effect, language)
        sentences += tell_election(effect, language)
    return " ".join(filter(None, sentences))


def act(language: str, key: str, seat: int, **values: object) -> str:
    """A sentence about a seat."""
    return word(language, f"action.{key}", name=name_of(seat, language), **values)


def tell_turn(effect: Effect, language: str) -> list[str]:
    match effect:
        case NobleMoved(seat=seat, target=area, is_free=True):
            return [act(language, "move", seat, area=area)]
        case CourtierPlaced(seat=seat, area=area, is_free=True):
            return [act(language, "place", seat, area=area)]
        case FavourPaid(seat=seat, card=card, area=area, is_move=is_move):
            return [act(language, "move_roll" if is_move else "roll", seat, card=card, area=area)]
        case FavourRolled(seat=seat, card=card, die=die, succeeded=succeeded):
            return [act(language, "success" if succeeded else "failure", seat, card=card, die=die)]
        case Stopped(seat=seat):
            return [act(language, "end", seat)]
    return []


def tell_dispute(effect: Effect, language: str) -> list[str]:
    match effect:
        case DisputeOpened(seat=seat, defender=defender, area=area):
            return [act(language, "dispute", seat, area=area, other=name_of(defender, language))]
        case StakeSealed(seat=seat, cards=list() as cards):
            return [act(language, "stake", seat, cards=" ".join(cards))]
        case StakesRevealed(stakes=stakes):
            return [act(language, "stake_none", stake.seat) for stake in stakes if not stake.cards]
        case DiceRolled(seat=seat, pairs=[_, *_] as pairs, total=total):
            dice = " ".join(str(pair.die) for pair in pairs)
            return [act(language, "rolled", seat, dice=dice, total=total)]
        case DisputeTied(seats=seats, total=total):
            names = ", ".join(name_of(seat, language) for seat in seats)
            return [word(language, "action.tie", total=total, names=names)]
        case DisputeWon(seat=seat, area=area, total=total):
            return [act(language, "win", seat, area=area, total=total)]
        case NobleBanished(seat=seat, owner=owner, target=area):
            return [act(language, "banish", seat, other=name_of(owner, language), area=area)]
        case NobleReturned(seat=seat, target=area):
            return [act(language, "return", seat, area=area)]
        case CardsReclaimed(seat=seat, cards=cards):
            return [act(language, "reclaim" if cards else "reclaim_none", seat, count=len(cards))]
    return []


def tell_put(effects: Sequence[Effect], language: str) -> str:
    """Dice that were put on cards, all of them in one sentence."""
    put = [effect for effect in effects if isinstance(effect, DiePut)]
    if not put:
        return ""
    return act(language, "dice", put[0].seat, dice=" ".join(f"{each.die}>{each.card}" for each in put))


def tell_election(effect: Effect, language: str) -> list[str]:
    match effect:
        case ElectionHeld(votes=votes):
            return [word(language, "action.election"), *(tell_votes(each, language) for each in votes)]
        case TieRolled(seat=seat, sum=total):
            return [word(language, "ui.tie_dice", name=name_of(seat, language), sums=total)]
        case KingElected(seat=seat):
            return [act(language, "elected", seat)]
        case BonusGained(seat=seat, votes=count):
            return [act(language, "bonus", seat, count=count)]
        case DealBegun(cards=count):
            return [word(language, "action.dealt", count=count)]
    return []


def tell_votes(votes: Votes, language: str) -> str:
    said = act(
        language, "votes", votes.seat, area_votes=votes.area, bonus_votes=votes.bonus, total=votes.total
    )
    return f"{said} {word(language, 'ui.lost_votes', count=votes.lost)}" if votes.lost else said
