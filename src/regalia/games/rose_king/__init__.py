"""The Rose King (Rosenkönig): two houses lay roses around one crown."""

from typing import TYPE_CHECKING

from regalia.core.game import Game

GAME = Game(
    id="rose_king",
    rules=1,
    titles={"en": "The Rose King", "de": "Rosenkönig", "nl": "Rozenkoning"},
    designer="Dirk Henn",
    published="Kosmos 1999",
    seats=(2,),
    package=__name__,
    minutes=45,
    shelf=1,
    by_hand=("manual",),
)

if TYPE_CHECKING:  # the proof that its modules fit
    from regalia.core import contract
    from regalia.games.rose_king import effects, encode, explain, hand, notation, position, rules, state
    from regalia.games.rose_king.bots import knowledge
    from regalia.games.rose_king.cli import board
    from regalia.games.rose_king.state import State

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
