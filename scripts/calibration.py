"""Do values tell the truth? One position of each of many matches, what it was said to be worth, and who won.

    nice -n 19 python scripts/calibration.py --matches 1000       play; goes on where it stopped
    python scripts/calibration.py --table                         what was found so far

A line of docs/calibration.jsonl is one match of `regent` with itself at 100 simulations a decision, so without slips,
and a value with 500 simulations of one of its positions, taken by chance, as everybody could see it.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator
from math import sqrt
from pathlib import Path
from statistics import mean
from typing import Any

from regalia import GAMES, Match, value
from regalia.bots import choose
from regalia.study.value import sides_of

FILE = Path(__file__).parents[1] / "docs" / "calibration.jsonl"
BINS = 10


def lines() -> list[dict[str, Any]]:
    return [json.loads(line) for line in FILE.read_text("utf-8").splitlines()] if FILE.exists() else []


def look(game: str, seed: int) -> dict[str, Any]:
    match = Match.new(game, seed=seed)
    while match.actors:
        seat = match.actors[0]
        match.play(seat, choose(match, seat, "regent", seed * 10_000 + match.ply, simulations=100).action)
    ply = random.Random(seed).randrange(1, match.ply)
    said = value(match.at(ply), simulations=500, seed=seed)
    assert match.outcome is not None
    winners = [match.outcome.ranks[side[0]] == 1 for side in sides_of(match).seats]
    return {
        "game": game,
        "seats": match.seats,
        "seed": seed,
        "ply": ply,
        "of": match.ply,
        "share": [round(share, 4) for share in said.share],
        "result": [round(wins / sum(winners), 4) for wins in winners],
    }


def run(games: list[str], matches: int) -> None:
    known = {(line["game"], line["seed"]) for line in lines()}
    for seed in range(matches):
        for game in games:
            if (game, seed) not in known:
                line = json.dumps(look(game, seed))
                with FILE.open("a", encoding="utf-8") as file:
                    file.write(line + "\n")


def table() -> Iterator[str]:
    """The error is the mean over bins, each as heavy as it is full, of |said - came|; chance alone makes some."""
    yield "| game | seats | matches | calibration error, points | of which chance alone | Brier |"
    yield "|---|---|---|---|---|---|"
    for game, seats in dict.fromkeys((line["game"], line["seats"]) for line in lines()):
        some = [line for line in lines() if (line["game"], line["seats"]) == (game, seats)]
        pairs = [pair for line in some for pair in zip(line["share"], line["result"], strict=True)]
        error = chance = 0.0
        for number in range(BINS):
            here = [pair for pair in pairs if min(BINS - 1, int(pair[0] * BINS)) == number]
            if here:
                said, came = mean(one for one, _ in here), mean(other for _, other in here)
                error += len(here) / len(pairs) * abs(said - came)
                spread = sqrt(max(0.0, said * (1 - said)) / len(here) * 2 / 3.1416)
                chance += len(here) / len(pairs) * spread
        brier = mean((said - came) ** 2 for said, came in pairs)
        yield f"| {game} | {seats} | {len(some)} | {100 * error:.1f} | {100 * chance:.1f} | {brier:.3f} |"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", help=", ".join(GAMES))
    parser.add_argument("--matches", type=int, default=1000)
    parser.add_argument("--table", action="store_true")
    asked = parser.parse_args()
    if asked.table:
        print("\n".join(table()))
    else:
        run(asked.games or list(GAMES), asked.matches)
