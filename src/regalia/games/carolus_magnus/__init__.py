"""Carolus Magnus: knights, castles and an emperor on a ring of provinces that grows together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from regalia.core.game import Game, Option, everyone_alone

PARTNERS = ("02-13", "01-23", "03-12")


def sides(seats: int, options: Mapping[str, str]) -> tuple[tuple[int, ...], ...]:
    """CM-8: four play in pairs, as the option writes them."""
    if seats != 4:
        return everyone_alone(seats, options)
    pairs = options.get("partners", PARTNERS[0]).split("-")
    return tuple(tuple(int(seat) for seat in pair) for pair in pairs)


def partners_may_talk(options: Mapping[str, str]) -> bool:
    """CM-9: a matter of the table."""
    return options.get("confer") == "true"


GAME = Game(
    id="carolus_magnus",
    rules=1,
    titles={"en": "Carolus Magnus", "de": "Carolus Magnus", "nl": "Carolus Magnus"},
    designer="Leo Colovini",
    published="Winning Moves 2000",
    seats=(2, 3, 4),
    package=__name__,
    options=(
        Option("partners", PARTNERS, seats=(4,)),
        Option("confer", ("false", "true"), seats=(4,)),
    ),
    minutes=45,
    shelf=2,
    by_hand=("dice", "manual"),
    sides=sides,
    partners_may_talk=partners_may_talk,
)

if TYPE_CHECKING:  # the proof that its modules fit
    from regalia.core import contract
    from regalia.games.carolus_magnus import effects, encode, explain, hand, notation, position, rules, state
    from regalia.games.carolus_magnus.bots import knowledge
    from regalia.games.carolus_magnus.cli import board
    from regalia.games.carolus_magnus.state import State

    _state: contract.States = state
    _rules: contract.Rules[State] = rules
    _notation: contract.Notation[State] = notation
    _hand: contract.Hand[State] = hand
    _position: contract.Positions[State] = position
    _effects: contract.Effects[State] = effects
    _explain: contract.Explain[State] = explain
    _encode: contract.Encode[State] = encode
    _knowledge: contract.Knowledge[State] = knowledge
    _board: contract.NamingBoard = board
    _telling: contract.TellingBoard = board
