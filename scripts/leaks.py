"""Views never leak: re-deal what a seat cannot know, and everything it gets stays the same, byte by byte.

    python scripts/leaks.py long_live_the_king --triples 100000

Matches are played at random and, where tests/games/GAME/play.py exists, as it drives them. At sampled moments, for every
seat and a spectator, other worlds are dealt that the seat could believe. A triple (moment, seat, world) counts only when
the world differs from the truth. Compared are the view, the seat's position and transcript, its actions and legal steps,
and the words of refusals. `kinds(match)` of play.py, if it has one, names kinds of moments to count apart.

The first difference stops the run.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

from regalia import GAMES, Match, RegaliaError

TESTS = Path(__file__).resolve().parent.parent / "tests" / "games"
SHARE = 0.25  # of the moments of a match that are looked at
TEXTS = 3  # refusals compared at each moment


class Leak(AssertionError):
    """What differs, and between which worlds."""


@cache
def driver(game: str) -> ModuleType | None:
    path = TESTS / game / "play.py"
    if not path.exists():
        return None
    spec = importlib.util.spec_from_file_location(f"{game}_play", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def at_random(match: Match, seat: int, rng: random.Random) -> str:
    return rng.choice(match.actions(seat))


def moments(game: str, seats: int, seed: int) -> Iterator[Match]:
    """One match, at every decision (the same object, played on)."""
    rng = random.Random(seed)
    play = driver(game)
    choose: Callable[[Match, int, random.Random], str] = (
        at_random if play is None or seed % 2 else play.choose
    )
    options = {
        option.name: rng.choice(option.values)
        for option in GAMES[game].options
        if option.seats is None or seats in option.seats
    }
    match = Match.new(game, seats, seed, options)
    while match.actors:
        yield match
        seat = rng.choice(match.actors)
        match.play(seat, choose(match, seat, rng))


def told(match: Match, seat: int | None, texts: list[str]) -> list[str]:
    """Everything a seat gets, as text."""
    if seat is None:
        return [json.dumps(match.view())]
    steps = match.engine.legal(match._states, seat) if seat in match.actors else []
    return [
        json.dumps(match.view(seat)),
        json.dumps(match.position(seat)),
        match.transcript(seat),
        json.dumps(match.actions(seat)),
        str(steps),
        *(refusal(match, seat, text) for text in texts),
    ]


def refusal(match: Match, seat: int, text: str) -> str:
    """What a seat is told when it tries this, or "accepted"."""
    try:
        match.copy().play(seat, text)
    except RegaliaError as error:
        return f"{type(error).__name__} {error.key} {getattr(error, 'clause', None)} {error.text('en')}"
    return "accepted"


def refused(match: Match, seat: int, rng: random.Random) -> list[str]:
    """Texts that the seat may not play now: what others could, and what was played before."""
    texts = {action for other in match.actors if other != seat for action in match.actions(other)}
    texts.update(record.action for record in match.records[1:])
    wrong = sorted(texts - set(match.actions(seat)))
    sample = rng.sample(wrong, min(TEXTS, len(wrong)))
    return [text for text in sample if refusal(match, seat, text) != "accepted"]


def kinds_of(match: Match) -> list[str]:
    play = driver(match.game.id)
    found: list[str] = play.kinds(match) if play is not None and hasattr(play, "kinds") else []
    return found


def compare(match: Match, seat: int | None, worlds: int, rng: random.Random) -> int:
    """How many worlds were dealt that differ from the truth; all of them told the seat the same."""
    texts = [] if seat is None else refused(match, seat, rng)
    truth: list[str] = []
    differing = 0
    for _ in range(worlds):
        world = match.redeal(seat, rng.getrandbits(40))
        if world.state_bytes() == match.state_bytes():
            continue
        truth = truth or told(match, seat, texts)
        differing += 1
        for ours, theirs in zip(truth, told(world, seat, texts), strict=True):
            if ours != theirs:
                raise Leak(f"seat {seat}, ply {match.ply}\n{ours}\n{theirs}\n{match.transcript()}")
    return differing


def run(game: str, triples: int, seed: int = 0, worlds: int = 3) -> Counter[str]:
    """Look for leaks until so many triples were compared; returns the counts."""
    counts: Counter[str] = Counter()
    rng = random.Random(seed)
    seats = GAMES[game].seats
    while counts["triples"] < triples:
        counts["matches"] += 1
        for match in moments(game, seats[counts["matches"] % len(seats)], seed + counts["matches"]):
            if rng.random() > SHARE:
                continue
            compared = sum(compare(match, seat, worlds, rng) for seat in (None, *range(match.seats)))
            counts["triples"] += compared
            counts["moments"] += compared > 0
            for kind in kinds_of(match):
                counts[kind] += compared
            if counts["triples"] >= triples:
                break
        if counts["matches"] == 20 and not counts["triples"]:
            raise SystemExit(f"{game} hides nothing")
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description="Look for leaks in what seats get.")
    parser.add_argument("game", choices=list(GAMES))
    parser.add_argument("--triples", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--worlds", type=int, default=3, help="dealt anew at each moment for each seat")
    arguments = parser.parse_args()
    start = time.monotonic()
    counts = run(arguments.game, arguments.triples, arguments.seed, arguments.worlds)
    for name, count in counts.most_common():
        print(f"{count:9} {name}")
    print(f"no leak, {time.monotonic() - start:.0f} s")


if __name__ == "__main__":
    try:
        main()
    except Leak as error:
        sys.exit(str(error))
