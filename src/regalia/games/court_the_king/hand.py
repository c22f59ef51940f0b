"""At the table of the boxed game: who rolls."""

from __future__ import annotations

from regalia.games.court_the_king.state import Phase, State


def roller(state: State) -> int | None:
    """Whose turn it is."""
    return int(state.turn) if state.phase == Phase.ROLLING else None
