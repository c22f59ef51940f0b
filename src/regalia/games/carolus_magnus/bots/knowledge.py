"""What bots know about Carolus Magnus: control of families, majorities, and what the emperor can do next."""

from __future__ import annotations

import math

import numpy as np

from regalia.bots.knowledge import reward as reward
from regalia.core.arrays import Ints, Reals, Steps
from regalia.core.contract import Fact
from regalia.core.kernel import kernel
from regalia.games.carolus_magnus.castles import side_of, strength, strongest
from regalia.games.carolus_magnus.components import (
    CASTLES,
    COLOURS,
    COURT,
    DISCS,
    FAMILIES,
    NONE,
    PROVINCES,
    SERVICE,
    SIDES,
    TAKE,
    TARGETS,
)
from regalia.games.carolus_magnus.ring import next_place, previous_place
from regalia.games.carolus_magnus.state import Phase, State

WEIGHTS = {
    "far": 1.0,  # policy: odds of a knight of the own side's colours in a place out of the emperor's reach,
    "near": 8.0,  # in a place he can reach
    "tip": 60.0,  # and where it gives the majority
    "foreign": 0.3,  # of another side's colour, anywhere
    "court": 4.0,  # into the court, where it changes nothing,
    "control": 80.0,  # where it takes control of the colour,
    "defend": 20.0,  # where it keeps a narrow lead
    "gain": 80.0,  # the emperor to a place that then becomes the own side's, per castle
    "loss": 0.2,  # to one that then becomes another's
    "castles": 0.5,  # evaluation, in units of win odds: per castle on the table
    "families": 0.3,  # per colour controlled
    "margin": 0.02,  # per knight of a lead in a court, up to three
    "threat": 0.1,  # per castle that would be gained, were the emperor there,
    "close": 0.15,  # more within the emperor's reach
    "last": 1.0,  # when few castles are left
    "scale": 1.0,
}
(
    FAR, NEAR, TIP, FOREIGN, COURTING, CONTROL, DEFEND, GAIN, LOSS, BUILT, FAMILY, MARGIN, THREAT, CLOSE, LAST, SCALE,
) = range(len(WEIGHTS))  # fmt: skip
NARROW = 2  # a lead in a court that another player may overtake soon


@kernel
def policy(state: State, seat: int, steps: Steps, count: int, weights: Reals, odds: Ints) -> int:
    if state.phase == Phase.KNIGHTS:
        return weigh_knights(state, seat, steps, count, weights, odds)
    if state.phase == Phase.EMPEROR:
        return weigh_moves(state, seat, count, weights, odds)
    if state.phase == Phase.DISC:
        return 0
    total = 0
    for k in range(count):
        colour = int(steps[k]) - TAKE
        holder = int(state.control[colour])
        odds[k] = 3 if holder == NONE or side_of(state, holder) == side_of(state, seat) else 2
        total += odds[k]
    return total


@kernel
def weigh_knights(state: State, seat: int, steps: Steps, count: int, weights: Reals, odds: Ints) -> int:
    """Into a court for control; onto the table for majorities where the emperor can come."""
    reached = 0
    place = int(state.emperor)
    for _ in range(int(state.discs[seat])):
        place = next_place(state, place)
        reached |= 1 << place
    side = side_of(state, seat)
    total = 0
    for k in range(count):
        colour = int(steps[k]) // TARGETS
        target = int(steps[k]) % TARGETS
        holder = int(state.control[colour])
        if target == COURT:
            odd = weights[COURTING]
            if holder == NONE or (
                holder != seat and state.courts[seat, colour] == state.courts[holder, colour]
            ):
                odd = weights[CONTROL]
            elif holder == seat and lead_in_court(state, seat, colour) < NARROW:
                odd = weights[DEFEND]
        elif holder == NONE or side_of(state, holder) != side:
            odd = weights[FOREIGN]
        elif reached >> target & 1:
            odd = weights[NEAR]
            if state.owner[target] != side:
                behind = best_other(state, target, side) - strength(state, target, side)
                if 0 <= behind < int(state.due):
                    odd = weights[TIP]
        else:
            odd = weights[FAR]
        odds[k] = max(1, int(10 * odd))
        total += odds[k]
    return total


@kernel
def lead_in_court(state: State, seat: int, colour: int) -> int:
    """How many more knights of a colour than the best of the other courts."""
    best = 0
    for other in range(int(state.seats)):
        if other != seat:
            best = max(best, int(state.courts[other, colour]))
    return int(state.courts[seat, colour]) - best


@kernel
def best_other(state: State, place: int, side: int) -> int:
    """The strength of the strongest other side."""
    best = 0
    for other in range(len(SIDES)):
        if other != side:
            best = max(best, strength(state, place, other))
    return best


