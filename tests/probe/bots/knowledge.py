"""What bots know about the probe: marks are worth the dice that show them, and a lead is worth something."""

from __future__ import annotations

import math

from probe.components import END, MARK, SEATS
from probe.state import Phase, State
from regalia.bots.knowledge import reward as reward
from regalia.core.arrays import Ints, Reals, Steps
from regalia.core.contract import Fact
from regalia.core.kernel import kernel

WEIGHTS = {
    "mark": 4.0,  # policy: how much more likely a mark is, per die that shows it
    "points": 0.5,  # evaluation: what a point of lead is worth
}
MARKED, POINTS = range(len(WEIGHTS))


@kernel
def policy(state: State, seat: int, steps: Steps, count: int, weights: Reals, odds: Ints) -> int:
    if state.phase != Phase.TURN:
        return 0
    total = 0
    for k in range(count):
        step = int(steps[k])
        shown = int(state.dice[step - MARK]) if MARK <= step < END else 0
        odds[k] = 10 + int(10 * weights[MARKED] * shown)
        total += odds[k]
    return total


@kernel
def is_quiet(state: State) -> bool:
    """Not while cards or dice are to come, or in the middle of a re-roll."""
    return state.phase == Phase.STAKE or state.phase == Phase.TURN


@kernel
def evaluate(state: State, weights: Reals, values: Reals) -> None:
    lead = 0 + int(state.points[0]) - int(state.points[1])
    share = 1.0 / (1.0 + math.exp(-weights[POINTS] * lead))
    for seat in range(SEATS):
        values[seat] = share if seat % 2 == 0 else 1.0 - share


def facts(before: State, after: State, seat: int) -> list[Fact]:
    """What was scored or staked; then how the teams stand."""
    team = seat % 2
    told: list[Fact] = []
    scored = int(after.points[team]) - int(before.points[team])
    if scored:
        told.append(("probe.bots.scores", {"points": scored}))
    elif before.phase == Phase.STAKE:
        told.append(("probe.bots.stakes", {"value": int(after.stake[seat, 0]) or int(after.shown[seat])}))
    elif after.phase == Phase.PICK:
        told.append(("probe.bots.rolls", {}))
    told.append(
        ("probe.bots.stands", {"points": int(after.points[team]), "rival": int(after.points[1 - team])})
    )
    return told
