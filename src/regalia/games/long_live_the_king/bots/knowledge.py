"""What bots know about Long Live the King: votes, cards as money, when an election helps, and what to stake."""

from __future__ import annotations

import math

from regalia.bots.knowledge import reward as reward
from regalia.core.arrays import Ints, Reals, Steps
from regalia.core.contract import Fact
from regalia.core.kernel import kernel
from regalia.games.long_live_the_king.components import (
    AREA_NAMES,
    AREAS,
    BANISH,
    COURTIERS,
    END,
    MOVE_BY,
    NO_ONE,
    NOWHERE,
    PLACE,
    PUT,
    RECLAIM,
    ROLL,
    STAKE,
    STAKES,
    VALUES,
    VOTES,
)
from regalia.games.long_live_the_king.election import area_votes, needed_votes, total_votes
from regalia.games.long_live_the_king.state import Phase, State

WEIGHTS = {
    "empty": 12.0,  # policy: odds of a free move to an empty area, per vote
    "own": 2.0,  # to an own one
    "foreign": 3.0,  # to a foreign one, per vote
    "guarded": 1.5,  # but so many less for each courtier there
    "place": 40.0,  # of the free courtier
    "roll": 2.0,  # of a favour roll for one more courtier
    "onward": 2.0,  # of a favour roll to move on
    "end": 4.0,  # of ending
    "stake_party": 2.0,  # how many points of cards intruder and defender like to stake, per vote of the area
    "stake_other": 1.5,  # and the others, in all
    "area": -0.17,  # evaluation, in units of win odds: per area vote,
    "soon_area": 0.27,  # and that much more the nearer an election is
    "bonus": 0.12,  # per bonus vote
    "card": 0.72,  # for cards: per unit of the logarithm of the points held,
    "point": 0.063,  # and per point
    "spread": 0.31,  # per area
    "guards": 0.125,  # per courtier on the board
    "soon_ready": 1.46,  # with votes enough to be elected, the more the nearer an election is
}
(
    EMPTY, OWN, FOREIGN, GUARDED, PLACING, ROLLING, ONWARD, ENDING, PARTY, OTHER,
    AREA, SOON_AREA, BONUS, CARD, POINT, SPREAD, GUARDS, SOON_READY,
) = range(len(WEIGHTS))  # fmt: skip
SOON = 3  # so many cards before somebody has none, an election is half as near as when it comes


@kernel
def policy(state: State, seat: int, steps: Steps, count: int, weights: Reals, odds: Ints) -> int:
    total = 0
    wanted = weights[OTHER]
    if state.phase == Phase.STAKES and (seat == state.turn or seat == state.defender):
        wanted = weights[PARTY] * int(VOTES[int(state.disputed)])
    for k in range(count):
        odds[k] = max(1, int(10 * weigh(state, seat, int(steps[k]), wanted, weights)))
        total += odds[k]
    return total


@kernel
def weigh(state: State, seat: int, step: int, wanted: float, weights: Reals) -> float:
    if step >= PUT:
        return 1.0
    if step >= STAKE:
        points = 0
        for value in range(VALUES):
            points += int(STAKES[step - STAKE, value]) * (value + 1)
        return 20.0 / (1.0 + (points - wanted) * (points - wanted))
    if step >= RECLAIM:
        return 1.0 + 20.0 * (step - RECLAIM)
    if step >= BANISH:
        return 1.0
    if step == END:
        return float(weights[ENDING])
    if step >= ROLL:
        return float(weights[ROLLING]) / (step - ROLL + 1)
    if step == PLACE:
        return float(weights[PLACING])
    factor = 1.0
    area = step
    if step >= MOVE_BY:
        area = (step - MOVE_BY) % AREAS
        factor = float(weights[ONWARD]) / 10.0
    owner = int(state.owner[area])
    if owner == seat:
        return float(weights[OWN]) * factor
    if owner == NO_ONE:
        return float(weights[EMPTY]) * int(VOTES[area]) * factor
    worth = weights[FOREIGN] * int(VOTES[area]) - weights[GUARDED] * int(state.courtiers[area])
    return float(factor * max(0.1, worth))


@kernel
def is_quiet(state: State) -> bool:
    """At the beginning of a turn."""
    return state.phase == Phase.TURN


@kernel
def evaluate(state: State, weights: Reals, values: Reals) -> None:
    """Cards decide most; votes count the more the sooner somebody runs out of cards."""
    seats = int(state.seats)
    fewest = int(state.cards[0])
    for seat in range(1, seats):
        fewest = min(fewest, int(state.cards[seat]))
    soon = SOON / (SOON + fewest)
    needed = needed_votes(state)
    best = -1e9
    for seat in range(seats):
        votes = area_votes(state, seat)
        points = 0
        for value in range(VALUES):
            points += int(state.hand[seat, value]) * (value + 1)
        sum_ = votes * (weights[AREA] + weights[SOON_AREA] * soon) + weights[BONUS] * int(state.bonus[seat])
        sum_ += weights[CARD] * math.log(1 + points) + weights[POINT] * points
        sum_ += weights[SPREAD] * int(state.areas[seat])
        sum_ += weights[GUARDS] * (COURTIERS - 1 - int(state.supply[seat]))
        if votes + int(state.bonus[seat]) >= needed:
            sum_ += weights[SOON_READY] * soon
        values[seat] = sum_
        best = max(best, sum_)
    total = 0.0
    for seat in range(seats):
        values[seat] = math.exp(values[seat] - best)
        total += values[seat]
    for seat in range(seats):
        values[seat] /= total


def facts(before: State, after: State, seat: int) -> list[Fact]:
    """Areas won and disputed, courtiers placed, cards spent, what an election would bring; then how things stand."""
    lines: list[Fact] = []
    if before.phase == Phase.STAKES:
        lines.append(("long_live_the_king.bots.stakes", {"votes": int(VOTES[int(before.disputed)])}))
    if after.disputed != NOWHERE and before.disputed == NOWHERE:
        area = int(after.disputed)
        lines.append(
            ("long_live_the_king.bots.disputes", {"area": AREA_NAMES[area], "votes": int(VOTES[area])})
        )
    gained = area_votes(after, seat) - area_votes(before, seat)
    if gained > 0:
        lines.append(("long_live_the_king.bots.gains", {"votes": gained}))
    placed = int(before.supply[seat]) - int(after.supply[seat])
    if placed > 0:
        lines.append(("long_live_the_king.bots.guards", {"courtiers": placed}))
    if before.phase == Phase.RECLAIM:
        lines.append(
            ("long_live_the_king.bots.reclaims", {"cards": int(after.cards[seat]) - int(before.cards[seat])})
        )
    spent = int(before.cards[seat]) - int(after.cards[seat])
    if spent > 0:
        lines.append(("long_live_the_king.bots.pays", {"left": int(after.cards[seat])}))
    votes, needed = total_votes(after, seat), needed_votes(after)
    if votes >= needed:
        lines.append(("long_live_the_king.bots.elected", {"votes": votes, "needed": needed}))
    elif after.phase == Phase.TURN and not lines:
        lines.append(("long_live_the_king.bots.saves", {"cards": int(after.cards[seat])}))
    if votes < needed:
        lines.append(("long_live_the_king.bots.lacks", {"votes": votes, "needed": needed}))
    lines.append(("long_live_the_king.bots.areas", {"areas": int(after.areas[seat])}))
    return lines
