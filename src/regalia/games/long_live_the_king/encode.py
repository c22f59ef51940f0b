"""What a seat of Long Live the King sees, as numbers. Seats are told from oneself: self, then clockwise."""

from __future__ import annotations

from regalia.core.encoding import Features, Slice, fill_scaled, starts
from regalia.core.kernel import kernel
from regalia.games.long_live_the_king.cards import pooled
from regalia.games.long_live_the_king.components import (
    AREAS,
    COURTIERS,
    FACES,
    HAND,
    MOST_STAKED,
    NO_ONE,
    QUIET_TURNS,
    SEATS,
    STAKES,
    VALUES,
)
from regalia.games.long_live_the_king.election import held_votes, total_votes
from regalia.games.long_live_the_king.state import Election, Phase, State

VERSION = 1
LONGEST = 10_000_000  # decisions of a match at most: 20 elections give all enough votes; before each, LK-83
AREA = (SEATS + 1) + 1 + SEATS + 3  # owner, courtiers, nobles, disputed, origin, entered
PLAYER = 9 + VALUES
VOTES = 20  # what an election takes, about
SLICES = (
    Slice(
        "areas",
        AREAS * AREA,
        0,
        1,
        "by area: the owner's seat or none; courtiers, of 4; the nobles there by seat; disputed; where the intruder "
        "came from; entered this turn",
    ),
    Slice(
        "players",
        SEATS * PLAYER,
        0,
        SEATS,
        "by seat: votes of the areas, total if elected now, bonus votes, each of 20; cards, known ones per value and "
        "unknown ones, each of 20; courtiers left, of 17; areas, of 13; whose turn it is; whether the seat exists",
    ),
    Slice("hand", VALUES, 0, 2 * SEATS, "the own cards per value, of 10"),
    Slice(
        "pool", VALUES, 0, 2 * SEATS, "cards of which all know only that they are hidden, per value, of 10"
    ),
    Slice("discards", VALUES, 0, 2 * SEATS, "cards face up, per value, of 10"),
    Slice("face_down", 1, 0, SEATS, "cards face down, of 20"),
    Slice("stakes", SEATS * VALUES, 0, 1, "by seat: cards on the table per value, of 5"),
    Slice("dice", SEATS * FACES, 0, 1, "by seat: dice of the last roll per face, of 5"),
    Slice("totals", SEATS, 0, 2, "by seat: additions and what the dice came to, of 50"),
    Slice("sealed_own", len(STAKES), 0, 1, "the own stake while others still choose"),
    Slice("has_sealed", SEATS, 0, 1, "by seat: who has chosen a stake while others still choose"),
    Slice("phase", len(Phase), 0, 1, "the phase"),
    Slice("defender", SEATS + 1, 0, 1, "the seat that defends, or none"),
    Slice("winner", SEATS + 1, 0, 1, "the seat that won the dispute, or none"),
    Slice("election", len(Election), 0, 1, "what an election is deciding"),
    Slice("elections", 1, 0, 1, "elections held, of 20"),
    Slice("quiet", 1, 0, 1, "turns in a row without a discard, of 100"),
    Slice("seats", SEATS - 2, 0, 1, "three, four or five seats"),
    Slice("actors", SEATS, 0, 1, "by seat: who owes a decision"),
    Slice("placed", 1, 0, 1, "1 after the free courtier"),
    Slice("spent", 1, 0, 1, "1 when a card was discarded this turn"),
    Slice("by_hand", 1, 0, 1, "the option `dice_by_hand`"),
    Slice("loose", FACES, 0, 1, "dice still to be put on cards per face, of 5"),
    Slice("laid", 1, 0, 1, "dice put on cards, of 5"),
    Slice("least", 1, 0, 1, "the lowest face that may be put next, less one, of 5"),
)
(
    BY_AREA,
    PLAYERS,
    OWN_HAND,
    POOL,
    DISCARDS,
    FACE_DOWN,
    STAKED,
    DICE,
    TOTALS,
    SEALED_OWN,
    HAS_SEALED,
    PHASE,
    DEFENDER,
    WINNER,
    ELECTION,
    ELECTIONS,
    QUIET,
    NUMBER,
    ACTORS,
    PLACED,
    SPENT,
    BY_HAND,
    LOOSE,
    LAID,
    LEAST,
) = starts(SLICES)


