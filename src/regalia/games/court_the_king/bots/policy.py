"""A simple player: aims for equal dice, for a total, or for all odd or all even, whichever promises the best card.

It plans nothing beyond the turn. At every step it looks at the dice as they lie, picks the aim with the best worth
times rough odds, and does what serves it: set dice aside, use a power that helps, or roll.

Aims: 1 … 6 equal dice of that face, HIGH a total, ODD and EVEN.
"""

from __future__ import annotations

from math import comb

import numpy as np

from regalia.core.arrays import Reals, Rng, Steps
from regalia.core.game import CHANCE, CHANCE_BIT
from regalia.core.kernel import kernel
from regalia.core.rng import below
from regalia.games.court_the_king.components import (
    ADDS,
    CHARACTER_OF,
    CHARACTERS,
    DICE,
    DONE,
    FACE,
    FACES,
    PASS,
    POWER_OF,
    POWERS,
    ROLL,
    TAKE,
    TAKE_NONE,
    USE,
    Character,
)
from regalia.games.court_the_king.costs import EVEN as EVEN_FACES
from regalia.games.court_the_king.costs import LEAST_TOTAL, faces_of, number_of, total_of
from regalia.games.court_the_king.costs import ODD as ODD_FACES
from regalia.games.court_the_king.rules import actors, apply, can_take, draws, legal, outcome
from regalia.games.court_the_king.state import Final, Phase, State

HIGH, ODD, EVEN = 7, 8, 9

# How much a card is wanted.
WORTH = np.array([2, 6, 9, 3, 3, 6, 7, 4, 4, 8, 9, 10, 8, 6, 7, 10, 8, 18, 0, 100], np.float64)
# As many equal dice a card asks for; 0 if it asks for something else.
EQUAL = np.zeros(CHARACTERS, np.uint8)
EQUAL[[2, 6, 9, 11, 17, 19]] = [2, 3, 4, 5, 6, 7]
# The powers that can turn a die into one that is wanted, those first that are of use less often.
HELPERS = np.array(
    [
        POWER_OF[Character.LADY],
        POWER_OF[Character.NOBLEMAN],
        POWER_OF[Character.MAID],
        POWER_OF[Character.PHILOSOPHER],
        POWER_OF[Character.ALCHEMIST],
        POWER_OF[Character.ASTRONOMER],
        POWER_OF[Character.MAGICIAN],
    ],
    np.uint8,
)
MERCHANT, FOOL = POWER_OF[Character.MERCHANT], POWER_OF[Character.FOOL]


def matching_odds() -> Reals:
    """[need, dice]: the odds of getting so many dice of one face, when a throw without any costs a die."""
    odds = np.zeros((DICE + 1, DICE + 1))
    odds[0] = 1.0
    for need in range(1, DICE + 1):
        for dice in range(need, DICE + 1):
            throws = [comb(dice, hits) * 5 ** (dice - hits) / 6**dice for hits in range(dice + 1)]
            after = [odds[max(need - hits, 0), dice - max(hits, 1)] for hits in range(dice + 1)]
            odds[need, dice] = sum(throw * then for throw, then in zip(throws, after, strict=True))
    return odds


MATCHING = matching_odds()


@kernel
def policy(state: State, seat: int, steps: Steps, rng: Rng) -> int:
    """The step this player takes; any legal one where it has no idea."""
    count = legal(state, seat, steps)
    wish = choose(state, seat)
    for k in range(count):
        if steps[k] == wish:
            return wish
    return int(steps[below(rng, count)])


@kernel
def play_to_the_end(state: State, steps: Steps, rng: Rng) -> int:
    """Every seat by this policy; returns the number of steps, draws included."""
    taken = 0
    who = actors(state)
    while who != 0:
        if who == CHANCE_BIT:
            apply(state, CHANCE, outcome(state, below(rng, draws(state))))
        else:
            seat = int(state.turn)
            apply(state, seat, policy(state, seat, steps, rng))
        taken += 1
        who = actors(state)
    return taken


