"""A turn: rolling and setting aside (CK-20…28). The powers used in it are in powers.py."""

from __future__ import annotations

from regalia.core.arrays import Steps
from regalia.core.kernel import kernel
from regalia.games.court_the_king.components import (
    CHARACTER_OF,
    COMPULSORY,
    DONE,
    FACE,
    FACES,
    OWN_DICE,
    PASS,
    POWERED,
    POWERS,
    ROLL,
    USE,
    Character,
)
from regalia.games.court_the_king.costs import number_of, total_of
from regalia.games.court_the_king.powers import add_faces, can_use, has_die, rest
from regalia.games.court_the_king.state import Final, Phase, State

IN_TURN = (Phase.TURN, Phase.FINAL, Phase.ROLLING, Phase.TAKE)


@kernel
def begin_turn(state: State) -> None:
    """CK-20, CK-29, CK-42: three dice and the compulsory ones; all cards are ready."""
    seat = int(state.turn)
    in_hand = OWN_DICE
    for character in (Character.CHARLATAN, Character.FARMER, Character.GENERAL):
        in_hand += int(state.owned[seat, character]) * int(COMPULSORY[character])
    state.in_hand = in_hand
    for power in range(POWERS):
        state.ready[power] = state.owned[seat, CHARACTER_OF[power]]
    state.phase = Phase.TURN


@kernel
def clear_turn(state: State) -> None:
    for power in range(POWERS):
        state.ready[power] = 0
    for k in range(FACES):
        state.aside[k] = 0
    state.in_hand = 0


@kernel
def roll(state: State) -> None:
    """CK-21…23: all dice in hand at first, then all active ones; it is then a duty to set one aside."""
    state.rolling = int(state.in_hand) + number_of(state.active)
    state.in_hand = 0
    for k in range(FACES):
        state.active[k] = 0
    state.duty = 1
    state.phase = Phase.ROLLING


@kernel
def show_die(state: State, face: int) -> None:
    """CK-21: one die has come to rest."""
    state.active[face - 1] += 1
    state.rolling -= 1
    if state.rolling == 0:
        state.phase = Phase.TURN


@kernel
def keep(state: State, face: int) -> None:
    """CK-22, CK-24, CK-27: a die is set aside. Faces ascend within the action, so each set of dice has one path."""
    state.active[face - 1] -= 1
    state.aside[face - 1] += 1
    state.duty = 0
    if number_of(state.active) == 0:
        state.picks[0] = 0
        state.phase = Phase.TAKE
    elif has_die(state, face, FACES):
        state.picks[0] = face
        state.phase = Phase.KEEPING
    else:
        rest(state)


# --- What may be done ---


@kernel
def legal_turn(state: State, steps: Steps) -> int:
    """CK-21…26, CK-73."""
    count = 0
    if state.phase == Phase.FINAL:
        steps[count] = PASS
        count += 1
    if state.duty == 0:
        steps[count] = ROLL
        count += 1
    for face in range(1, FACES + 1):
        if state.active[face - 1] > 0:
            steps[count] = FACE + face
            count += 1
    number = number_of(state.active)
    total = total_of(state.active)
    for power in range(POWERS):
        if state.ready[power] > 0 and can_use(state, power, number, total):
            steps[count] = USE + power
            count += 1
    return count


@kernel
def legal_keeping(state: State, steps: Steps) -> int:
    """CK-22: further dice, or done."""
    steps[0] = DONE
    return add_faces(state, int(state.picks[0]), FACES, steps, 1)


# --- For texts and positions ---


def spent(state: State) -> list[int]:
    """The powers used up in this turn."""
    if state.phase not in IN_TURN:
        return []
    owned = state.owned[state.turn]
    return [power for power, character in enumerate(POWERED) if owned[character] and not state.ready[power]]


def turn_order(state: State) -> list[int]:
    """CK-10, CK-72: the seats in the order of this round."""
    seats = int(state.seats)
    order = [(int(state.starter) + k) % seats for k in range(seats)]
    if state.final == Final.KING:
        order.sort(key=lambda seat: bool(state.owned[seat, Character.QUEEN]))
    return order
