"""The probe: a small game with everything the contract must carry. Copy this folder to add a game."""

from typing import TYPE_CHECKING

from regalia.core.game import Game, Option

GAME = Game(
    id="probe",
    rules=1,
    titles={"en": "Probe", "de": "Probe", "nl": "Proef"},
    designer="Regalia",
    published="2026",
    seats=(4,),
    package=__name__,
    options=(Option("target", ("5", "3")),),
    by_hand=("dice", "manual"),
    sides=lambda _seats, _options: ((0, 2), (1, 3)),  # PB-10
)

if TYPE_CHECKING:  # the proof that its modules fit
    from probe import effects, explain, hand, notation, position, rules, state
    from probe.bots import knowledge
    from probe.cli import board
    from probe.state import State
    from regalia.core import contract

    _state: contract.States = state
    _rules: contract.Rules[State] = rules
    _notation: contract.SecretNotation[State] = notation
    _sealed: contract.SealedNotation[State] = notation
    _hand: contract.SecretHand[State] = hand
    _position: contract.Positions[State] = position
    _effects: contract.Effects[State] = effects
    _explain: contract.Explain[State] = explain
    _knowledge: contract.Knowledge[State] = knowledge
    _board: contract.NamingBoard = board
