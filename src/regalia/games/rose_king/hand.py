"""At the table of the boxed game: who turns up a card."""

from __future__ import annotations

from regalia.games.rose_king.state import Phase, State


def roller(state: State) -> int | None:
    """Who draws; the ten cards of the start are nobody's in particular."""
    return int(state.turn) if state.phase == Phase.DRAW else None
