"""Players of Carolus Magnus that reach what random play does not.

A game has one mood, told by its set-up: wild (random), greedy (builds what it can), even (helps the weaker
side, so that the ring closes before anyone runs out of castles), idle (all knights into provinces, until none
is left) or peaceful (leaves the ring alone, the courts feed the supply, until round 100; long, so rare).
"""

from __future__ import annotations

import random
import zlib
from collections.abc import Callable
from typing import Any

from regalia import Match

COURTLY = ("red", "purple")  # the colours that the peaceful bring to court


def choose(match: Match, seat: int, rng: random.Random) -> str:
    return choose_in(mood_of(match), match, seat, rng)


def choose_in(mood: str, match: Match, seat: int, rng: random.Random) -> str:
    actions = match.actions(seat)
    player = MOODS[mood]
    return player(match, seat, actions, rng) if player else rng.choice(actions)


def mood_of(match: Match) -> str:
    told = " ".join(match.records[0].outcomes).encode()
    return FREQUENCY[zlib.crc32(told) % len(FREQUENCY)]


def best_move(match: Match, seat: int, rng: random.Random, worth: Callable[[dict[str, Any]], float]) -> str:
    moves = match.view(seat)["previews"]
    text: str = max(moves, key=lambda move: worth(move) + rng.random() / 2)["action"]
    return text


def side_name(view: dict[str, Any], seat: int) -> str:
    name: str = next(side["side"] for side in view["sides"] if seat in side["seats"])
    return name


def greedy(match: Match, seat: int, actions: list[str], rng: random.Random) -> str:
    if match.phase == "emperor":
        me = side_name(match.view(seat), seat)

        def worth(move: dict[str, Any]) -> float:
            gain = move["castles"] + len(move["merges"])
            return gain if move["takes"] == me else -gain

        return best_move(match, seat, rng, worth)
    if match.phase == "knights":
        near = [move["place"] for move in match.view(seat)["previews"]]
        good = [
            action for action in actions if action.endswith(">court") or int(action.split(">")[1]) in near
        ]
        return rng.choice(good)
    return rng.choice(actions)


def even(match: Match, seat: int, actions: list[str], rng: random.Random) -> str:
    if match.phase not in ("knights", "emperor"):
        return rng.choice(actions)
    view = match.view(seat)
    standing = {side["side"]: side["castles"] for side in view["sides"]}
    weak = min(standing, key=lambda side: standing[side])
    if match.phase == "emperor":

        def worth(move: dict[str, Any]) -> float:
            if move["ends"]:
                return -100 if move["ends"] == "castles" else 100
            if move["takes"] is None:
                return 0
            after = standing[move["takes"]] + move["castles"]
            return 2 * len(move["merges"]) + (4 - after if move["loses"] else 5 - after / 2)

        return best_move(match, seat, rng, worth)
    colours = next(side["colours"] for side in view["sides"] if side["side"] == weak)
    owners = {place["place"]: place["owner"] for place in view["ring"]}
    near = [str(move["place"]) for move in view["previews"] if owners[move["place"]] != weak]
    wanted = {f"{colour}>{place}" for colour in colours for place in near}
    if not colours and side_name(view, seat) == weak:
        wanted = {action for action in actions if action.endswith(">court")}
    return rng.choice([action for action in actions if action in wanted] or actions)


def peaceful(match: Match, seat: int, actions: list[str], rng: random.Random) -> str:
    if match.phase == "emperor":
        return best_move(match, seat, rng, lambda move: -move["castles"] - 10 * bool(move["ends"]))
    court = match.position()["players"][seat]["court"]
    if match.phase == "knights":
        courtly = [
            action for action in actions if action.endswith(">court") and action.split(">")[0] in COURTLY
        ]
        away = [
            action for action in actions if not action.startswith(COURTLY) and not action.endswith(">court")
        ]
        return rng.choice(away or courtly)
    if match.phase == "crown":
        return min(actions, key=lambda action: (action.split()[1] not in COURTLY, court[action.split()[1]]))
    return rng.choice(actions)


def idle(match: Match, seat: int, actions: list[str], rng: random.Random) -> str:
    return rng.choice([action for action in actions if not action.endswith(">court")])


MOODS: dict[str, Callable[[Match, int, list[str], random.Random], str] | None] = {
    "wild": None,
    "greedy": greedy,
    "even": even,
    "peaceful": peaceful,
    "idle": idle,
}
FREQUENCY = ["wild", "greedy", "even", "greedy", "even", "idle", "wild", "even"] * 8
FREQUENCY[30] = "peaceful"  # none among the first 40 seeds, seed 45 with two seats