@kernel
def choose(state: State, seat: int) -> int:
    phase = int(state.phase)
    if phase == Phase.TAKE:
        return best_card(state, seat)
    if state.in_hand > 0:
        return PASS if phase == Phase.FINAL and is_hopeless(state, seat) else ROLL
    aim = best_aim(state, seat)
    if phase == Phase.KEEPING:
        return next_wanted(state, wanted_faces(state, aim))
    if phase == Phase.USING:
        return choose_die(state, aim)
    if phase == Phase.AIMING:
        return choose_face(state, aim)
    if state.duty == 0 and faces_of(state.active) & wanted_faces(state, aim) == 0:
        return ROLL
    power = best_power(state, aim)
    if power < POWERS:
        return USE + power
    wanted = wanted_faces(state, aim)
    if faces_of(state.active) & wanted == 0:
        wanted = 1 << (highest_face(state) - 1)  # something must be set aside: it may serve a total
    return next_wanted(state, wanted)


@kernel
def best_card(state: State, seat: int) -> int:
    best = TAKE_NONE
    worth = 0.0
    for character in range(CHARACTERS):
        if WORTH[character] > worth and can_take(state, seat, character):
            worth = WORTH[character]
            best = TAKE + character
    return best


@kernel
def is_hopeless(state: State, seat: int) -> bool:
    """CK-73: whether even all dice alike could not be the best result."""
    dice = int(state.in_hand)
    for power in range(POWERS):
        if ADDS[power] > 0 and state.ready[power] > 0:
            dice += 1
    return min(dice, DICE) < needed(state, seat, FACES)


@kernel
def needed(state: State, seat: int, face: int) -> int:
    """CK-74…76: as many dice of this face make the best result."""
    is_queen = state.owned[seat, Character.QUEEN] > 0
    is_enough = face >= int(state.best_face) if is_queen else face > int(state.best_face)
    return int(state.best_count) + (0 if is_enough else 1)


# --- What to aim for ---


@kernel
def is_using(state: State) -> bool:
    return state.phase == Phase.USING or state.phase == Phase.AIMING


@kernel
def lying(state: State, face: int) -> int:
    """Active dice of a face, those chosen for a power included."""
    number = 0 + int(state.active[face - 1]) + int(state.lifted[face - 1])
    if is_using(state):
        for k in range(3):
            number += 1 if state.picks[k] == face else 0
    return number


@kernel
def best_aim(state: State, seat: int) -> int:
    best = 0.0
    aim = 1
    helpers = 1 if is_using(state) else 0
    adders = 0
    for power in range(POWERS):
        if state.ready[power] > 0:
            adders += 1 if ADDS[power] > 0 else 0
            helpers += 0 if ADDS[power] > 0 else 1
    for face in range(1, FACES + 1):
        promise = promise_of_face(state, seat, face, helpers, adders)
        if promise > best:
            best = promise
            aim = face
    if state.final != Final.NONE:
        return aim
    for other in (HIGH, ODD, EVEN):
        promise = promise_of_sum(state, seat) if other == HIGH else promise_of_parity(state, seat, other)
        if promise > best:
            best = promise
            aim = other
    return aim


@kernel
def promise_of_face(state: State, seat: int, face: int, helpers: int, adders: int) -> float:
    have = 0 + int(state.aside[face - 1])
    others = adders
    for each in range(1, FACES + 1):
        if each == face:
            have += lying(state, each)
        else:
            others += lying(state, each)
    for power in range(POWERS):
        if ADDS[power] == face and state.ready[power] > 0:
            have += 1
            others -= 1
    if state.final != Final.NONE:
        return equal_odds(needed(state, seat, face) - have, others, helpers)
    best = 0.0
    for character in range(CHARACTERS):
        if EQUAL[character] > 0 and state.display[character] > 0 and state.owned[seat, character] == 0:
            odds = equal_odds(int(EQUAL[character]) - have, others, helpers)
            best = max(best, WORTH[character] * odds)
    return best + 0.01 * have + 0.001 * face


