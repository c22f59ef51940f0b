"""A toy of The Rose King: a field of three by three, and few stones."""

from __future__ import annotations

from regalia.core.toys import Toy
from regalia.games.rose_king.components import CARD_NAMES, CENTRE, EDGE, NONE, SIDE
from regalia.games.rose_king.state import Phase, State

STONES = 4
HEROES = (1, 0)
HANDS = ("NW2 S1 NW1 SE2", "N1 N2 E2 SW1")
PILE = "W3 SE3 S3 NE2 SE1 NW3 W1 NE1"  # more than can be drawn, so that it is never made anew (RK-32)


def cards(names: str) -> list[int]:
    return sorted(CARD_NAMES.index(name) for name in names.split())


def roses(state: State) -> None:
    """The field around e5 is all of the board; the crown is in its middle, and the first seat has one hero."""
    state.phase = Phase.TURN
    state.crown = CENTRE
    state.supply = STONES
    state.stones[:] = EDGE
    for north in (-1, 0, 1):
        for east in (-1, 0, 1):
            state.stones[CENTRE + SIDE * north + east] = NONE
    for seat, names in enumerate(HANDS):
        hand = cards(names)
        state.heroes[seat] = HEROES[seat]
        state.held[seat] = len(hand)
        state.hands[seat, : len(hand)] = hand
    pile = cards(PILE)
    state.left = len(pile)
    state.pile[: len(pile)] = pile


TOYS = {"roses": Toy(2, roses, 0.5595238095238095)}
