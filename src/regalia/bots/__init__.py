"""Bots: view in, action out, within a budget."""

from __future__ import annotations

from regalia.bots.player import BOTS, Choice, choose

__all__ = ["BOTS", "Choice", "choose"]
