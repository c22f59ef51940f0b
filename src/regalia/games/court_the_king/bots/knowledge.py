"""What bots know about To Court the King: which characters to want, and how dice are brought together."""

from __future__ import annotations

import math

from regalia.bots.knowledge import reward as reward
from regalia.core.arrays import Ints, Reals, Steps
from regalia.core.contract import Fact
from regalia.core.kernel import kernel
from regalia.games.court_the_king.bots.policy import choose
from regalia.games.court_the_king.components import (
    ADDS,
    CHARACTER_OF,
    CHARACTERS,
    COMPULSORY,
    DONE,
    FACE,
    FACES,
    NAMES,
    OWN_DICE,
    ROLL,
    TAKE,
    TAKE_NONE,
    USE,
    Character,
)
from regalia.games.court_the_king.costs import is_met, most_equal, number_of
from regalia.games.court_the_king.state import Final, Phase, State

# What a character is worth, in units of win odds: dice most, then what changes dice.
WEIGHTS = {
    "fool": 0.25,
    "charlatan": 0.6,
    "farmer": 0.7,
    "maid": 0.35,
    "philosopher": 0.35,
    "laborer": 0.55,
    "guard": 0.6,
    "astronomer": 0.5,
    "merchant": 0.6,
    "hunter": 0.65,
    "pawnbroker": 0.7,
    "knight": 0.75,
    "magician": 0.7,
    "lady": 0.45,
    "alchemist": 0.5,
    "bishop": 0.8,
    "nobleman": 0.5,
    "general": 1.4,
    "queen": 0.6,
    "king": 2.0,
    "tempo": 0.15,  # of being nearer to the next turn
    "seven": 0.4,  # of each die from the seventh on: the King is then within reach
    "scale": 1.0,
    "gather": 40.0,  # policy: odds of setting aside a die of the most frequent face,
    "high": 4.0,  # of a five or six
    "any": 1.0,  # of another die
    "roll": 30.0,  # of rolling
    "add": 30.0,  # of adding a die,
    "add_fitting": 90.0,  # of the most frequent face
    "change": 10.0,  # of another power
    "stop": 20.0,  # of setting aside no more dice now
    "wish": 400.0,  # of what the game's simple player would do, which aims at the card of most promise
}
TEMPO, SEVEN, SCALE, GATHER, HIGH, ANY, ROLLING, ADD, FITTING, CHANGE, STOP, WISH = range(
    CHARACTERS, len(WEIGHTS)
)
SIX = 6  # dice, with which the King is out of reach
# GIVES[character]: how many dice it brings to a turn.
GIVES = COMPULSORY.copy()
for _power, _character in enumerate(CHARACTER_OF):
    GIVES[_character] = ADDS[_power] > 0
GIVES.setflags(write=False)


@kernel
def policy(state: State, seat: int, steps: Steps, count: int, weights: Reals, odds: Ints) -> int:
    """Gather one face; take what is worth most."""
    wanted = most_frequent(state)
    wish = choose(state, seat)
    total = 0
    for k in range(count):
        step = int(steps[k])
        if step == wish and step < TAKE:
            odd = weights[WISH]
        elif step >= TAKE:
            odd = 0.1
            if step != TAKE_NONE:
                odd = 100.0 * worth_of(step - TAKE, weights)
                odd = odd * odd
        elif step >= USE:
            adds = int(ADDS[step - USE])
            odd = weights[CHANGE]
            if adds > 0:
                odd = weights[FITTING] if adds >= wanted else weights[ADD]
        elif step > FACE:
            odd = weigh_face(state, step - FACE, wanted, weights)
        elif step == ROLL:
            odd = weights[ROLLING]
        elif step == DONE:
            odd = weights[STOP]
            if state.phase == Phase.KEEPING and state.active[wanted - 1] > 0:
                odd = 1.0
        else:
            odd = 1.0
        odds[k] = max(1, int(10 * odd))
        total += odds[k]
    return total


@kernel
def most_frequent(state: State) -> int:
    """The face of most dice in this turn, set aside ones counted double; the highest of several."""
    face = 1
    most = 0
    for k in range(FACES):
        number = int(state.active[k]) + 2 * int(state.aside[k])
        if number >= most:
            most = number
            face = k + 1
    return face


