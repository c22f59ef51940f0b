"""The oracle's snapshot in the words of a position of The Rose King."""

from __future__ import annotations

import random
from typing import Any


def options(seats: int, rng: random.Random) -> dict[str, str]:
    return {}


def translate(snapshot: dict[str, Any]) -> dict[str, Any]:
    stones = snapshot["stones"]
    position = {
        "phase": snapshot["phase"],
        "board": [
            "".join(".rw"[stones.get(f"{column}{row}", -1) + 1] for column in "abcdefghi")
            for row in range(9, 0, -1)
        ],
        "crown": snapshot["crown"],
        "heroes": snapshot["heroes"],
        "reason": snapshot["reason"] or "running",
    }
    if snapshot["turn"] is not None:
        position["turn"] = snapshot["turn"]
    return position


def pairs(position: dict[str, Any], snapshot: dict[str, Any]) -> dict[str, tuple[object, object]]:
    hands = [sorted(hand) for hand in position["hands"]], snapshot["hands"]
    return {
        "hands": hands,
        "pile": (sorted(position["pile"]), snapshot["pile"]),
        "discards": (sorted(position["discards"]), snapshot["discards"]),
    }
