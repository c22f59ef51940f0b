"""regalia odds court_the_king: the odds of a turn as a table."""

from __future__ import annotations

import json
import re
from typing import Annotated, Any

import numpy as np
import typer
from rich.console import Console
from rich.table import Table

from regalia.core.arrays import States
from regalia.games.court_the_king import GAME
from regalia.games.court_the_king.components import (
    ADDS,
    COMPULSORY,
    COPIES,
    DICE,
    FACES,
    NAMES,
    OWN_DICE,
    POWER_OF,
    POWERED,
    Character,
)
from regalia.games.court_the_king.odds import LIMIT, turn_odds
from regalia.games.court_the_king.state import Phase
from regalia.locale import LANGUAGES, say

SEATS = 5  # as many of each card as there are
ACTIONS_SHOWN = 12


def command(
    own: Annotated[str, typer.Option(help="Characters you own, e.g. farmer,fool,charlatan*2.")] = "",
    used: Annotated[str, typer.Option(help="Those of them already used in this turn.")] = "",
    aside: Annotated[str, typer.Option(help='Dice set aside, e.g. "2 2".')] = "",
    active: Annotated[
        str, typer.Option(help='Active dice, e.g. "3 4 6". Without dice: the start of the turn.')
    ] = "",
    free: Annotated[bool, typer.Option("--free", help="A die was set aside since the last roll.")] = False,
    target: Annotated[str, typer.Option(help="Also the odds of each action for this character.")] = "",
    limit: Annotated[
        int, typer.Option(min=1, help="How much to work out before odds are only a lower bound.")
    ] = LIMIT,
    as_json: Annotated[
        bool, typer.Option("--json", help="Machine output, and nothing else on stdout.")
    ] = False,
    lang: Annotated[str, typer.Option(help="Language of the names: en, de or nl.")] = "en",
) -> None:
    """The odds of meeting each cost in this turn with best play, and the best action for a target.

    Example: regalia odds court_the_king --own farmer,fool,maid --active "2 5 5 6" --target guard
    """
    if lang not in LANGUAGES:
        raise typer.BadParameter(f"{lang} ({', '.join(LANGUAGES)})", param_hint="--lang")
    cards = cards_in(own, "--own"), cards_in(used, "--used")
    states = arrange(*cards, dice_in(aside, "--aside"), dice_in(active, "--active"), free)
    if target and (target not in NAMES or target == "queen"):
        raise typer.BadParameter(target, param_hint="--target")
    result = turn_odds(states, target or None, limit)
    if as_json:
        print(json.dumps(result))
    else:
        show(result, lang)


def cards_in(text: str, option: str) -> list[str]:
    """farmer,charlatan*2"""
    cards = []
    for word in re.split(r"[,\s]+", text.strip().casefold()):
        name, _, number = word.partition("*")
        if word and (name not in NAMES or not re.fullmatch(r"[1-5]?", number)):
            raise typer.BadParameter(word, param_hint=option)
        cards += [name] * int(number or 1) if word else []
    return cards


def dice_in(text: str, option: str) -> list[int]:
    faces = re.split(r"[,\s]+", text.strip()) if text.strip() else []
    if not all(re.fullmatch("[1-6]", face) for face in faces):
        raise typer.BadParameter(text, param_hint=option)
    return [int(face) for face in faces]


def arrange(own: list[str], used: list[str], aside: list[int], active: list[int], free: bool) -> States:
    """The record of such a turn. Only what odds depend on is set."""
    states = GAME.engine.start(SEATS, {})
    state = states[0]
    for name in own:
        state.owned[0, NAMES.index(name)] += 1
    most = np.maximum(COPIES[SEATS] > 0, 1)
    most[Character.CHARLATAN] = COPIES[SEATS, Character.FOOL] - state.owned[0, Character.FOOL]
    for character in np.flatnonzero(state.owned[0] > most):
        raise typer.BadParameter(f"{state.owned[0, character]} x {NAMES[character]}", param_hint="--own")
    state.display[:] = np.maximum(COPIES[SEATS].astype(int) - state.owned[0], 0)
    for power, powered in enumerate(POWERED):
        state.ready[power] = state.owned[0, powered]
    for name in used:
        spent = [power for power, powered in enumerate(POWERED) if NAMES[powered] == name]
        if not spent or not state.ready[spent[0]]:
            raise typer.BadParameter(f"{name} (CK-25)", param_hint="--used")
        state.ready[spent[0]] = 0
    added = sum(bool(ADDS[POWER_OF[Character(NAMES.index(name))]]) for name in used)
    dice = OWN_DICE + int((state.owned[0] * COMPULSORY).sum()) + added
    check_dice(len(aside) + len(active), dice)
    state.rounds = 1
    state.in_hand = 0 if aside or active else dice
    for face in range(1, FACES + 1):
        state.active[face - 1], state.aside[face - 1] = active.count(face), aside.count(face)
    state.duty = bool(active) and not free
    state.phase = Phase.TURN if active or state.in_hand else Phase.TAKE
    return states


def check_dice(given: int, dice: int) -> None:
    """CK-20: all dice of the turn, or none of them yet."""
    if dice > DICE:
        raise typer.BadParameter(f"{dice} > {DICE} (CK-3)", param_hint="--own")
    if given not in (0, dice):
        raise typer.BadParameter(f"{given}, not {dice} (CK-20)", param_hint="--aside, --active")


def show(result: dict[str, Any], language: str) -> None:
    console = Console()
    table = Table(box=None)
    table.add_column(say(language, "court_the_king.odds.character"))
    table.add_column(say(language, "court_the_king.odds.odds"), justify="right")
    table.add_column(say(language, "court_the_king.odds.cost"))
    for row in result["targets"]:
        name, cost = (say(language, f"court_the_king.{part}.{row['target']}") for part in ("piece", "cost"))
        table.add_row(name, percent(row["odds"], row["exact"]), cost)
    console.print(table)
    if not all(row["exact"] for row in result["targets"]):
        console.print(say(language, "court_the_king.odds.bound"))
    if "actions" in result:
        piece = say(language, f"court_the_king.piece.{result['target']}")
        console.print("\n" + say(language, "court_the_king.odds.actions", name=piece))
        for row in result["actions"][:ACTIONS_SHOWN]:
            console.print(f"  {percent(row['odds'], True):>9}  {row['action']}", highlight=False)


def percent(odds: float, exact: bool) -> str:
    return ("" if exact else "≥ ") + f"{100 * odds:.2f} %"
