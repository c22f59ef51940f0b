"""What a seat of The Rose King sees, as numbers: own things first, then the rival's."""

from __future__ import annotations

from regalia.core.encoding import Features, Slice, starts
from regalia.core.kernel import kernel
from regalia.games.rose_king.components import CARDS, CELLS, HEROES, OFF, STONES, TARGETS
from regalia.games.rose_king.state import Phase, State

VERSION = 1
LONGEST = 120  # decisions of a match at most: 52 stones, 8 heroes, and a draw for each card played
SLICES = (
    Slice("own_stones", CELLS, 0, 1, "the cells with own stones"),
    Slice("rival_stones", CELLS, 0, 1, "the cells with the rival's stones"),
    Slice("crown", CELLS, 0, 1, "the crown's cell"),
    Slice("own_reach", CELLS, 0, 1, "the cells to which the own cards lead"),
    Slice("rival_reach", CELLS, 0, 1, "the cells to which the rival's cards lead"),
    Slice("own_hand", CARDS, 0, 1, "the own cards"),
    Slice("rival_hand", CARDS, 0, 1, "the rival's cards"),
    Slice("pile", CARDS, 0, 1, "the cards that can still be drawn"),
    Slice("own_heroes", HEROES, 0, 1, "the k-th is 1 if at least k of the own heroes are left"),
    Slice("rival_heroes", HEROES, 0, 1, "likewise of the rival's"),
    Slice("supply", 1, 0, 1, "stones left, of 52"),
    Slice("held", 2, 0, 1, "cards held, of 5: own, the rival's"),
    Slice("actors", 2, 0, 1, "who owes a decision: self, the rival"),
)
(
    OWN_STONES,
    RIVAL_STONES,
    CROWN,
    OWN_REACH,
    RIVAL_REACH,
    OWN_HAND,
    RIVAL_HAND,
    PILE,
    OWN_HEROES,
    RIVAL_HEROES,
    SUPPLY,
    HELD,
    ACTORS,
) = starts(SLICES)


@kernel
def encode(state: State, seat: int, out: Features) -> None:
    out[:] = 0
    rival = 1 - seat
    for cell in range(CELLS):
        owner = int(state.stones[cell])
        out[OWN_STONES + cell] = owner == seat
        out[RIVAL_STONES + cell] = owner == rival
    out[CROWN + int(state.crown)] = 1
    encode_player(state, seat, OWN_HAND, OWN_REACH, OWN_HEROES, out)
    encode_player(state, rival, RIVAL_HAND, RIVAL_REACH, RIVAL_HEROES, out)
    for k in range(int(state.left)):
        out[PILE + int(state.pile[k])] = 1
    out[SUPPLY] = int(state.supply) / STONES
    out[HELD] = int(state.held[seat]) / 5
    out[HELD + 1] = int(state.held[rival]) / 5
    if state.phase == Phase.TURN:
        out[ACTORS + (int(state.turn) != seat)] = 1


@kernel
def encode_player(state: State, seat: int, hand: int, reach: int, heroes: int, out: Features) -> None:
    for k in range(int(state.held[seat])):
        card = int(state.hands[seat, k])
        out[hand + card] = 1
        cell = int(TARGETS[int(state.crown), card])
        if cell != OFF:
            out[reach + cell] = 1
    for k in range(int(state.heroes[seat])):
        out[heroes + k] = 1
