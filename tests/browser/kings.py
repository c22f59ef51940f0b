"""Positions of Long Live the King to begin browser tests from."""

from __future__ import annotations

from typing import Any

from games.long_live_the_king.table import describe

AREAS = (
    "0 Sedberouie 2, 0 Tateshale 3, 0 Stadford 1, 1 Man 2, 1 Loncastre 1, 1 Wigemor 2, "
    "2 Grentebrige 4, 2 Rouecestre 1, 3 Lundonia 3, 3 Lideforde 1, 3 Oxeneford 2"
)
NOBLES = {0: "Stadford", 1: "Loncastre", 2: "Rouecestre", 3: "Oxeneford"}
HANDS = ["4 3 2", "4 3 0", "3 2 0", "6 3 0"]  # only seat 0 holds an x3
NOT_SEEN = ["0 0 0"] * 4  # all cards were dealt face down
THREE = (
    "0 Sedberouie 2, 0 Tateshale 3, 0 Stadford 1, 0 Oxeneford 2, 0 Grentebrige 1, "
    "1 Wigemor 2, 1 Loncastre 1, 2 Lundonia 1, 2 Rouecestre 1"
)


def four(**words: Any) -> dict[str, Any]:
    usual = {"areas": AREAS, "nobles": NOBLES, "hands": HANDS, "known": NOT_SEEN, "bonus": [3, 2, 4, 1]}
    return describe(4, **{**usual, **words})


def five(**words: Any) -> dict[str, Any]:
    usual: dict[str, Any] = {
        "areas": f"{AREAS}, 4 Lincolia 2, 4 Sarisberie 1",
        "nobles": {**NOBLES, 4: "Lincolia"},
        "hands": [*HANDS, "4 4 0"],
        "known": [*NOT_SEEN, "0 0 0"],
        "bonus": [3] * 5,
    }
    return describe(5, **{**usual, **words})


def last_card() -> dict[str, Any]:
    """Seat 0 has votes enough and one card: when it is gone, an election makes a king."""
    return describe(
        3,
        areas=THREE,
        nobles={0: "Stadford", 1: "Loncastre", 2: "Rouecestre"},
        hands=["1 0 0", "4 3 0", "6 2 1"],
        known=["0 0 0"] * 3,
        bonus=[10, 8, 6],
    )
