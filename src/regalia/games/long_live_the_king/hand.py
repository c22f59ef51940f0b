"""At the table of the boxed game: who rolls, and what a hand of real cards can be."""

from __future__ import annotations

from regalia.games.long_live_the_king.cards import pooled
from regalia.games.long_live_the_king.components import CARD_NAMES
from regalia.games.long_live_the_king.state import Phase, State


def roller(state: State) -> int | None:
    """Favour rolls, disputes and ties have one; start areas are nobody's in particular."""
    return None if state.phase in (Phase.START, Phase.DEAL) else int(state.active)


def held(state: State, seat: int) -> dict[str, int]:
    """LK-80: the cards that are neither in the own hand, nor known in another's, nor on the table."""
    return {
        name: pooled(state, value) + int(state.known[seat, value]) - int(state.hand[seat, value])
        for value, name in enumerate(CARD_NAMES)
    }
