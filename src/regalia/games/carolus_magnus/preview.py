"""What every move of the emperor would do, played out by the rules themselves on a copy."""

from __future__ import annotations

from typing import get_args

import numpy as np

from regalia.games.carolus_magnus.castles import move_emperor, read_strengths
from regalia.games.carolus_magnus.components import MOST_SEATS, NONE, PROVINCES, SIDE_OF, SIDES, Side
from regalia.games.carolus_magnus.ring import COLUMNS, Place, list_places, places, read_ring
from regalia.games.carolus_magnus.rules import reach, score
from regalia.games.carolus_magnus.state import Phase, State
from regalia.games.carolus_magnus.view import ReasonName, Stop

REASONS: tuple[ReasonName, ...] = get_args(ReasonName)


def moves(state: State) -> list[Stop]:
    """The moves of the player in turn, while knights are still brought into play too; [] when none is near."""
    if state.phase not in (Phase.KNIGHTS, Phase.EMPEROR):
        return []
    ring, strengths = survey(state)
    stops = []
    for steps in range(1, reach(state, int(state.order[state.at])) + 1):
        after = np.array([state], dtype=state.dtype)[0]  # type: ignore[attr-defined]
        move_emperor(after, steps)
        at = stop_of(state, ring, steps)
        stops.append(judge(steps, ring, at, strengths[at], after))
    return stops


def stop_of(state: State, ring: list[Place], steps: int) -> int:
    """Which place of the ring a move leads to."""
    stands = next(k for k, place in enumerate(ring) if place.number == state.emperor + 1)
    return (stands + steps) % len(ring)


def judge(steps: int, ring: list[Place], at: int, strengths: dict[Side, int], after: State) -> Stop:
    """What became of the place where the emperor stopped."""
    stop = ring[at]
    region = next(place for place in places(after) if place.number == after.emperor + 1)
    joined = [place for place in ring if place != stop and place.number in region.provinces]
    changed = region.owner != stop.owner
    return Stop(
        action=f"move {steps}",
        place=stop.number,
        strengths=strengths,
        takes=SIDES[region.owner] if changed else None,
        loses=SIDES[stop.owner] if changed and stop.owner != NONE else None,
        castles=region.castles - sum(place.castles for place in joined) if changed else 0,
        merges=[place.number for place in joined],
        region=region.provinces,
        ends=REASONS[after.reason] if after.reason else None,
        winners=winners(after) if after.reason else [],
    )


def survey(state: State) -> tuple[list[Place], list[dict[Side, int]]]:
    """The ring, and the strength of every side at the table in each of its places (CM-50)."""
    ring = np.zeros((PROVINCES, COLUMNS), np.int64)
    strengths = np.zeros((PROVINCES, len(SIDES)), np.int64)
    count = read_ring(state, ring)
    read_strengths(state, ring, count, strengths)
    sides = SIDES[: len(teams(state))]
    return list_places(ring, count), [
        dict(zip(sides, row, strict=False)) for row in strengths[:count].tolist()
    ]


def teams(state: State) -> list[list[int]]:
    """CM-8: the seats of each side."""
    sides = SIDE_OF[state.seats, state.partners, : state.seats].tolist()
    return [[seat for seat, own in enumerate(sides) if own == side] for side in range(max(sides) + 1)]


def winners(state: State) -> list[int]:
    points, ranks = np.zeros((2, MOST_SEATS), np.int64)
    score(state, points, ranks)
    return [seat for seat in range(int(state.seats)) if ranks[seat] == 1]