@kernel
def equal_odds(need: int, others: int, helpers: int) -> float:
    """Rough odds of as many more equal dice; each helper is good for one."""
    if need > others:
        return 0.0
    helped = min(max(need, 0), helpers)
    return float(MATCHING[max(need, 0) - helped, min(others, DICE) - helped]) * (1.0 - 0.05 * helped)


@kernel
def promise_of_sum(state: State, seat: int) -> float:
    number = 0
    total = total_of(state.aside)
    now = total
    for face in range(1, FACES + 1):
        number += lying(state, face)
        now += lying(state, face) * face
    best = 0.0
    for character in range(CHARACTERS):
        least = int(LEAST_TOTAL[character])
        if least > 0 and state.display[character] > 0 and state.owned[seat, character] == 0:
            if now >= least:
                best = max(best, WORTH[character])
            elif total + FACES * number >= least:
                spare = (total + 4.9 * number - least) / (1.5 * number**0.5)
                best = max(best, WORTH[character] * min(max(0.5 + 0.3 * spare, 0.0), 0.95))
    return best


@kernel
def promise_of_parity(state: State, seat: int, aim: int) -> float:
    character = Character.MAID if aim == ODD else Character.PHILOSOPHER
    good = ODD_FACES if aim == ODD else EVEN_FACES
    if (
        state.display[character] == 0
        or state.owned[seat, character] > 0
        or faces_of(state.aside) & ~good != 0
    ):
        return 0.0
    faces = 0
    for face in range(1, FACES + 1):
        if lying(state, face) > 0:
            faces |= 1 << (face - 1)
    if faces & ~good == 0:
        return float(WORTH[character])
    return float(WORTH[character]) * (0.5 if faces & good != 0 or state.duty == 0 else 0.0)


# --- Which dice to set aside ---


@kernel
def wanted_faces(state: State, aim: int) -> int:
    """The faces that serve the aim, a bit each."""
    if aim == ODD:
        return ODD_FACES
    if aim == EVEN:
        return EVEN_FACES
    if aim != HIGH:
        return 1 << (aim - 1)
    total = total_of(state.aside) + total_of(state.active)
    if is_total(state, total):
        return ODD_FACES | EVEN_FACES
    return 1 << (FACES - 1) if number_of(state.active) > 2 else 3 << (FACES - 2)


@kernel
def is_total(state: State, total: int) -> bool:
    """Whether a total pays for a card that is still to be had."""
    found = False
    for character in range(CHARACTERS):
        least = int(LEAST_TOTAL[character])
        if least > 0 and state.display[character] > 0 and state.owned[int(state.turn), character] == 0:
            found = found or total >= least
    return found


@kernel
def next_wanted(state: State, wanted: int) -> int:
    """The next die to choose, in ascending order, or done."""
    for face in range(max(int(state.picks[0]), 1), FACES + 1):
        if wanted >> (face - 1) & 1 and state.active[face - 1] > 0:
            return FACE + face
    return DONE


@kernel
def highest_face(state: State) -> int:
    face = FACES
    while state.active[face - 1] == 0:
        face -= 1
    return face


# --- Which power to use ---


