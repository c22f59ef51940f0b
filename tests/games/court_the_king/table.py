"""Positions of To Court the King in few words, and playing on from them."""

from __future__ import annotations

from typing import Any

from regalia import CHANCE, Match

BRINGS = {"farmer": 1, "charlatan": 1, "general": 2}
ADDERS = ("laborer", "guard", "hunter", "pawnbroker", "knight", "bishop", "queen")


def faces(dice: str) -> list[int]:
    """`"2 5 5"` as a list."""
    return [int(face) for face in dice.split()]


def turn(own: str = "", active: str = "", aside: str = "", used: str = "", **more: Any) -> Match:
    """A turn of seat 0 among two, dice by hand: own cards, dice, cards used. Without dice: before the first roll.

    more: courts (of the other seats), duty, and any field of a position.
    """
    cards, spent = own.split(), used.split()
    courts = more.pop("courts", [""])
    dice = 3 + sum(BRINGS.get(card, 0) for card in cards) + sum(card in ADDERS for card in spent)
    position: dict[str, Any] = {
        "seats": 1 + len(courts),
        "phase": "turn",
        "turn": 0,
        "round": 2,
        "starter": 0,
        "final": "none",
        "characters": [cards, *(court.split() for court in courts)],
        "best": None,
        "results": [None] * (1 + len(courts)),
        "used": spent,
        "in_hand": 0 if active or aside else dice,
        "rolling": 0,
        "active": faces(active),
        "aside": faces(aside),
        "duty": bool(active) and not aside,
        "reason": "running",
        **more,
    }
    if not active and aside:
        position["phase"] = "take"
    return Match.from_position("court_the_king", position, chance="manual")


def play(match: Match, *texts: str) -> Match:
    """Actions and rolls in their order: whoever owes something plays the next text."""
    for text in texts:
        match.play(match.actors[0], text)
    return match


def dice(match: Match) -> tuple[str, str]:
    """(active, set aside)"""
    position = match.position()
    return " ".join(map(str, position["active"])), " ".join(map(str, position["aside"]))


def uses(match: Match, card: str) -> list[str]:
    """How a card could be used now, without its name."""
    start = f"use {card}"
    return [text[len(start) + 1 :] for text in match.actions(match.actors[0], start)]


def takes(match: Match) -> set[str]:
    return {text.split()[1] for text in match.actions(match.actors[0], "take")}


__all__ = ["CHANCE", "Match", "dice", "faces", "play", "takes", "turn", "uses"]
