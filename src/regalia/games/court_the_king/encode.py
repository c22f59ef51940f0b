"""What a seat of To Court the King sees, as numbers. Seats are told from oneself: self, then clockwise."""

from __future__ import annotations

from regalia.core.encoding import Features, Slice, fill_scaled, starts
from regalia.core.kernel import kernel
from regalia.games.court_the_king.components import CHARACTERS, DICE, FACES, LAST_ROUND, POWERS
from regalia.games.court_the_king.state import SEATS, Final, Phase, State

VERSION = 1
LONGEST = 200_000  # decisions of a match at most: 41 rounds (CK-78) of 5 seats; a turn sets a die aside with every roll
PICKS = 3
MOST_COPIES = 5  # of a card
SLICES = (
    Slice("owned", SEATS * CHARACTERS, 0, MOST_COPIES, "by seat: cards per character"),
    Slice("display", CHARACTERS, 0, 1, "cards left to gain per character, of 5"),
    Slice("ready", POWERS, 0, 1, "the powers that may still be used this turn"),
    Slice("active", FACES, 0, 1, "active dice per face, of 12"),
    Slice("aside", FACES, 0, 1, "dice set aside per face, of 12"),
    Slice("in_hand", 1, 0, 1, "dice before the first roll, of 12"),
    Slice("rolling", 1, 0, 1, "dice that chance has yet to roll, of 12"),
    Slice("duty", 1, 0, 1, "1 while a die must be set aside"),
    Slice("power", POWERS + 1, 0, 1, "the power in use, or none"),
    Slice("picks", PICKS * FACES, 0, 1, "the faces chosen for it, or the last one set aside"),
    Slice("aim", FACES, 0, 1, "the first new face of the Alchemist's three"),
    Slice("lifted", FACES, 0, 1, "dice that Lady or Nobleman turned up, per new face, of 12"),
    Slice("phase", len(Phase), 0, 1, "the phase"),
    Slice("final", len(Final), 0, 1, "which final round: none, the King's, that of the last round"),
    Slice("leader", SEATS + 1, 0, 1, "the seat with the best result, or none"),
    Slice("best_count", 1, 0, 1, "its equal dice, of 12"),
    Slice("best_face", FACES, 0, 1, "their face"),
    Slice("results", SEATS * FACES, 0, 1, "by seat: dice of its result in the final round per face, of 12"),
    Slice("starter", SEATS, 0, 1, "the seat with the start marker"),
    Slice("played", 1, 0, 1, "turns of this round that are over, of 5"),
    Slice("rounds", 1, 0, 1, "the number of the round, of 41"),
    Slice("seats", SEATS - 1, 0, 1, "two to five seats"),
    Slice("actors", SEATS, 0, 1, "by seat: who owes a decision"),
)
(
    OWNED,
    DISPLAY,
    READY,
    ACTIVE,
    ASIDE,
    IN_HAND,
    ROLLING,
    DUTY,
    POWER,
    PICKED,
    AIM,
    LIFTED,
    PHASE,
    FINAL,
    LEADER,
    BEST_COUNT,
    BEST_FACE,
    RESULTS,
    STARTER,
    PLAYED,
    ROUNDS,
    NUMBER,
    ACTORS,
) = starts(SLICES)


@kernel
def encode(state: State, seat: int, out: Features) -> None:
    out[:] = 0
    seats = 0 + int(state.seats)
    for k in range(seats):
        other = (seat + k) % seats
        fill_scaled(out, OWNED + k * CHARACTERS, state.owned[other], CHARACTERS, 1)
        fill_scaled(out, RESULTS + k * FACES, state.results[other], FACES, DICE)
    encode_turn(state, out)
    fill_scaled(out, DISPLAY, state.display, CHARACTERS, MOST_COPIES)
    phase = int(state.phase)
    out[PHASE + phase] = 1
    out[FINAL + int(state.final)] = 1
    leader = 0 + int(state.leader) - 1
    out[LEADER + (SEATS if leader < 0 else (leader - seat) % seats)] = 1
    out[BEST_COUNT] = int(state.best_count) / DICE
    mark_face(out, BEST_FACE, int(state.best_face))
    out[STARTER + (0 + int(state.starter) - seat) % seats] = 1
    out[PLAYED] = int(state.played) / SEATS
    out[ROUNDS] = int(state.rounds) / (LAST_ROUND + 1)
    out[NUMBER + seats - 2] = 1
    if phase != Phase.START and phase != Phase.ROLLING and phase != Phase.OVER:
        out[ACTORS + (0 + int(state.turn) - seat) % seats] = 1


@kernel
def encode_turn(state: State, out: Features) -> None:
    """Dice and powers of the turn, and what is half done inside an action."""
    fill_scaled(out, READY, state.ready, POWERS, 1)
    fill_scaled(out, ACTIVE, state.active, FACES, DICE)
    fill_scaled(out, ASIDE, state.aside, FACES, DICE)
    fill_scaled(out, LIFTED, state.lifted, FACES, DICE)
    out[IN_HAND] = int(state.in_hand) / DICE
    out[ROLLING] = int(state.rolling) / DICE
    out[DUTY] = int(state.duty)
    is_used = state.phase == Phase.USING or state.phase == Phase.AIMING
    out[POWER + (int(state.power) if is_used else POWERS)] = 1
    for k in range(PICKS):
        mark_face(out, PICKED + k * FACES, int(state.picks[k]))
    mark_face(out, AIM, int(state.aim))


@kernel
def mark_face(out: Features, start: int, face: int) -> None:
    """A face 1 … 6, or none."""
    if face > 0:
        out[start + face - 1] = 1
