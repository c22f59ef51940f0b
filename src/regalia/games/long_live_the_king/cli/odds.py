"""`regalia odds long_live_the_king`: who wins a dispute, and what to stake."""

from __future__ import annotations

import json
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from regalia.cli.arguments import AsJson, Language
from regalia.cli.language import HELP, language_of
from regalia.core.errors import SetupError
from regalia.games.long_live_the_king.odds import additions_of, choice_odds, expected_odds
from regalia.locale import say

ROLES = ("intruder", "defender", "third_party", "third_party", "third_party")
CHOICE, NO_CARDS = "?", "-"


def words(key: str) -> str:
    return say(HELP, f"long_live_the_king.odds.help.{key}")


def command(
    stakes: Annotated[list[str], typer.Argument(metavar="STAKE", help=words("stakes"))],
    courtiers: Annotated[int, typer.Option(help=words("courtiers"))] = 1,
    noble: Annotated[bool, typer.Option("--noble", help=words("noble"))] = False,
    hand: Annotated[str | None, typer.Option(metavar="CARDS", help=words("hand"))] = None,
    as_json: AsJson = False,
    language: Language = None,
) -> None:
    """The exact odds of a dispute in Long Live the King, ties rolled again.

    Example: regalia odds long_live_the_king 'x1 x2 x3' 'x1 x1' 'x2' --courtiers 2 --noble

    Example: regalia odds long_live_the_king '?' '2: x1 x1 | 1: x3' 'x1' --hand 'x1 x1 x2 x3'
    """
    language = language_of(language)
    additions = additions_of(len(stakes), courtiers, noble)
    choosing = [player for player, stake in enumerate(stakes) if stake.strip() == CHOICE]
    if len(choosing) > 1 or bool(choosing) != (hand is not None):
        raise SetupError("long_live_the_king.odds.choice")
    beliefs = [read_stakes(stake) for stake in stakes]
    if hand is not None:
        show_choices(
            choice_odds(hand, choosing[0], beliefs, additions), ROLES[choosing[0]], as_json, language
        )
        return
    rows = [
        {"role": role, "stake": stake, "adds": added, "wins": odds}
        for role, stake, added, odds in zip(
            ROLES, stakes, additions, expected_odds(beliefs, additions), strict=False
        )
    ]
    if as_json:
        typer.echo(json.dumps({"players": rows}))
        return
    table = heading(language, "player", "stake", "adds", "wins")
    for row in rows:
        role = say(language, f"long_live_the_king.piece.{row['role']}")
        table.add_row(role, str(row["stake"]), str(row["adds"]), f"{row['wins']:.2%}")
    Console().print(table)


def show_choices(odds: dict[str, float], role: str, as_json: bool, language: str) -> None:
    if as_json:
        found = [{"stake": stake, "wins": chance} for stake, chance in odds.items()]
        typer.echo(json.dumps({"role": role, "choices": found}))
        return
    table = heading(language, "stake", "wins")
    for stake, chance in odds.items():
        table.add_row(stake, f"{chance:.2%}")
    Console().print(table)


def heading(language: str, *columns: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0))
    for column in columns:
        is_number = column in ("adds", "wins")
        table.add_column(
            say(language, f"long_live_the_king.odds.{column}"), justify="right" if is_number else "left"
        )
    return table


def read_stakes(text: str) -> dict[str, float]:
    """`x1 x2`, or several with weights: `2: x1 x1 | 1: x3`."""
    belief: dict[str, float] = {}
    for part in text.split("|"):
        weight, colon, cards = part.rpartition(":")
        try:
            likely = float(weight) if colon else 1.0
        except ValueError:
            raise SetupError("long_live_the_king.odds.belief") from None
        cards = cards.strip()
        stake = "" if cards in (NO_CARDS, CHOICE) else cards
        if not stake and cards not in (NO_CARDS, CHOICE):
            raise SetupError("long_live_the_king.odds.cards", cards=repr(part[:40]), most=5)
        belief[stake] = belief.get(stake, 0.0) + likely
    return belief