@kernel
def encode(state: State, seat: int, out: Features) -> None:
    out[:] = 0
    seats = 0 + int(state.seats)
    encode_board(state, seat, out)
    for k in range(seats):
        encode_player(state, (seat + k) % seats, k, out)
    out[PLAYERS + (0 + int(state.turn) - seat) % seats * PLAYER + 7 + VALUES] = 1
    for value in range(VALUES):
        out[OWN_HAND + value] = int(state.hand[seat, value]) / 10
        out[POOL + value] = pooled(state, value) / 10
        out[DISCARDS + value] = int(state.discards[value]) / 10
    out[FACE_DOWN] = int(state.face_down) / HAND
    if state.sealed[seat] > 0:
        out[SEALED_OWN + int(state.sealed[seat]) - 1] = 1
    out[PHASE + int(state.phase)] = 1
    out[DEFENDER + seen_as(state, int(state.defender), seat)] = 1
    out[WINNER + seen_as(state, int(state.winner), seat)] = 1
    out[ELECTION + int(state.election)] = 1
    out[ELECTIONS] = int(state.elections) / VOTES
    out[QUIET] = int(state.quiet) / (QUIET_TURNS * SEATS)
    out[NUMBER + seats - 3] = 1
    out[PLACED] = int(state.placed)
    out[SPENT] = int(state.spent)
    out[BY_HAND] = int(state.dice_by_hand)
    fill_scaled(out, LOOSE, state.loose, FACES, MOST_STAKED)
    out[LAID] = int(state.laid) / MOST_STAKED
    out[LEAST] = int(state.least) / (FACES - 1)


@kernel
def seen_as(state: State, other: int, seat: int) -> int:
    """How a seat sees another; NO_ONE stays NO_ONE."""
    return NO_ONE if other == NO_ONE else (0 + other - seat) % (0 + int(state.seats))


@kernel
def encode_board(state: State, seat: int, out: Features) -> None:
    for area in range(AREAS):
        start = BY_AREA + area * AREA
        out[start + seen_as(state, int(state.owner[area]), seat)] = 1
        start += SEATS + 1
        out[start] = int(state.courtiers[area]) / 4
        start += 1 + SEATS
        out[start] = state.disputed == area
        out[start + 1] = state.origin == area
        out[start + 2] = int(state.entered) >> area & 1


@kernel
def encode_player(state: State, seat: int, seen: int, out: Features) -> None:
    out[BY_AREA + int(state.nobles[seat]) * AREA + SEATS + 2 + seen] = 1
    start = PLAYERS + seen * PLAYER
    out[start] = held_votes(state, seat) / VOTES
    out[start + 1] = total_votes(state, seat) / VOTES
    out[start + 2] = int(state.bonus[seat]) / VOTES
    unknown = 0 + int(state.cards[seat])
    out[start + 3] = unknown / HAND
    for value in range(VALUES):
        known = 0 + int(state.known[seat, value])
        out[start + 4 + value] = known / HAND
        unknown -= known
    start += 4 + VALUES
    out[start] = unknown / HAND
    out[start + 1] = int(state.supply[seat]) / (COURTIERS - 1)
    out[start + 2] = int(state.areas[seat]) / AREAS
    out[start + 4] = 1
    fill_scaled(out, STAKED + seen * VALUES, state.stakes[seat], VALUES, MOST_STAKED)
    fill_scaled(out, DICE + seen * FACES, state.dice[seat], FACES, MOST_STAKED)
    out[TOTALS + seen] = int(state.totals[seat]) / 50
    owes = int(state.owing) >> seat & 1
    if state.phase == Phase.STAKES:
        out[ACTORS + seen] = owes
        out[HAS_SEALED + seen] = state.cards[seat] > 0 and not owes
    elif Phase.TURN <= state.phase < Phase.STAKES:
        out[ACTORS + seen] = state.active == seat
