"""The last turn of To Court the King, solved: whoever plays it is the winner or not."""

from __future__ import annotations

from regalia.core.arrays import States
from regalia.games.court_the_king.odds import BEST, turn_odds
from regalia.games.court_the_king.state import Final


def shares(states: States) -> tuple[float, ...] | None:
    """CK-72…78: the seat in the last turn of the final round wins with the odds of the best result, else the leader.

    Earlier turns of that round are no such question: a result must also hold against those who come after.
    """
    state = states[0]
    seats = int(state.seats)
    if state.final == Final.NONE or int(state.played) != seats - 1 or state.leader == 0:
        return None
    answer = turn_odds(states)
    odds = next((row for row in answer["targets"] if row["target"] == BEST), None)
    if odds is None or not odds["exact"]:  # none where nobody is to decide
        return None
    result = [0.0] * seats
    result[int(state.leader) - 1] = 1.0 - odds["odds"]
    result[int(state.turn)] += odds["odds"]
    return tuple(result)
