"""Positions of Long Live the King in a few words, and the words for what came of them.

    table(4, areas="0 Man 2, 0 Wigemor 1, 1 Tateshale 2, 2 Lundonia 0, 3 Lideforde 3", hands=["5 2 1", "20 cards"])

`areas` names owner, area and courtiers; a player's noble is in the first area of theirs that is named, unless `nobles`
says otherwise. Hands are counts of x1, x2 and x3, by default 12 7 1; what is in no hand is discarded, face up unless
`pile` takes it. `elections` were held (by default as many as the bonus votes tell); after one, `known` may name less
than the hands.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from regalia import Match, RuleError

GAME = "long_live_the_king"
CARDS = ("x1", "x2", "x3")
FULL = {"x1": 12, "x2": 7, "x3": 1}
STARTS = {
    3: "0 Rouecestre 2, 1 Sarisberie 2, 2 Sedberouie 2",
    4: "0 Tateshale 2, 1 Lundonia 2, 2 Lideforde 2, 3 Man 2",
    5: "0 Stadford 2, 1 Man 2, 2 Sedberouie 2, 3 Lundonia 2, 4 Lideforde 2",
}


def counts(text: str) -> dict[str, int]:
    """`5 2 1`: so many x1, x2 and x3."""
    return dict(zip(CARDS, map(int, text.split()), strict=True))


def describe(
    seats: int = 4,
    phase: str = "turn",
    *,
    areas: str | None = None,
    nobles: dict[int, str] | None = None,
    hands: list[str] | None = None,
    known: list[str] | None = None,
    pile: str = "0 0 0",
    bonus: list[int] | None = None,
    elections: int | None = None,
    stakes: list[str] | None = None,
    dice_by_hand: bool = False,
    **others: Any,
) -> dict[str, Any]:
    pieces = [words.split() for words in (areas or STARTS[seats]).split(",")]
    homes = {int(owner): name for owner, name, _ in reversed(pieces)}
    held = [counts(hand) for hand in hands or []]
    held += [dict(FULL)] * (seats - len(held))
    left = Counter({card: FULL[card] * seats for card in CARDS})
    for cards in [*held, counts(pile), *(Counter(stake.split()) for stake in stakes or [])]:
        left.subtract(cards)
    votes = bonus or [0] * seats
    turn = others.pop("turn", 0)
    return {
        "seats": seats,
        "options": {"dice_by_hand": dice_by_hand},
        "phase": phase,
        "turn": turn,
        "active": turn,
        "due": 0,
        "areas": {name: {"seat": int(owner), "courtiers": int(count)} for owner, name, count in pieces},
        "nobles": [(nobles or {}).get(seat, homes.get(seat)) for seat in range(seats)],
        "bonus": votes,
        "cards": [sum(hand.values()) for hand in held],
        "known": [counts(hand) for hand in known] if known else held,
        "hands": held,
        "sealed": [[] for _ in range(seats)],
        "discards": {card: left[card] for card in CARDS},
        "face_down": sum(counts(pile).values()),
        "pile": counts(pile),
        "entered": [],
        "placed": False,
        "favour": None,
        "spent": False,
        "quiet": 0,
        "dispute": None,
        "elections": sum(votes) * 2 // (seats * (seats + 1)) if elections is None else elections,
        "election": None,
        "standing": [0] * seats,
        "reason": "running",
        **others,
    }


def table(seats: int = 4, phase: str = "turn", **words: Any) -> Match:
    """A match at that position; chance is played by hand."""
    return Match.from_position(GAME, describe(seats, phase, **words), chance="manual")


def play(match: Match, *actions: str) -> Match:
    """Actions of whoever is due, chance included; `2: stake x1` says who."""
    for action in actions:
        who, colon, text = action.partition(": ")
        match.play(int(who) if colon else match.actors[0], text if colon else action)
    return match


def show(match: Match, area: str) -> str:
    """Who is in an area: `0 3 noble`, `1 0 noble`, `empty`."""
    position = match.position()
    piece = position["areas"].get(area)
    guests = [f"noble of {seat}" for seat, place in enumerate(position["nobles"]) if place == area]
    if piece is None:
        return " ".join(["empty", *guests])
    own = f"noble of {piece['seat']}"
    words = [f"{piece['seat']} {piece['courtiers']}", *(["noble"] if own in guests else [])]
    return " ".join(words + [guest for guest in guests if guest != own])


def hand(match: Match, seat: int) -> str:
    cards = match.position()["hands"][seat]
    return " ".join(str(cards[card]) for card in CARDS)


def verbs(match: Match, seat: int) -> set[str]:
    """The first words of what a seat may do."""
    return {action.split()[0] for action in match.actions(seat)}


def moves(match: Match, seat: int) -> set[str]:
    """The areas a seat may move to, with or without a roll."""
    return {action.split()[1] for action in match.actions(seat) if action.startswith("move")}


def refused(match: Match, action: str, seat: int | None = None) -> str | None:
    """The clause that refuses an action; nothing has changed."""
    before, ply = match.state_bytes(), match.ply
    with pytest.raises(RuleError) as caught:
        match.play(match.actors[0] if seat is None else seat, action)
    assert (match.state_bytes(), match.ply) == (before, ply)
    assert f"({caught.value.clause})" in str(caught.value)
    return caught.value.clause
