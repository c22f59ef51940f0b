"""To Court the King (Um Krone und Kragen): dice win over courtiers, and courtiers help the dice."""

from typing import TYPE_CHECKING

from regalia.core.game import Game

GAME = Game(
    id="court_the_king",
    rules=1,
    titles={"en": "To Court the King", "de": "Um Krone und Kragen", "nl": "Um Krone und Kragen"},
    designer="Tom Lehmann",
    published="Amigo 2006",
    seats=(2, 3, 4, 5),
    package=__name__,
    minutes=60,
    shelf=3,
    by_hand=("dice",),
)

if TYPE_CHECKING:  # the proof that its modules fit
    from regalia.core import contract
    from regalia.games.court_the_king import effects, encode, explain, hand, notation, position, rules, state
    from regalia.games.court_the_king.bots import knowledge
    from regalia.games.court_the_king.cli import board
    from regalia.games.court_the_king.state import State

    _state: contract.States = state
    _rules: contract.Rules[State] = rules
    _notation: contract.Notation[State] = notation
    _hand: contract.Hand[State] = hand
    _position: contract.Positions[State] = position
    _effects: contract.Effects[State] = effects
    _explain: contract.Explain[State] = explain
    _encode: contract.Encode[State] = encode
    _knowledge: contract.Knowledge[State] = knowledge
    _board: contract.TellingBoard = board