@kernel
def weigh_moves(state: State, seat: int, count: int, weights: Reals, odds: Ints) -> int:
    """The emperor where the own side gains, not where another does."""
    side = side_of(state, seat)
    place = int(state.emperor)
    total = 0
    for k in range(count):
        place = next_place(state, place)
        odd = 1.0
        taker = strongest(state, place)
        if taker != NONE and taker != state.owner[place]:
            odd = weights[GAIN] * max(1, int(state.castles[place])) if taker == side else weights[LOSS]
        odds[k] = max(1, int(10 * odd))
        total += odds[k]
    return total


@kernel
def is_quiet(state: State) -> bool:
    """Between the actions of two players, or of one and the next discs."""
    return state.phase == Phase.DISC or (
        state.phase == Phase.KNIGHTS and state.due == SERVICE[int(state.seats)]
    )


@kernel
def potential(state: State, weights: Reals, sums: Reals) -> None:
    """Per side: castles, families, and what the emperor could bring."""
    for side in range(len(SIDES)):
        built = int(CASTLES[int(state.seats)]) - int(state.stock[side])
        sums[side] = weights[BUILT] * built + weights[LAST] / (1.0 + int(state.stock[side]))
    for colour in range(FAMILIES):
        holder = int(state.control[colour])
        if holder != NONE:
            lead = min(3, lead_in_court(state, holder, colour))
            sums[side_of(state, holder)] += weights[FAMILY] + weights[MARGIN] * lead
    place = int(state.emperor)
    for far in range(PROVINCES):
        place = next_place(state, place)
        taker = strongest(state, place)
        if taker != NONE and taker != state.owner[place]:
            worth = max(1, int(state.castles[place]))
            if (
                state.owner[next_place(state, place)] == taker
                or state.owner[previous_place(state, place)] == taker
            ):
                worth += 1
            worth *= 2 if state.owner[place] != NONE else 1
            sums[taker] += (weights[THREAT] + (weights[CLOSE] if far < DISCS else 0.0)) * worth
        if place == state.emperor:
            break


@kernel
def evaluate(state: State, weights: Reals, values: Reals) -> None:
    sums = np.zeros(len(SIDES), np.float64)
    potential(state, weights, sums)
    seats = int(state.seats)
    sides = 2 if seats == 4 else seats
    best = sums[0]
    for side in range(sides):
        best = max(best, sums[side])
    total = 0.0
    for side in range(sides):
        sums[side] = math.exp(weights[SCALE] * (sums[side] - best))
        total += sums[side]
    for seat in range(seats):
        values[seat] = sums[side_of(state, seat)] / total


def facts(before: State, after: State, seat: int) -> list[Fact]:
    """Control gained, castles built and taken, regions merged, what is threatened next; then how things stand."""
    side = side_of(after, seat)
    gained = [one for one in range(FAMILIES) if after.control[one] == seat != before.control[one]]
    lines: list[Fact] = [(f"carolus_magnus.bots.controls_{COLOURS[one]}", {}) for one in gained]
    built = int(before.stock[side]) - int(after.stock[side])
    lost = sum(
        int(after.stock[other]) - int(before.stock[other]) for other in range(len(SIDES)) if other != side
    )
    if built > 0 and lost > 0:
        lines.append(("carolus_magnus.bots.captures", {"castles": built}))
    elif built > 0:
        lines.append(("carolus_magnus.bots.builds", {"castles": built}))
    if before.phase == Phase.EMPEROR:
        merged = places(before) - places(after) + 1
        if merged > 1 and built > 0:
            lines.append(("carolus_magnus.bots.merges", {"places": merged}))
        if built == 0 and lost == 0:
            lines.append(("carolus_magnus.bots.waits", {}))
    before_gains, gains = gains_of(before, side), gains_of(after, side)
    if before.phase == Phase.KNIGHTS and gains > before_gains:
        lines.append(("carolus_magnus.bots.threatens", {"castles": gains}))
    if before.phase == Phase.DISC:
        disc = int(after.discs[seat])
        lines.append(
            ("carolus_magnus.bots.reach" if disc > 2 else "carolus_magnus.bots.early", {"disc": disc})
        )
    held = sum(holder != NONE and side_of(after, holder) == side for holder in map(int, after.control))
    lines.append(("carolus_magnus.bots.families", {"families": held}))
    lines.append(("carolus_magnus.bots.castles", {"castles": int(after.stock[side])}))
    return lines


def places(state: State) -> int:
    return sum(int(state.place[province]) == province for province in range(PROVINCES))


def gains_of(state: State, side: int) -> int:
    """Castles that a side would gain, were the emperor to stop in the right place within five steps."""
    place, most = int(state.emperor), 0
    for _ in range(DISCS):
        place = next_place(state, place)
        if strongest(state, place) == side and state.owner[place] != side:
            most = max(most, int(state.castles[place]), 1)
    return most
