"""A toy of Long Live the King: two parties of a dispute choose their stakes, and the election that follows decides.

All cards are x3 and the defender has one piece more than the intruder: totals are never equal, so nobody rolls again.
"""

from __future__ import annotations

from regalia.core.toys import Toy
from regalia.games.long_live_the_king.components import AREA_NAMES, NO_ONE, NOWHERE, VALUES
from regalia.games.long_live_the_king.state import Phase, State

INTRUDER, DEFENDER, THIRD = range(3)
DISPUTED, ORIGIN = "Stadford", "Wigemor"
AREAS = {
    INTRUDER: ("Wigemor", "Loncastre"),
    DEFENDER: ("Stadford", "Lincolia", "Rouecestre"),
    THIRD: ("Man",),
}
COURTIERS = (DISPUTED, ORIGIN, "Lincolia")  # so each noble can be banished to one area
CARDS = (2, 2, 0)
ENOUGH = 19  # bonus votes: whoever has most area votes is elected (LK-75)
X3 = VALUES - 1


def crown(state: State) -> None:
    """The third holds no cards, so that there is an election after the dispute (LK-70), and too few areas to win it."""
    for seat in range(len(state.nobles)):
        state.nobles[seat] = NOWHERE
    state.owner[:] = NO_ONE
    for seat, names in AREAS.items():
        for name in names:
            state.owner[AREA_NAMES.index(name)] = seat
        state.areas[seat] = len(names)
        state.nobles[seat] = AREA_NAMES.index(names[0])
        state.bonus[seat] = ENOUGH
        state.cards[seat] = state.hand[seat, X3] = state.known[seat, X3] = CARDS[seat]
    state.nobles[INTRUDER] = state.disputed = AREA_NAMES.index(DISPUTED)
    for name in COURTIERS:
        state.courtiers[AREA_NAMES.index(name)] = 1
    state.origin = AREA_NAMES.index(ORIGIN)
    state.defender = DEFENDER
    state.winner = NO_ONE
    state.target = NOWHERE
    state.owing = 1 << INTRUDER | 1 << DEFENDER
    state.elections = 1
    state.phase = Phase.STAKES


TOYS = {"crown": Toy(3, crown, 4399 / 6408, is_open=False)}
