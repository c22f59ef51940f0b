"""The rules of To Court the King: rounds, gaining characters and the end; a turn itself is in turn.py."""

from __future__ import annotations

from regalia.core.arrays import Ints, Rng, Steps
from regalia.core.game import CHANCE, CHANCE_BIT
from regalia.core.kernel import kernel
from regalia.games.court_the_king.components import (
    CHARACTERS,
    COPIES,
    DONE,
    FACE,
    FACES,
    LAST_ROUND,
    OUTCOMES,
    PASS,
    ROLL,
    STEPS,
    TAKE,
    TAKE_NONE,
    USE,
    Character,
)
from regalia.games.court_the_king.costs import best_face, is_met, most_equal
from regalia.games.court_the_king.powers import (
    aim_at,
    finish_picks,
    legal_aiming,
    legal_using,
    pick,
    rest,
    use,
)
from regalia.games.court_the_king.state import Final, Phase, Reason, State
from regalia.games.court_the_king.turn import (
    begin_turn,
    clear_turn,
    keep,
    legal_keeping,
    legal_turn,
    roll,
    show_die,
)

__all__ = ["OUTCOMES", "STEPS", "actors", "apply", "draws", "legal", "outcome", "redeal", "score", "setup"]


@kernel
def setup(state: State) -> None:
    """CK-1, CK-2, CK-4: all cards in the display; chance will draw the start player."""
    for character in range(CHARACTERS):
        state.display[character] = COPIES[int(state.seats), character]
    state.phase = Phase.START


@kernel
def actors(state: State) -> int:
    phase = int(state.phase)
    if phase == Phase.ROLLING or phase == Phase.START:
        return CHANCE_BIT
    return 0 if phase == Phase.OVER else 1 << int(state.turn)


@kernel
def legal(state: State, seat: int, steps: Steps) -> int:
    phase = int(state.phase)
    if phase == Phase.TURN or phase == Phase.FINAL:
        return legal_turn(state, steps)
    if phase == Phase.KEEPING:
        return legal_keeping(state, steps)
    if phase == Phase.USING:
        return legal_using(state, steps)
    if phase == Phase.AIMING:
        return legal_aiming(state, steps)
    count = 0
    for character in range(CHARACTERS):
        if can_take(state, seat, character):
            steps[count] = TAKE + character
            count += 1
    steps[count] = TAKE_NONE
    return count + 1


@kernel
def can_take(state: State, seat: int, character: int) -> bool:
    """CK-30…36, CK-70."""
    if character == Character.CHARLATAN:
        return bool(state.owned[seat, Character.FOOL] > 0)
    return (
        character != Character.QUEEN
        and state.display[character] > 0
        and state.owned[seat, character] == 0
        and is_met(state.aside, character)
    )


@kernel
def draws(state: State) -> int:
    """CK-4, CK-21: every seat, and every face of a die, is equally likely."""
    return int(state.seats) if state.phase == Phase.START else FACES


@kernel
def outcome(state: State, draw: int) -> int:
    return draw


@kernel
def apply(state: State, seat: int, step: int) -> None:
    if seat == CHANCE:
        if state.phase == Phase.START:
            begin_game(state, step)
        else:
            show_die(state, step + 1)
    elif step >= TAKE:
        take(state, seat, step)
        pass_turn(state)
    elif step >= USE:
        use(state, step - USE)
    elif step > FACE:
        choose_die(state, step - FACE)
    elif step == ROLL:
        roll(state)
    elif step == PASS:
        clear_turn(state)
        pass_turn(state)
    elif step == DONE and state.phase == Phase.KEEPING:
        rest(state)
    else:
        finish_picks(state)


@kernel
def choose_die(state: State, face: int) -> None:
    if state.phase == Phase.USING:
        pick(state, face)
    elif state.phase == Phase.AIMING:
        aim_at(state, face)
    else:
        keep(state, face)
        if state.phase == Phase.TAKE and state.final != Final.NONE:
            judge(state, int(state.turn))
            pass_turn(state)


@kernel
def begin_game(state: State, starter: int) -> None:
    """CK-4, CK-10."""
    state.starter = starter
    state.turn = starter
    state.rounds = 1
    begin_turn(state)


# --- Gaining a character ---


