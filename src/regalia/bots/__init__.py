"""Bots: view in, action out, within a budget.

from regalia import bots
bots.choose(match, seat, "knight").action
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from regalia.bots.opponents import BOTS, Choice, Considered, Opponent, known_bot, opponent

if TYPE_CHECKING:
    from regalia.bots.choice import choose, choose_safely

__all__ = ["BOTS", "Choice", "Considered", "Opponent", "choose", "choose_safely", "known_bot", "opponent"]


def __getattr__(name: str) -> Any:
    """What needs the compiler loads when it is first asked for."""
    if name not in ("choose", "choose_safely"):
        raise AttributeError(f"module 'regalia.bots' has no attribute '{name}'")
    from regalia.bots import choice

    return getattr(choice, name)