@kernel
def best_power(state: State, aim: int) -> int:
    """A power that helps now, or POWERS. More dice at once, unless they could spoil it; the rest when they are needed."""
    dice = number_of(state.active)
    if aim <= HIGH and dice + number_of(state.aside) < DICE:
        for power in range(POWERS):
            if ADDS[power] > 0 and state.ready[power] > 0:
                return power
    wanted = wanted_faces(state, aim)
    misfits = 0
    for face in range(1, FACES + 1):
        if not wanted >> (face - 1) & 1:
            misfits += int(state.active[face - 1])
    if misfits == 0:
        return POWERS
    is_stuck = misfits == dice
    if is_stuck and state.ready[MERCHANT] > 0:
        return MERCHANT
    if is_stuck and misfits == 1 and state.ready[FOOL] > 0:
        return FOOL
    if aim > FACES:
        return POWERS
    able = 0
    first = POWERS
    for k in range(HELPERS.size):
        power = int(HELPERS[k])
        if state.ready[power] > 0 and can_help(state, int(CHARACTER_OF[power]), aim):
            able += 1
            first = min(first, k)
    if first < POWERS and (is_stuck or able >= misfits):
        return int(HELPERS[first])
    if is_stuck and state.ready[FOOL] > 0:
        return FOOL
    return POWERS


@kernel
def can_help(state: State, character: int, aim: int) -> bool:
    """Whether a power can make one more die of the face aimed for."""
    if character == Character.LADY:
        return aim > 1 and state.active[aim - 2] > 0
    if character == Character.NOBLEMAN:
        return aim > 2 and state.active[aim - 3] > 0
    if character == Character.MAID:
        return maids_die(state, aim) > 0
    if character == Character.ASTRONOMER:
        return bool(state.aside[aim - 1] > 0)
    if character == Character.MAGICIAN:
        return True
    return pair_for(state, aim) > 0


@kernel
def maids_die(state: State, aim: int) -> int:
    for face in range(max(aim - 3, 1), aim):
        if state.active[face - 1] > 0:
            return face
    return 0


@kernel
def pair_for(state: State, aim: int) -> int:
    """Two dice of which one can get the face by giving to or taking from the other: 8 x the lower + the higher."""
    found = 0
    for low in range(1, FACES + 1):
        for high in range(low, FACES + 1):
            if low == aim or high == aim or not 1 <= low + high - aim <= FACES:
                continue
            there = lying(state, low) > (1 if low == high else 0) and lying(state, high) > 0
            if there and (found == 0 or low + high == 2 * aim):
                found = 8 * low + high
    return found


@kernel
def choose_die(state: State, aim: int) -> int:
    """The next die for the power in use."""
    character = int(CHARACTER_OF[int(state.power)])
    if character == Character.MERCHANT or aim > FACES:
        return next_wanted(state, ~wanted_faces(state, aim))
    if character == Character.LADY:
        return next_wanted(state, 1 << (aim - 2))
    if character == Character.NOBLEMAN:
        return next_wanted(state, 1 << (aim - 3))
    if character == Character.MAID:
        return FACE + maids_die(state, aim)
    if character == Character.PHILOSOPHER or character == Character.ALCHEMIST:
        return choose_pair(state, character, aim)
    return next_wanted(state, ~wanted_faces(state, aim))


@kernel
def choose_pair(state: State, character: int, aim: int) -> int:
    """The Philosopher's giver and then his other die; the Alchemist's two dice, the lower first, and done."""
    pair = pair_for(state, aim)
    low = pair // 8
    high = pair % 8
    if character == Character.ALCHEMIST:
        if state.picks[1] > 0:
            return DONE
        return FACE + (high if state.picks[0] > 0 else low)
    gives_low = min(aim, low + high - aim) < low
    if state.picks[0] > 0:
        return FACE + (high if gives_low else low)
    return FACE + (low if gives_low else high)


@kernel
def choose_face(state: State, aim: int) -> int:
    """The new face: the one aimed for, said as the power in use asks for it."""
    character = int(CHARACTER_OF[int(state.power)])
    if character == Character.PHILOSOPHER:
        total = int(state.picks[0]) + int(state.picks[1])
        low = min(int(state.picks[0]), int(state.picks[1]))
        return FACE + abs(min(aim, total - aim) - low)
    if character == Character.ALCHEMIST:
        return FACE + min(aim, int(state.picks[0]) + int(state.picks[1]) - aim)
    return FACE + (min(aim, FACES))
