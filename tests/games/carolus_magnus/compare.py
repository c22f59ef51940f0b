"""The oracle's snapshot in the words of a position of Carolus Magnus."""

from __future__ import annotations

import random
from typing import Any

PHASES = {
    "province": "spread",
    "emperor": "arrival",
    "first": "start",
    "knight": "knights",
    "move": "emperor",
    "take": "crown",
}
SIDES = ("black", "white", "grey")


def options(seats: int, rng: random.Random) -> dict[str, str]:
    if seats < 4:
        return {}
    return {"partners": rng.choice(["02-13", "01-23", "03-12"]), "confer": rng.choice(["false", "true"])}


def translate(snapshot: dict[str, Any]) -> dict[str, Any]:
    seats = snapshot["seats"]
    laid = dict(snapshot["laid"])
    position = {
        "seats": seats,
        "options": snapshot["options"],
        "phase": PHASES.get(snapshot["phase"], snapshot["phase"]),
        "round": snapshot["round"],
        "order": snapshot["acting"] or snapshot["choosing"] or list(range(seats)),
        "due": snapshot["to_bring"] or snapshot["dice_due"],
        "brought": snapshot["brought"] > 0,
        "emperor": snapshot["emperor"],
        "ring": [translate_place(place) for place in snapshot["places"]],
        "control": snapshot["control"],
        "reason": snapshot["outcome"]["reason"] if snapshot["outcome"] else "running",
    }
    if snapshot["phase"] == "province":
        position["due"] = sum(snapshot["supply"].values()) - 185
    if snapshot["phase"] != "over":
        position["turn"] = snapshot["seat"]
    if not snapshot[
        "dice"
    ]:  # half a roll: the rules serve each coloured die at once, the oracle all together
        position["crowns"] = snapshot["crowns"]
        position["players"] = [
            {
                "court": snapshot["courts"][seat],
                "reserve": snapshot["reserves"][seat],
                "disc": laid.get(seat),
                "used": [disc for disc in range(1, 6) if disc not in snapshot["discs"][seat]],
            }
            for seat in range(seats)
        ]
    return position


def translate_place(place: dict[str, Any]) -> dict[str, Any]:
    """Provinces clockwise: those before the gap come last when a region runs past 15."""
    provinces = place["provinces"]
    gap = next((k for k in range(1, len(provinces)) if provinces[k] != provinces[k - 1] + 1), 0)
    return {
        "place": place["place"],
        "provinces": provinces[gap:] + provinces[:gap],
        "knights": place["knights"],
        "owner": None if place["side"] is None else SIDES[place["side"]],
        "castles": place["castles"],
    }
