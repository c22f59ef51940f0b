"""The oracle's snapshot in the words of a position of To Court the King."""

from __future__ import annotations

import random
from typing import Any

NAMES = [
    "fool",
    "charlatan",
    "farmer",
    "maid",
    "philosopher",
    "laborer",
    "guard",
    "astronomer",
    "merchant",
    "hunter",
    "pawnbroker",
    "knight",
    "magician",
    "lady",
    "alchemist",
    "bishop",
    "nobleman",
    "general",
    "queen",
    "king",
]


def options(seats: int, rng: random.Random) -> dict[str, str]:
    return {}


def translate(snapshot: dict[str, Any]) -> dict[str, Any]:
    owned = snapshot["owned"]
    final = "none"
    if snapshot["final"]:
        final = "rounds" if snapshot["king"] is None else "king"
    return {
        "phase": phase_of(snapshot),
        "turn": snapshot["player"] or 0,
        "round": snapshot["round"],
        "starter": snapshot["start"] or 0,
        "final": final,
        "characters": [[name for name in NAMES for _ in range(mine.get(name, 0))] for mine in owned],
        "best": snapshot["best"],
        "results": [result or None for result in snapshot["results"]],
        "used": [name for name in NAMES if name in snapshot["used"]],
        "in_hand": snapshot["hand"],
        "rolling": snapshot["rolling"],
        "active": snapshot["active"],
        "aside": snapshot["aside"],
        "duty": snapshot["must_keep"],
    }


def phase_of(snapshot: dict[str, Any]) -> str:
    """The oracle tells dice in hand from dice rolled; the rules tell where one may still pass."""
    phase: str = snapshot["phase"]
    if phase == "lot":
        return "start"
    if phase == "hand" and snapshot["final"] and not snapshot["used"]:
        return "final"
    return {"hand": "turn", "active": "turn"}.get(phase, phase)
