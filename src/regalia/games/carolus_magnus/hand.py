"""At the table of the boxed game: who rolls."""

from __future__ import annotations

from regalia.games.carolus_magnus.state import Phase, State


def roller(state: State) -> int | None:
    """Who fills a reserve; the set-up is nobody's in particular."""
    return int(state.order[state.at]) if state.phase == Phase.DICE else None
