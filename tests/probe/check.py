"""Refusing positions that no game of the probe could reach, as far as counting tells."""

from __future__ import annotations

from probe.components import COPIES, SEATS, VALUES
from probe.state import State
from regalia.core.position import Fields


def check(state: State, fields: Fields) -> None:
    """PB-1: every card is somewhere, and as many as are told."""
    for value in range(VALUES):
        held = sum(
            int(state.hand[seat, value]) + (state.stake[seat, 0] == value + 1) for seat in range(SEATS)
        )
        if held + int(state.spent[value]) + int(state.deck[value]) != COPIES:
            fields.refuse("deck", f"{value + 1} (PB-1)")
    for seat in range(SEATS):
        if int(state.held[seat]) != state.hand[seat].sum() + (state.stake[seat, 0] > 0):
            fields.refuse("cards", f"seat {seat} (PB-1)")
