"""Players of Long Live the King that reach what random play does not.

A game has one mood, told by its set-up and first action: wild (random), bold (five cards in every stake), asleep
(nobody does anything, so that only quiet elections decide), building (seat 0 spreads in peace until its supply is
empty), burning (seat 0 wastes its cards again and again while the others keep theirs, until the pile is too small) or
hoarding (the others spend their x3, seat 0 keeps them until it can stake them together).
"""

from __future__ import annotations

import random
import zlib
from collections.abc import Callable
from typing import Any

from regalia import Match

Mood = Callable[[Match, int, list[str], random.Random], str]


def choose(match: Match, seat: int, rng: random.Random) -> str:
    actions = match.actions(seat)
    if match.ply < 2 or len(actions) == 1:
        return rng.choice(actions)
    return MOODS[mood_of(match)](match, seat, actions, rng)


def mood_of(match: Match) -> str:
    told = [*match.records[0].outcomes, *match.options.values(), match.records[1].action]
    return sorted(MOODS)[zlib.crc32(" ".join(told).encode()) % len(MOODS)]


def foreign(view: dict[str, Any], seat: int, action: str) -> int | None:
    """Whose area a move would enter, if another's."""
    words = action.split()
    if words[0] != "move" or words[1] not in view["areas"]:
        return None
    owner: int = view["areas"][words[1]]["seat"]
    return None if owner == seat else owner


def wild(match: Match, seat: int, actions: list[str], rng: random.Random) -> str:
    return rng.choice(actions)


def bold(match: Match, seat: int, actions: list[str], rng: random.Random) -> str:
    if match.phase == "reclaim":
        return actions[-1]
    if match.phase == "stakes":
        return rng.choice([action for action in actions if len(action.split()) == 6] or actions)
    position = match.position(seat)
    return rng.choice(
        [action for action in actions if foreign(position, seat, action) is not None] or actions
    )


def asleep(match: Match, seat: int, actions: list[str], rng: random.Random) -> str:
    return "end" if "end" in actions else rng.choice(actions)


def building(match: Match, seat: int, actions: list[str], rng: random.Random) -> str:
    if match.phase not in ("turn", "entered", "placing"):
        return rng.choice(actions)
    view = match.view(seat)
    if view["supply"][0] == 0:
        return rng.choice(actions)
    if seat != 0 or "place" in actions:
        return "place" if seat == 0 else "end"
    peaceful = [
        action for action in actions if foreign(view, seat, action) is None and "x" not in action[-2:-1]
    ]
    return rng.choice([action for action in peaceful if action != "end"] or peaceful)


def burning(match: Match, seat: int, actions: list[str], rng: random.Random) -> str:
    if match.phase == "stakes":
        return rng.choice([action for action in actions if len(action.split()) == 2])
    if match.phase not in ("turn", "entered", "failed", "placing"):
        return rng.choice(actions)
    view = match.view(seat)
    hostile = [action for action in actions if foreign(view, seat, action) == 0]
    if seat != 0 and view["cards"][0] == 0 and hostile:
        return rng.choice(hostile)
    peaceful = [action for action in actions if foreign(view, seat, action) is None]
    if seat != 0:
        free = [action for action in peaceful if action.startswith("move") and action[-2:-1] != "x"]
        return rng.choice(free or ["end"])
    if "place" in actions and match.phase == "turn" and len(owned(view, 0)) < 3:
        return "place"
    paying = [action for action in peaceful if action[-2:-1] == "x"]
    moving = [action for action in peaceful if action.startswith("move")]
    return rng.choice(paying or moving or ["end"])


def owned(view: dict[str, Any], seat: int) -> list[str]:
    return [name for name, area in view["areas"].items() if area["seat"] == seat and area["courtiers"]]


def hoarding(match: Match, seat: int, actions: list[str], rng: random.Random) -> str:
    has_all = match.position(0)["hands"][0]["x3"] >= match.seats
    position = match.position(seat)
    if match.phase == "stakes":
        threes = [action.count("x3") for action in actions]
        wanted = max(threes) if seat != 0 or has_all else 0
        few = [action for action, three in zip(actions, threes, strict=True) if three == wanted]
        return rng.choice(few or actions)
    if match.phase == "reclaim":
        return actions[-1] if seat == 0 else actions[0]
    hostile = [action for action in actions if foreign(position, seat, action) is not None]
    if seat == 0 and has_all and hostile:
        return rng.choice(hostile)
    calm = [action for action in actions if action not in hostile and action != "place"]
    spending = [action for action in calm if action.endswith("x3")]
    if seat == 0:
        calm = [action for action in calm if action not in spending]
        spending = []
    paying = [action for action in calm if action[-2:-1] == "x"]
    moving = [action for action in calm if action.startswith("move")]
    return rng.choice(spending or paying or moving or calm)


MOODS: dict[str, Mood] = {
    "wild": wild,
    "bold": bold,
    "asleep": asleep,
    "building": building,
    "burning": burning,
    "hoarding": hoarding,
}


def kinds(match: Match) -> list[str]:
    """Kinds of moments, for counting."""
    position = match.position()
    found = ["after an election"] if position["elections"] else []
    return [*found, "with a stake sealed"] if any(position["sealed"]) else found
