"""Which clause of Long Live the King refuses a step. The state is hidden to what the seat may see."""

from __future__ import annotations

from regalia.games.long_live_the_king.components import (
    AREAS,
    BANISH,
    DEGREE,
    MAN,
    MOVE_BY,
    NEIGHBOURS,
    NO_ONE,
    NO_RECLAIM,
    NO_STAKE,
    NOWHERE,
    PLACE,
    PUT,
    RECLAIM,
    STAKE,
    VOTES,
)
from regalia.games.long_live_the_king.state import Phase, State
from regalia.games.long_live_the_king.turn import placing_area

# What a phase asks for: nothing else is possible in it.
ASKED = {
    Phase.STAKES: "LK-50",
    Phase.DICE: "LK-52",
    Phase.PUTTING: "LK-52",
    Phase.BANISH: "LK-62",
    Phase.RECLAIM: "LK-64",
}
DUE = {Phase.START: "LK-4", Phase.DIE: "LK-20", Phase.ROLL: "LK-52", Phase.TIE: "LK-77", Phase.DEAL: "LK-80"}


def refuse(state: State, seat: int, step: int) -> str:
    phase = Phase(int(state.phase))
    if STAKE <= step < PUT or step == NO_STAKE:
        return "LK-51"
    if phase in ASKED:
        return ASKED[phase]
    if RECLAIM <= step < STAKE or step == NO_RECLAIM:
        return "LK-64"
    if step >= PUT:
        return "LK-52"
    if step >= BANISH:
        return "LK-60"
    if step >= PLACE:
        return refuse_placing(state, seat, step)
    return refuse_move(state, seat, step)


def refuse_placing(state: State, seat: int, step: int) -> str:
    """`place` or `roll` in a turn."""
    if state.phase == Phase.FAILED:
        return "LK-33"
    if (step == PLACE) == bool(state.placed):
        return "LK-30"
    if state.supply[seat] == 0:
        return "LK-36"
    area = placing_area(state, seat)
    if state.courtiers[area] == VOTES[area]:
        return "LK-31"
    return "LK-20" if state.disputed == NOWHERE else "LK-63"


def refuse_move(state: State, seat: int, step: int) -> str:
    if state.phase == Phase.PLACING:
        return "LK-32" if state.disputed == NOWHERE else "LK-63"
    is_free = step < MOVE_BY
    if is_free != (state.phase == Phase.TURN):
        return "LK-35"
    area = step % AREAS
    return refuse_area(state, seat, area, 0 if is_free else 1) or "LK-20"


def refuse_area(state: State, seat: int, area: int, price: int) -> str | None:
    """LK-34: why an area may not be entered."""
    origin = int(state.nobles[seat])
    if area not in NEIGHBOURS[origin, : DEGREE[origin]]:
        return "LK-10" if area == origin else "LK-12"
    if area == MAN and state.seats == 3:
        return "LK-2"
    if state.entered >> area & 1:
        return "LK-13"
    owner = int(state.owner[area])
    if owner in (NO_ONE, seat):
        return None
    if state.areas[owner] == 1:
        return "LK-41"
    return "LK-42" if state.cards[seat] <= price else None


def out_of_turn(state: State) -> str:
    phase = Phase(int(state.phase))
    if phase == Phase.STAKES:
        return "LK-51"
    if phase == Phase.PLACING and state.disputed != NOWHERE:
        return "LK-63"
    return ASKED.get(phase) or DUE.get(phase, "LK-5")


def over(state: State) -> str:
    return "LK-74"
