"""At a real table: who rolls, and what a hand of real cards can be."""

from __future__ import annotations

from probe.components import COPIES, VALUES
from probe.state import Phase, State


def roller(state: State) -> int | None:
    return int(state.leader) if state.phase == Phase.ROLL else None


def held(state: State, seat: int) -> dict[str, int]:
    return {
        f"c{value + 1}": COPIES - int(state.spent[value]) - int(state.hand[seat, value])
        for value in range(VALUES)
    }
