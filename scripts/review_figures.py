"""How reviews turn out over matches of bots with themselves: docs/review.md tells the table that this prints.

    nice -n 19 python scripts/review_figures.py --matches 100       play and review; goes on where it stopped
    python scripts/review_figures.py --table                        what was found so far
    python scripts/review_figures.py --time normal                  CPU seconds of a review of that level, by game

A line of docs/review-figures.jsonl is one match, all seats the same bot, reviewed at level glance with every card open.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import defaultdict
from collections.abc import Iterator
from math import sqrt
from pathlib import Path
from statistics import mean, median, stdev
from typing import Any

from regalia import GAMES, Match, review
from regalia.bots import choose

FILE = Path(__file__).parents[1] / "docs" / "review-figures.jsonl"
BOTS = ("page", "squire", "knight", "duke")
CERTAIN = 1.96  # errors either way


def lines() -> list[dict[str, Any]]:
    return [json.loads(line) for line in FILE.read_text("utf-8").splitlines()] if FILE.exists() else []


def play(game: str, bot: str, seed: int) -> Match:
    match = Match.new(game, seed=seed)
    while match.actors:
        seat = match.actors[0]
        match.play(seat, choose(match, seat, bot, seed * 10_000 + match.ply).action)
    return match


def figures(game: str, bot: str, seed: int) -> dict[str, Any]:
    match = play(game, bot, seed)
    began = time.process_time()
    made = review(match, level="glance")
    return {
        "game": game,
        "seats": match.seats,
        "bot": bot,
        "seed": seed,
        "version": made.version,
        "plies": match.ply,
        "seconds": round(time.process_time() - began, 2),
        "decisions": len(made.decisions),
        "loss": round(sum(decision.loss for decision in made.decisions), 4),
        "marks": sum(decision.mark is not None for decision in made.decisions),
        "sides": [
            {name: round(getattr(side, name), 4) for name in ("start", "result", "luck", "rest")}
            for side in made.sides
        ],
    }


def run(games: list[str], matches: int) -> None:
    known = {(line["game"], line["bot"], line["seed"]) for line in lines()}
    for seed in range(matches):
        for game in games:
            for bot in BOTS:
                if (game, bot, seed) not in known:
                    line = json.dumps(figures(game, bot, seed))
                    with FILE.open("a", encoding="utf-8") as file:
                        file.write(line + "\n")


def interval(numbers: list[float], factor: float = 1.0) -> str:
    """The mean with its interval of 95 %."""
    half = CERTAIN * stdev(numbers) / sqrt(len(numbers)) if len(numbers) > 1 else float("nan")
    return f"{factor * mean(numbers):.2f} ± {factor * half:.2f}"


def table() -> Iterator[str]:
    found: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for line in lines():
        found[line["game"], line["bot"]].append(line)
    yield "| game | bot | matches | loss per decision, points of 100 | marks a match |"
    yield "|---|---|---|---|---|"
    for (game, bot), some in sorted(found.items(), key=lambda item: (item[0][0], BOTS.index(item[0][1]))):
        losses = interval([line["loss"] / line["decisions"] for line in some], 100)
        yield f"| {game} | {bot} | {len(some)} | {losses} | {mean(line['marks'] for line in some):.1f} |"
    yield ""
    yield (
        "| game | matches | mean luck of seat 0, points | variance without luck ÷ plain "
        "| median of the part not explained | CPU seconds a review |"
    )
    yield "|---|---|---|---|---|---|"
    for game in GAMES:
        some = [line for line in lines() if line["game"] == game]
        if len(some) < 2:
            continue
        first = [line["sides"][0] for line in some]
        plain = stdev(side["result"] for side in first) ** 2
        adjusted = stdev(side["result"] - side["luck"] for side in first) ** 2
        rest = median(abs(side["rest"]) for line in some for side in line["sides"])
        luck = interval([side["luck"] for side in first], 100)
        seconds = median(line["seconds"] for line in some)
        ratio = f"{adjusted / plain:.2f}" if plain else "–"
        yield f"| {game} | {len(some)} | {luck} | {ratio} | {100 * rest:.1f} | {seconds:.1f} |"


def times(games: list[str], level: str) -> Iterator[str]:
    """Of a match of `squire` with itself in each game; what is compiled first does not count."""
    for game in games:
        match = play(game, "squire", 0)
        review(match, level="glance")
        began = time.process_time()
        made = review(match, level=level)
        seconds = time.process_time() - began
        yield f"| {game} | {match.seats} | {match.ply} | {len(made.decisions)} | {seconds:.1f} |"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", help=", ".join(GAMES))
    parser.add_argument("--matches", type=int, default=100)
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--time", metavar="LEVEL")
    asked = parser.parse_args()
    if asked.table:
        print("\n".join(table()))
    elif asked.time:
        for line in times(asked.games or list(GAMES), asked.time):
            print(line, flush=True)
    else:
        run(asked.games or list(GAMES), asked.matches)
