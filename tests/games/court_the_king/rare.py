"""Rare cases of To Court the King, noticed while driven games are played.

python tests/games/court_the_king/rare.py 200      counts over so many driven games for each number of seats
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))

from games.court_the_king.play import choose_in, mood_of
from regalia import Match

ADDERS = ("laborer", "guard", "hunter", "pawnbroker", "knight", "bishop")
POWERS = (
    *ADDERS,
    "fool",
    "maid",
    "philosopher",
    "astronomer",
    "merchant",
    "magician",
    "lady",
    "alchemist",
    "nobleman",
)
CARDS = (*POWERS, "charlatan", "farmer", "general", "king")
RARE = (
    *(f"take {card}" for card in CARDS),
    *(f"use {card}" for card in (*POWERS, "queen")),
    *(f"use {card} before the first roll" for card in (*ADDERS, "queen")),
    "alchemist with three dice",
    "take a second charlatan",
    "turn a fool when none is left",
    "a kind has run out",
    "leave the king",
    "the king by the last of a round",
    "eight of a kind",
    "twelve dice",
    "the king changes hands",
    "pass in the final round",
    "no turn for the queen's owner",
    "the queen's owner equals",
    "the queen's owner beats",
    "the queen's owner fails",
    "the queen's owner passes",
)
ENDS = ("king", "rounds", "all_passed")


def play_and_watch(seats: int, seed: int, seen: Counter[str], mood: str = "") -> Match:
    """A whole driven game; counts in `seen` what it showed, and how it ended."""
    rng = random.Random(seed)
    match = Match.new("court_the_king", seats, seed)
    while match.actors:
        seat = match.actors[0]
        before = match.view(seat)
        text = choose_in(mood or mood_of(match), match, seat, rng)
        match.play(seat, text)
        seen.update(cases(before, text, match))
    assert match.outcome is not None
    seen[match.outcome.reason] += 1
    return match


def cases(before: dict[str, Any], text: str, match: Match) -> list[str]:
    """What an action showed."""
    seat, (verb, *words) = before["you"], text.split()
    after = match.view(seat)
    found = []
    if verb == "use":
        found.append(f"use {words[0]}")
        if before["in_hand"]:
            found.append(f"use {words[0]} before the first roll")
        if words[0] == "alchemist" and words.index("=") == 4:
            found.append("alchemist with three dice")
    if verb == "take" and words[0] != "none":
        found.append(f"take {words[0]}")
        found += taking(before, words[0], after)
    if before["dice"] == 12:
        found.append("twelve dice")
    if before["final"] == "king":
        found += ending(before, verb, seat, after)
    return found


def taking(before: dict[str, Any], card: str, after: dict[str, Any]) -> list[str]:
    mine = before["characters"][before["you"]]
    found = []
    if card == "charlatan" and "charlatan" in mine:
        found.append("take a second charlatan")
    if card == "charlatan" and before["display"]["fool"] == 0:
        found.append("turn a fool when none is left")
    if card != "charlatan" and after["display"][card] == 0 and card != "king":
        found.append("a kind has run out")
    if "king" in before["takeable"] and card != "king":
        found.append("leave the king")
    if card == "king" and len(before["order"]) == 1:
        found.append("the king by the last of a round")
    return found


def ending(before: dict[str, Any], verb: str, seat: int, after: dict[str, Any]) -> list[str]:
    """What the last action of a turn in the final round came to."""
    is_queen = "queen" in before["characters"][seat]
    if verb == "pass":
        found = ["the queen's owner passes" if is_queen else "pass in the final round"]
    elif verb == "keep" and after["results"][seat]:
        found = result(before["best"], seat, is_queen, after)
    else:
        return []
    if after["outcome"] and not is_queen:
        found.append("no turn for the queen's owner")
    return found


def result(best: dict[str, int], seat: int, is_queen: bool, after: dict[str, Any]) -> list[str]:
    now = after["best"]
    found = ["eight of a kind"] if max(Counter(after["results"][seat]).values()) >= 8 else []
    if now["seat"] == seat:
        found.append("the king changes hands")
    if is_queen:
        equals = (now["count"], now["face"]) == (best["count"], best["face"])
        outcome = "fails" if now["seat"] != seat else "equals" if equals else "beats"
        found.append(f"the queen's owner {outcome}")
    return found


def main() -> None:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    columns: dict[int, Counter[str]] = {seats: Counter() for seats in (2, 3, 4, 5)}
    for seats, seen in columns.items():
        for seed in range(games):
            play_and_watch(seats, seed, seen)
    for case in (*RARE, *ENDS):
        print(f"{case:34}", *(f"{seen[case]:7}" for seen in columns.values()))


if __name__ == "__main__":
    main()