@kernel
def weigh_face(state: State, face: int, wanted: int, weights: Reals) -> float:
    """Set aside what is gathered; change and roll again the rest."""
    fits = face == wanted
    if state.phase == Phase.USING:
        fits = not fits
    if fits:
        return float(weights[GATHER])
    return float(weights[HIGH]) if face >= FACES - 1 else float(weights[ANY])


@kernel
def worth_of(character: int, weights: Reals) -> float:
    """What taking a character adds; the Charlatan costs the Fool."""
    worth = float(weights[character])
    if character == Character.CHARLATAN:
        worth -= weights[Character.FOOL]
    elif character == Character.KING:
        worth += weights[Character.QUEEN]
    return max(worth, 0.01)


@kernel
def is_quiet(state: State) -> bool:
    """Before a turn's first roll, unless the end is near: the last rounds are played out."""
    return (
        state.phase == Phase.TURN
        and state.in_hand > 0
        and state.final == Final.NONE
        and state.display[Character.KING] > 0
    )


@kernel
def dice_of(state: State, seat: int) -> int:
    """Dice that a seat can have in a turn, compulsory and added ones."""
    dice = OWN_DICE
    for character in range(CHARACTERS):
        dice += int(state.owned[seat, character]) * int(GIVES[character])
    return dice


@kernel
def evaluate(state: State, weights: Reals, values: Reals) -> None:
    seats = int(state.seats)
    best = -1e9
    for seat in range(seats):
        sum_ = 0.0
        for character in range(CHARACTERS):
            sum_ += weights[character] * int(state.owned[seat, character])
        sum_ += weights[SEVEN] * max(0, dice_of(state, seat) - SIX)
        waits = (seat + seats - int(state.turn)) % seats
        sum_ -= weights[TEMPO] * waits / seats
        values[seat] = sum_
        best = max(best, sum_)
    total = 0.0
    for seat in range(seats):
        values[seat] = math.exp(weights[SCALE] * (values[seat] - best))
        total += values[seat]
    for seat in range(seats):
        values[seat] /= total


def facts(before: State, after: State, seat: int) -> list[Fact]:
    """What is gained, what the dice set aside are good for, and what was used; then how things stand."""
    rivals = [int(after.owned[other].sum()) for other in range(int(after.seats)) if other != seat]
    standing: list[Fact] = [
        ("court_the_king.bots.dice", {"dice": dice_of(after, seat)}),
        ("court_the_king.bots.owns", {"own": int(after.owned[seat].sum()), "rival": max(rivals)}),
    ]
    gained = [one for one in range(CHARACTERS) if after.owned[seat, one] > before.owned[seat, one]]
    lines: list[Fact] = [(f"court_the_king.bots.gains_{NAMES[one]}", {}) for one in gained]
    if after.turn != before.turn or after.phase == Phase.OVER:
        return (lines or [("court_the_king.bots.passes", {})]) + standing
    for power in range(len(ADDS)):
        if before.ready[power] > after.ready[power]:
            name = NAMES[int(CHARACTER_OF[power])]
            kind = "adds" if ADDS[power] > 0 else "changes"
            lines.append((f"court_the_king.bots.{kind}_{name}", {}))
    kept = number_of(after.aside) - number_of(before.aside)
    if kept > 0 and most_equal(after.aside) > 1:
        face = most_equal_face(after)
        lines.append(("court_the_king.bots.gathers", {"dice": most_equal(after.aside), "face": face}))
    if kept > 0:
        met = [one for one in range(CHARACTERS) if can_gain(after, seat, one)]
        if met:
            lines.append((f"court_the_king.bots.pays_{NAMES[max(met)]}", {}))
    if not lines:
        dice = int(after.rolling) or number_of(after.active)
        lines.append(("court_the_king.bots.rolls", {"dice": dice}))
    return lines + standing


def can_gain(state: State, seat: int, character: int) -> bool:
    if character in (Character.FOOL, Character.CHARLATAN, Character.QUEEN):
        return False
    return bool(
        state.display[character] > 0 and state.owned[seat, character] == 0 and is_met(state.aside, character)
    )


def most_equal_face(state: State) -> int:
    return max(range(FACES), key=lambda k: (int(state.aside[k]), k)) + 1
