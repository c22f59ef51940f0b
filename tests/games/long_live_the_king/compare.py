"""The oracle's snapshot in the words of a position of Long Live the King."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

AREAS = [
    *("Man", "Sedberouie", "Sarisberie", "Rouecestre"),
    *("Loncastre", "Lincolia", "Stadford", "Lundonia", "Lideforde"),
    *("Wigemor", "Tateshale", "Oxeneford", "Grentebrige"),
]
PHASES = {"placed": "placing", "settle": "placing", "favour": "die", "stake": "stakes", "contest": "roll"}
BETWEEN = ("start", "turn", "tie", "deal", "over")


def options(seats: int, rng: random.Random) -> dict[str, str]:
    return {"dice_by_hand": rng.choice(["false", "true"])}


def translate(snapshot: dict[str, Any]) -> dict[str, Any]:
    phase, dispute, election = snapshot["phase"], snapshot["dispute"], snapshot["election"]
    position: dict[str, Any] = {
        "seats": snapshot["seats"],
        "options": {"dice_by_hand": str(snapshot["dice_by_hand"]).lower()},
        "phase": PHASES.get(phase, phase),
        "nobles": snapshot["nobles"],
        "bonus": snapshot["bonus"],
        "hands": hands(snapshot),
        "cards": [sum(hand.values()) for hand in hands(snapshot)],
        "entered": [] if phase in BETWEEN else [area for area in AREAS if area in snapshot["entered"]],
        "quiet": snapshot["idle_turns"],
        "spent": snapshot["discarded"] and phase not in BETWEEN,
        "elections": snapshot["elections"],
        "reason": snapshot["outcome"]["reason"] if snapshot["outcome"] else "running",
        "areas": areas(snapshot),
    }
    if snapshot["turn"] is not None:
        position["turn"] = snapshot["turn"]
    if dispute is None:
        position["dispute"] = None
    if election is None:
        position["election"] = None
    return position


def hands(snapshot: dict[str, Any]) -> list[dict[str, int]]:
    """The rules leave sealed stakes in the hands until all have chosen."""
    if snapshot["phase"] != "stake":
        found: list[dict[str, int]] = snapshot["hands"]
        return found
    pairs = zip(snapshot["hands"], snapshot["dispute"]["stakes"], strict=True)
    return [{card: hand[card] + stake[card] for card in hand} for hand, stake in pairs]


def areas(snapshot: dict[str, Any]) -> dict[str, dict[str, int]]:
    """LK-6; while a dispute is not judged its area is the defender's, then the intruder's if there and not beaten."""
    found = {}
    dispute = snapshot["dispute"]
    for area in AREAS:
        counts = snapshot["courtiers"][area]
        owners = [seat for seat, count in enumerate(counts) if count]
        owners += [
            seat for seat, place in enumerate(snapshot["nobles"]) if place == area and seat not in owners
        ]
        if dispute and dispute["area"] == area:
            winner = dispute["winner"]
            owners = [dispute["defender"]] if winner is None else [seat for seat in owners if seat == winner]
        if owners:
            found[area] = {"seat": owners[0], "courtiers": counts[owners[0]]}
    return found


def pairs(position: dict[str, Any], snapshot: dict[str, Any]) -> dict[str, tuple[object, object]]:
    """What the oracle tells in another shape than a position: the pile as one, supplies, and the table in a dispute."""
    pile = Counter(position["discards"]) + Counter(position["pile"])
    laid = [0] * snapshot["seats"]
    for area in position["areas"].values():
        laid[area["seat"]] += area["courtiers"]
    supply = [
        count + 2 * (noble is None)
        for count, noble in zip(snapshot["supply"], snapshot["nobles"], strict=True)
    ]
    told: dict[str, tuple[object, object]] = {
        "pile": ({card: pile[card] for card in ("x1", "x2", "x3")}, snapshot["discards"]),
        "supply": ([17 - count for count in laid], supply),
    }
    if snapshot["dispute"]:
        told |= dispute_pairs(position, snapshot)
    if position["election"]:
        told["sums"] = (position["election"]["sums"], [sum(dice) for dice in snapshot["election"]["sums"]])
    return told


def dispute_pairs(position: dict[str, Any], snapshot: dict[str, Any]) -> dict[str, tuple[object, object]]:
    """Who has to roll again has no dice and no total in the rules, the old ones in the oracle until then."""
    here, there = position["dispute"], snapshot["dispute"]
    stakes = [[card for card, count in stake.items() for _ in range(count)] for stake in there["stakes"]]
    told: dict[str, tuple[object, object]] = {
        "area": (here["area"], there["area"]),
        "from": (here["from"], snapshot["came_from"]),
        "defender": (here["defender"], there["defender"]),
        "winner": (here["winner"], there["winner"]),
    }
    if snapshot["phase"] == "stake":
        seats = range(snapshot["seats"])
        told["owing"] = (here["owing"], [seat for seat in seats if not there["staked"][seat]])
        told["sealed"] = (position["sealed"], stakes)
        return told
    settled = [seat for seat in range(snapshot["seats"]) if seat not in here["owing"] and stakes[seat]]
    rolled = [*settled, position["active"]] if here["owing"] else settled
    told["stakes"] = (here["stakes"], stakes)
    told["dice"] = ([here["dice"][seat] for seat in rolled], [there["dice"][seat] for seat in rolled])
    told["totals"] = ([here["totals"][seat] for seat in settled], [there["totals"][seat] for seat in settled])
    return told
