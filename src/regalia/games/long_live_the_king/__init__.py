"""Long Live the King (Lang lebe der König!): nobles win areas with courtiers, sealed stakes and votes."""

from typing import TYPE_CHECKING

from regalia.core.game import Game, Option

GAME = Game(
    id="long_live_the_king",
    rules=1,
    titles={"en": "Long Live the King", "de": "Lang lebe der König!", "nl": "Lang leve de koning!"},
    designer="Günter Burkhardt",
    published="FX Schmid 1997",
    seats=(3, 4, 5),
    package=__name__,
    options=(Option("dice_by_hand", ("false", "true")),),
    shelf=4,
    by_hand=("dice", "manual"),
)

if TYPE_CHECKING:  # the proof that its modules fit
    from regalia.core import contract
    from regalia.games.long_live_the_king import (
        effects,
        encode,
        explain,
        hand,
        notation,
        position,
        rules,
        state,
    )
    from regalia.games.long_live_the_king.bots import knowledge
    from regalia.games.long_live_the_king.cli import board
    from regalia.games.long_live_the_king.state import State

    _state: contract.States = state
    _rules: contract.Rules[State] = rules
    _notation: contract.SecretNotation[State] = notation
    _sealed: contract.SealedNotation[State] = notation
    _hand: contract.SecretHand[State] = hand
    _position: contract.Positions[State] = position
    _effects: contract.Effects[State] = effects
    _explain: contract.Explain[State] = explain
    _encode: contract.Encode[State] = encode
    _knowledge: contract.Knowledge[State] = knowledge
    _board: contract.NamingBoard = board
    _telling: contract.TellingBoard = board
