"""A toy of Carolus Magnus: the last round (CM-64) on a ring of five places."""

from __future__ import annotations

from regalia.core.toys import Toy
from regalia.games.carolus_magnus.components import CASTLES, DISCS, MOST_ROUNDS, NONE, PROVINCES
from regalia.games.carolus_magnus.state import Phase, State

SIZE = 3  # provinces of each place
RED, PURPLE, BLUE, YELLOW = range(4)
KNIGHTS = ((1, 2, 2, 1), (0, 1, 1, 0), (0, 2, 1, 1), (0, 1, 0, 0), (0, 0, 1, 0))  # by place and colour
OWNERS = (0, 0, NONE, 1, 1)  # sides, by place
LEFT = ((2, 4), (1, 2))  # the discs each seat has not used


def emperor(state: State) -> None:
    """Nothing is left in the supply, so the dice bring nobody any more."""
    state.phase = Phase.DISC
    state.rounds = MOST_ROUNDS
    state.order[:2] = 0, 1
    state.control[:] = NONE
    state.owner[:] = NONE
    for province in range(PROVINCES):
        state.place[province] = province - province % SIZE
    for place, (knights, owner) in enumerate(zip(KNIGHTS, OWNERS, strict=True)):
        state.knights[SIZE * place, : len(knights)] = knights
        state.owner[SIZE * place] = owner
        state.castles[SIZE * place] = SIZE if owner != NONE else 0
    for seat, discs in enumerate(LEFT):
        state.stock[seat] = int(CASTLES[2]) - 2 * SIZE
        state.used[seat] = (1 << DISCS) - 1 - sum(1 << (disc - 1) for disc in discs)
    for seat, colour in ((0, RED), (1, PURPLE), (0, BLUE)):
        state.courts[seat, colour] = 1
        state.control[colour] = seat
    for seat, colour in ((0, PURPLE), (0, YELLOW), (1, RED), (1, BLUE)):
        state.reserves[seat, colour] = 1


TOYS = {"emperor": Toy(2, emperor, 1.0)}
