"""What a seat of Carolus Magnus sees, as numbers.

Seats are told from oneself: self, then clockwise; with four seats self, partner, left, right. Sides are the own one,
then those of the next seats. Provinces stay where they are, since steps name them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from regalia.core.encoding import Features, Slice, fill_scaled, starts
from regalia.core.kernel import kernel
from regalia.games.carolus_magnus.components import (
    DISCS,
    FAMILIES,
    KNIGHTS,
    MOST_ROUNDS,
    MOST_SEATS,
    NONE,
    PROVINCES,
    SIDE_OF,
    SIDES,
)
from regalia.games.carolus_magnus.ring import COLUMNS, Column, read_ring
from regalia.games.carolus_magnus.state import Phase, State

VERSION = 1
LONGEST = 16_000  # decisions of a match at most: 100 rounds (CM-64) of 4 seats, fewer than 40 each
ROW = FAMILIES + 6  # of the ring: knights, castles, owner (3), size, is_place
MOST_PARTNERS = 3
SLICES = (
    Slice(
        "ring",
        PROVINCES * ROW,
        0,
        KNIGHTS / 10,
        "by province; where a place begins (its lowest): knights per colour, of 10; castles, of 10; "
        "the owner's side: own, left, right; provinces, of 15; 1",
    ),
    Slice("emperor", PROVINCES, 0, 1, "the place of the emperor"),
    Slice("control", FAMILIES * (MOST_SEATS + 1), 0, 1, "by colour: the seat that controls it, or none"),
    Slice("courts", MOST_SEATS * FAMILIES, 0, KNIGHTS / 10, "by seat: knights per colour, of 10"),
    Slice("reserves", MOST_SEATS * FAMILIES, 0, KNIGHTS / 10, "by seat: knights per colour, of 10"),
    Slice("supply", FAMILIES, 0, 1, "knights per colour, of 40"),
    Slice("discs", MOST_SEATS * DISCS, 0, 1, "by seat: the disc laid this round"),
    Slice("used", MOST_SEATS * DISCS, 0, 1, "by seat: the discs used"),
    Slice("order", MOST_SEATS * MOST_SEATS, 0, 1, "by place in the order of the round: the seat"),
    Slice("stock", len(SIDES), 0, 1, "castles not on the table, of 10: own side, left, right"),
    Slice("due", 1, 0, 1, "knights to bring into play, of 15"),
    Slice("crowns", 1, 0, 1, "crowns to choose a colour for, of 9"),
    Slice("round", 1, 0, 1, "the number of the round, of 100"),
    Slice("brought", 1, 0, 1, "1 when a knight came into play this round"),
    Slice("partners", MOST_PARTNERS, 0, 1, "the option `partners`"),
    Slice("phase", len(Phase), 0, 1, "the phase"),
    Slice("seats", 3, 0, 1, "two, three or four seats"),
    Slice("actors", MOST_SEATS, 0, 1, "by seat: who owes a decision"),
)
(
    RING,
    EMPEROR,
    CONTROL,
    COURTS,
    RESERVES,
    SUPPLY,
    DISC_LAID,
    USED,
    ORDER,
    STOCK,
    DUE,
    CROWNS,
    ROUND,
    BROUGHT,
    PARTNERS,
    PHASE,
    SEATS,
    ACTORS,
) = starts(SLICES)


def seats_from(seats: int, partners: int, seat: int) -> list[int]:
    """The seats as one sees them: self, the partner if there is one, the others clockwise."""
    clockwise = [(seat + k) % seats for k in range(1, seats)]
    sides = SIDE_OF[seats, partners]
    return [seat, *sorted(clockwise, key=lambda other: sides[other] != sides[seat])]


# RELATIVE[seats, partners, seat, other]: how the seat sees the other; RELATIVE_SIDE likewise for a side.
RELATIVE = np.zeros((MOST_SEATS + 1, MOST_PARTNERS, MOST_SEATS, MOST_SEATS), np.uint8)
RELATIVE_SIDE = np.zeros((MOST_SEATS + 1, MOST_PARTNERS, MOST_SEATS, len(SIDES)), np.uint8)
for _seats in (2, 3, 4):
    for _partners in range(MOST_PARTNERS):
        for _seat in range(_seats):
            _order = seats_from(_seats, _partners, _seat)
            RELATIVE[_seats, _partners, _seat, _order] = range(_seats)
            _sides = list(dict.fromkeys(int(SIDE_OF[_seats, _partners, _other]) for _other in _order))
            _sides += [_side for _side in range(len(SIDES)) if _side not in _sides]
            RELATIVE_SIDE[_seats, _partners, _seat, _sides] = range(len(SIDES))


@kernel
def encode(state: State, seat: int, out: Features) -> None:
    out[:] = 0
    seats = 0 + int(state.seats)
    partners = int(state.partners)
    encode_ring(state, RELATIVE_SIDE[seats, partners, seat], out)
    out[EMPEROR + int(state.emperor)] = 1
    relative = RELATIVE[seats, partners, seat]
    for colour in range(FAMILIES):
        holder = int(state.control[colour])
        seen = MOST_SEATS if holder == NONE else int(relative[holder])
        out[CONTROL + colour * (MOST_SEATS + 1) + seen] = 1
    for other in range(seats):
        encode_player(state, other, int(relative[other]), out)
        out[ORDER + other * MOST_SEATS + int(relative[int(state.order[other])])] = 1
    fill_scaled(out, SUPPLY, state.supply, FAMILIES, KNIGHTS)
    for side in range(len(SIDES)):
        out[STOCK + int(RELATIVE_SIDE[seats, partners, seat, side])] = int(state.stock[side]) / 10
    out[DUE] = int(state.due) / PROVINCES
    out[CROWNS] = int(state.crowns) / 9
    out[ROUND] = int(state.rounds) / MOST_ROUNDS
    out[BROUGHT] = int(state.brought)
    out[PARTNERS + partners] = 1
    out[PHASE + int(state.phase)] = 1
    out[SEATS + seats - 2] = 1
    if Phase.DISC <= state.phase < Phase.OVER:
        out[ACTORS + int(relative[int(state.order[state.at])])] = 1


@kernel
def encode_ring(state: State, sides: NDArray[np.uint8], out: Features) -> None:
    ring = np.zeros((PROVINCES, COLUMNS), np.int64)
    for k in range(read_ring(state, ring)):
        row = RING + ring[k, Column.PLACE] * ROW
        for colour in range(FAMILIES):
            out[row + colour] = ring[k, Column.KNIGHTS + colour] / 10
        row += FAMILIES
        out[row] = ring[k, Column.CASTLES] / 10
        if ring[k, Column.OWNER] != NONE:
            out[row + 1 + int(sides[ring[k, Column.OWNER]])] = 1
        out[row + 4] = ring[k, Column.SIZE] / PROVINCES
        out[row + 5] = 1


@kernel
def encode_player(state: State, seat: int, seen: int, out: Features) -> None:
    fill_scaled(out, COURTS + seen * FAMILIES, state.courts[seat], FAMILIES, 10)
    fill_scaled(out, RESERVES + seen * FAMILIES, state.reserves[seat], FAMILIES, 10)
    if state.discs[seat] > 0:
        out[DISC_LAID + seen * DISCS + int(state.discs[seat]) - 1] = 1
    for disc in range(DISCS):
        out[USED + seen * DISCS + disc] = int(state.used[seat]) >> disc & 1
