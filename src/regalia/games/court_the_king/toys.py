"""A toy of To Court the King: the last round before the final one (CK-78), with one character to gain."""

from __future__ import annotations

from regalia.core.toys import Toy
from regalia.games.court_the_king.components import LAST_ROUND, Character
from regalia.games.court_the_king.state import State
from regalia.games.court_the_king.turn import begin_turn

LEFT = (Character.FARMER, Character.QUEEN, Character.KING)


def court(state: State) -> None:
    """Two seats without characters; nobody has the dice to win the King."""
    state.rounds = LAST_ROUND
    for character in LEFT:
        state.display[character] = 1
    begin_turn(state)


TOYS = {"court": Toy(2, court, 0.6235180448117497)}
