"""What every move of the emperor would do, played out by the rules themselves on a copy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from regalia.games.carolus_magnus.castles import move_emperor, read_strengths
from regalia.games.carolus_magnus.components import MOST_SEATS, NONE, PROVINCES, SIDE_OF, SIDES
from regalia.games.carolus_magnus.ring import COLUMNS, Place, list_places, places, read_ring
from regalia.games.carolus_magnus.rules import reach, score
from regalia.games.carolus_magnus.state import Phase, Reason, State

if TYPE_CHECKING:
    from regalia.core.match import Match


def emperor(match: Match, seat: int) -> list[dict[str, Any]]:
    """The emperor's moves open to a seat and what each would do; [] when the seat is not about to move it.

    While the seat still brings knights into play, it is what would happen as things stand. Each move has

        action      its text: `move 2`
        place       where the emperor would stop, by its number before the move
        strengths   of every side there
        takes       the side that would build or take over, or None
        loses       the side whose castles would leave, or None
        castles     how many castles would be built or change hands
        merges      the numbers of the places that would join it
        region      the provinces of the place afterwards, clockwise
        ends        why the game would end, or None
        winners     the seats that would have won, [] if it goes on
    """
    return moves(match.seen(seat)[0]) if seat in match.actors else []


def moves(state: State) -> list[dict[str, Any]]:
    """The same for the player in turn."""
    if state.phase not in (Phase.KNIGHTS, Phase.EMPEROR):
        return []
    ring, strengths = survey(state)
    stands = next(k for k, place in enumerate(ring) if place.number == state.emperor + 1)
    found = []
    for steps in range(1, reach(state, int(state.order[state.at])) + 1):
        stop = (stands + steps) % len(ring)
        found.append({"action": f"move {steps}", "place": ring[stop].number, "strengths": strengths[stop]})
        found[-1].update(outlook(state, steps, ring, ring[stop]))
    return found


def outlook(state: State, steps: int, ring: list[Place], stop: Place) -> dict[str, Any]:
    """What becomes of the place where the emperor stops."""
    after = np.array([state], dtype=state.dtype)[0]  # type: ignore[attr-defined]
    move_emperor(after, steps)
    region = next(place for place in places(after) if place.number == after.emperor + 1)
    joined = [place for place in ring if place != stop and place.number in region.provinces]
    changed = region.owner != stop.owner
    return {
        "takes": SIDES[region.owner] if changed else None,
        "loses": SIDES[stop.owner] if changed and stop.owner != NONE else None,
        "castles": region.castles - sum(place.castles for place in joined) if changed else 0,
        "merges": [place.number for place in joined],
        "region": region.provinces,
        "ends": Reason(int(after.reason)).name.lower() if after.reason else None,
        "winners": winners(after) if after.reason else [],
    }


def survey(state: State) -> tuple[list[Place], list[dict[str, int]]]:
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