@kernel
def take(state: State, seat: int, step: int) -> None:
    """CK-30…34, CK-70: at most one card; the Queen comes with the King."""
    character = step - TAKE
    if character == Character.CHARLATAN:
        state.owned[seat, Character.FOOL] -= 1
        state.owned[seat, Character.CHARLATAN] += 1
    elif step != TAKE_NONE:
        state.display[character] -= 1
        state.owned[seat, character] += 1
    if character == Character.KING:
        state.display[Character.QUEEN] -= 1
        state.owned[seat, Character.QUEEN] += 1
        lead(state, seat)
    clear_turn(state)


@kernel
def lead(state: State, seat: int) -> None:
    """CK-70, CK-73, CK-74: the dice set aside are the best result."""
    state.leader = seat + 1
    state.best_count = most_equal(state.aside)
    state.best_face = best_face(state.aside)


# --- Rounds ---


@kernel
def pass_turn(state: State) -> None:
    """CK-10, CK-72: the next seat; after the last one the next round, or the end."""
    seats = int(state.seats)
    state.played += 1
    if state.played == seats:
        next_round(state)
        return
    if state.final != Final.KING:
        state.turn = (int(state.turn) + 1) % seats
    elif state.played == seats - 1:
        state.turn = queens_owner(state)
    else:
        state.turn = next_but_queen(state, (int(state.turn) + 1) % seats)
    begin_any_turn(state)


@kernel
def next_round(state: State) -> None:
    """CK-11, CK-71, CK-78: the start marker passes to who played last."""
    if state.final != Final.NONE:
        end(state)
        return
    seats = int(state.seats)
    state.starter = (int(state.starter) + seats - 1) % seats
    state.turn = state.starter
    state.played = 0
    if state.display[Character.KING] == 0:
        state.final = Final.KING
        state.turn = next_but_queen(state, int(state.starter))
    elif state.rounds == LAST_ROUND:
        state.final = Final.ROUNDS
    state.rounds += 1
    begin_any_turn(state)


@kernel
def queens_owner(state: State) -> int:
    seat = 0
    while state.owned[seat, Character.QUEEN] == 0:
        seat += 1
    return seat


@kernel
def next_but_queen(state: State, seat: int) -> int:
    """CK-72: this seat, or the one after it if it owns the Queen."""
    if state.owned[seat, Character.QUEEN] > 0:
        return (seat + 1) % int(state.seats)
    return seat


@kernel
def begin_any_turn(state: State) -> None:
    """CK-20, CK-73; CK-76: who owns the Queen and still holds the King needs no turn."""
    if state.final == Final.KING and int(state.leader) == int(state.turn) + 1:
        end(state)
        return
    begin_turn(state)
    if state.final != Final.NONE:
        state.phase = Phase.FINAL


# --- The end ---


@kernel
def judge(state: State, seat: int) -> None:
    """CK-73…76, CK-78: a result of the final round against the best; the Queen's owner need only equal it."""
    count = most_equal(state.aside)
    face = best_face(state.aside)
    best = int(state.best_count) * 8 + int(state.best_face)
    if count * 8 + face > best or (count * 8 + face == best and state.owned[seat, Character.QUEEN] > 0):
        if state.final == Final.KING:
            state.owned[int(state.leader) - 1, Character.KING] = 0
            state.owned[seat, Character.KING] = 1
        lead(state, seat)
    for k in range(FACES):
        state.results[seat, k] = state.aside[k]
    clear_turn(state)


@kernel
def end(state: State) -> None:
    """CK-77, CK-78."""
    state.phase = Phase.OVER
    state.turn = 0
    state.played = 0
    if state.final == Final.KING:
        state.reason = Reason.KING
    else:
        state.reason = Reason.ROUNDS if state.leader > 0 else Reason.ALL_PASSED


@kernel
def score(state: State, points: Ints, ranks: Ints) -> None:
    """CK-77, CK-78: one point for the winner, or for each when all passed; the others share second place."""
    for seat in range(int(state.seats)):
        wins = state.leader == seat + 1 or state.reason == Reason.ALL_PASSED
        points[seat] = 1 if wins else 0
        ranks[seat] = 1 if wins else 2


@kernel
def redeal(state: State, seat: int, rng: Rng) -> None:
    """Nothing is hidden, and dice have no future."""
