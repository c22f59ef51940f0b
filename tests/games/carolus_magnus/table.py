"""Positions of Carolus Magnus in a few words, and the words for what came of them.

    table(ring={"3": "black rr", "14-1": "white"}, courts=["3r", "2g"], discs=[2, 3])

Provinces 1, 2, 3 … have the knights r, p, b, y, g, r, … unless words say more: a side whose castles stand
there, one per province, and further knights. Provinces not named lie alone, without castles. Control goes to
the fullest court, the lower seat if equal, unless `control` says otherwise. The emperor stands in the place
of the province named.
"""

from __future__ import annotations

import re
from typing import Any

from regalia import Match

DRAWS = "red purple blue yellow green " * 3  # the set-up's knights, as the positions here have them
SEVEN_ALL = {"1-3": "black", "5-7": "black", "8-14": "white"}  # black takes province 4, yellow: three places
COLOURS = ("red", "purple", "blue", "yellow", "green")
SIDES = ("black", "white", "grey")


def counts(text: str) -> dict[str, int]:
    """`7r2g` or `rrg` as knights per colour."""
    found = dict.fromkeys(COLOURS, 0)
    for number, letter in re.findall(r"(\d*)([rpbyg])", text):
        found[next(colour for colour in COLOURS if colour[0] == letter)] += int(number or 1)
    return found


def letters(knights: dict[str, int]) -> str:
    return "".join(colour[0] * knights[colour] for colour in COLOURS)


def make_ring(words: dict[str, str]) -> list[dict[str, Any]]:
    spans = {}
    for name in words:
        first, _, last = name.partition("-")
        size = (int(last or first) - int(first)) % 15 + 1
        spans[name] = [(int(first) - 1 + k) % 15 + 1 for k in range(size)]
    named = [province for provinces in spans.values() for province in provinces]
    spans |= {str(province): [province] for province in range(1, 16) if province not in named}
    ring = []
    for name, provinces in spans.items():
        said = words.get(name, "").split()
        owner = next((word for word in said if word in SIDES), None)
        extra = "".join(word for word in said if word not in SIDES)
        knights = counts("".join("rpbyg"[(province - 1) % 5] for province in provinces) + extra)
        ring.append(
            {
                "place": min(provinces),
                "provinces": provinces,
                "knights": knights,
                "owner": owner,
                "castles": len(provinces) if owner else 0,
            }
        )
    return sorted(ring, key=lambda place: place["place"])


def describe(
    seats: int = 2,
    phase: str = "knights",
    *,
    ring: dict[str, str] | None = None,
    emperor: int = 15,
    courts: list[str] | None = None,
    reserves: list[str] | None = None,
    discs: list[int | None] | None = None,
    used: list[list[int]] | None = None,
    control: dict[str, int] | None = None,
    **others: Any,
) -> dict[str, Any]:
    full = "rpbygrp" if seats != 3 else "rpbygrpby"
    places = make_ring(ring or {})
    held = [counts(text) for text in reserves or [full] * seats]
    kept = [counts(text) for text in courts or [""] * seats]
    laid = discs or ([None] * seats if phase == "disc" else list(range(1, seats + 1)))
    order = sorted(range(seats), key=lambda seat: laid[seat] or 0)
    turn = others.pop("turn", order[0])
    service = 4 if seats == 3 else 3
    by_default = {colour: max(range(seats), key=lambda seat: kept[seat][colour]) for colour in COLOURS}
    return {
        "seats": seats,
        "options": {},
        "phase": phase,
        "round": 1,
        "order": order,
        "turn": turn,
        "due": min(service, sum(held[turn].values()))
        if phase == "knights"
        else service
        if phase == "dice"
        else 0,
        "crowns": 0,
        "brought": phase in ("emperor", "dice"),
        "emperor": next(place["place"] for place in places if emperor in place["provinces"]),
        "ring": places,
        "control": {
            colour: (control or {}).get(colour, seat if kept[seat][colour] else None)
            for colour, seat in by_default.items()
        },
        "players": [
            {
                "court": kept[seat],
                "reserve": held[seat],
                "disc": laid[seat],
                "used": sorted({*(used[seat] if used else []), *([laid[seat]] if laid[seat] else [])}),
            }
            for seat in range(seats)
        ],
        "reason": "running",
        **others,
    }


def table(seats: int = 2, phase: str = "knights", **words: Any) -> Match:
    """A match at that position; chance is played by hand."""
    return Match.from_position("carolus_magnus", describe(seats, phase, **words), chance="manual")


def new(seats: int = 2, **options: str) -> Match:
    return Match.new("carolus_magnus", seats=seats, options=options, chance="manual")


def rolled(seats: int = 2, **options: str) -> Match:
    """After the set-up's draws and rolls, without a crown: only the first disc player is due."""
    match = play(new(seats, **options), DRAWS, "province 4")
    dice = 9 if seats == 3 else 7
    return play(match, *[" ".join((COLOURS * 2)[:dice])] * seats)


def counter_attack(discs: list[int | None]) -> Match:
    """CM-X4: A is 1-2, B is 3, C is 4-6, D is 7; Black is seat 0, White seat 1."""
    return table(
        ring={"1-2": "black", "3": "white b", "4-6": "black yyrpgb", "7": "white"},
        emperor=1,
        courts=["6r5p8b6y5g", "7r8p6b5y3g"],
        reserves=["rrrpbyg", "yyyrrrb"],
        discs=discs,
    )


def play(match: Match, *actions: str) -> Match:
    """Actions of whoever is in turn, chance included."""
    for action in actions:
        match.play(match.actors[0], action)
    return match


def show(match: Match, number: int) -> str:
    """The place of a province: `6-8 white 3 rrgg`."""
    place = next(place for place in match.position()["ring"] if number in place["provinces"])
    provinces = place["provinces"]
    name = str(provinces[0]) if len(provinces) == 1 else f"{provinces[0]}-{provinces[-1]}"
    castles = f"{place['owner']} {place['castles']}" if place["owner"] else "-"
    return f"{name} {castles} {letters(place['knights'])}"


def held(match: Match, what: str) -> list[str]:
    """Courts or reserves, seat by seat, as letters."""
    return [letters(player[what]) for player in match.position()["players"]]


def controllers(match: Match) -> dict[str, int]:
    return {colour: seat for colour, seat in match.position()["control"].items() if seat is not None}


def strengths(match: Match, number: int) -> dict[str, int]:
    view = match.view()
    at = next(k for k, place in enumerate(view["ring"]) if number in place["provinces"])
    found: dict[str, int] = view["strengths"][at]
    return found
