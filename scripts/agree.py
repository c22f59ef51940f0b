"""The rules against their second witness: whole games, move by move, against tests/games/GAME/oracle.py.

    python scripts/agree.py carolus_magnus --games 10000 --seats 3
    python scripts/agree.py carolus_magnus --games 200 --driven         choices of tests/games/GAME/play.py

After every step both must agree on who owes a decision, on every legal action (or, with --actions, at a share
of the steps) and every chance outcome with its odds, on the outcome, and on the position (which is also read back
now and then) as tests/games/GAME/compare.py translates it:

    options(seats, rng) -> dict             options to play with
    translate(snapshot) -> dict             the entries of Match.position() that an oracle's snapshot tells
    pairs(position, snapshot) -> dict       optional: what both tell in another shape, (rules, oracle) by name

The first disagreement stops the run with the seed and the transcript up to it.
"""

from __future__ import annotations

import argparse
import importlib.util
import random
import sys
import time
from collections import Counter
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from regalia import CHANCE, GAMES, Match

OUTCOMES_BETWEEN = 8  # in a long row of outcomes the position is compared at the first and at every eighth
TESTS = Path(__file__).resolve().parent.parent / "tests" / "games"


class Disagreement(AssertionError):
    """What the two say, and how they got there."""


@cache
def load(game: str, name: str) -> ModuleType:
    """A file beside the game's tests: oracle, compare or play."""
    spec = importlib.util.spec_from_file_location(f"{game}_{name}", TESTS / game / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def play_both(
    game: str, seats: int, seed: int, driven: bool = False, positions: float = 1.0, actions: float = 1.0
) -> Match:
    """One game on both sides; returns the finished match."""
    oracle_module, compare = load(game, "oracle"), load(game, "compare")
    choose = load(game, "play").choose if driven else None
    rng = random.Random(seed)
    options = compare.options(seats, rng)
    match = Match.new(game, seats=seats, options=options, chance="manual")
    oracle = oracle_module.Oracle(seats, options)
    while True:
        try:
            check(match, oracle, rng.random() < actions)
            if not match.actors or rng.random() < positions:
                check_position(match, oracle, compare)
        except Disagreement as error:
            raise Disagreement(f"{game}, {seats} seats, seed {seed}: {error}\n{match.transcript()}") from None
        if not match.actors:
            return match
        seat = rng.choice(match.actors)
        text = pick_outcome(oracle.odds(), rng) if seat == CHANCE else ""
        if not text:
            text = choose(match, seat, rng) if choose else rng.choice(oracle.actions(seat))
        match.play(seat, text)
        oracle.play(seat, text)


def pick_outcome(odds: dict[str, int], rng: random.Random) -> str:
    return rng.choices(list(odds), list(odds.values()))[0]


def check(match: Match, oracle: Any, with_actions: bool) -> None:
    agree("actors", match.actors, oracle.actors())
    if match.actors == (CHANCE,):
        agree("odds", odds_of(match), oracle.odds())
        agree("outcomes", sorted(oracle.odds()), sorted(oracle.actions(CHANCE)))
        if len(match.records[-1].outcomes) % OUTCOMES_BETWEEN:
            return
    elif with_actions:
        for seat in match.actors:
            agree(f"actions of {seat}", sorted(match.actions(seat)), sorted(oracle.actions(seat)))
    outcome = match.outcome
    agree("outcome", outcome and (outcome.ranks, outcome.points, outcome.reason), oracle.outcome())


def check_position(match: Match, oracle: Any, compare: ModuleType) -> None:
    position, snapshot = match.position(), oracle.snapshot()
    if match.ply % 16 == 0 and match.actors != (CHANCE,):
        again = Match.from_position(match.game, position, chance="manual")
        agree("the position read back", again.state_bytes(), match.state_bytes())
    for key, value in compare.translate(snapshot).items():
        agree(key, position[key], value)
    if hasattr(compare, "pairs"):
        for key, (rules, witness) in compare.pairs(position, snapshot).items():
            agree(key, rules, witness)


def odds_of(match: Match) -> dict[str, int]:
    engine = match.engine
    states = engine.layout.load(match.state_bytes())
    odds = engine.odds(states).tolist()
    return {engine.notation.write_outcome(step, states[0]): part for step, part in enumerate(odds) if part}


def agree(what: str, rules: object, oracle: object) -> None:
    if rules != oracle:
        raise Disagreement(f"{what}\n  rules:  {rules}\n  oracle: {oracle}")


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare a game's rules with its oracle.")
    parser.add_argument("game", choices=list(GAMES))
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seats", type=int, help="all numbers in turn if left out")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--positions", type=float, default=1.0, help="the share of steps at which positions are compared"
    )
    parser.add_argument(
        "--actions",
        type=float,
        default=1.0,
        help="the share of steps at which whole lists of actions are compared",
    )
    parser.add_argument("--driven", action="store_true", help="choose as play.py does")
    given = parser.parse_args()
    for seats in [given.seats] if given.seats else GAMES[given.game].seats:
        start = time.monotonic()
        reasons: Counter[str] = Counter()
        steps = 0
        for number in range(given.games):
            match = play_both(
                given.game, seats, given.seed + number, given.driven, given.positions, given.actions
            )
            assert match.outcome is not None
            reasons[match.outcome.reason] += 1
            steps += sum(1 + len(record.outcomes) for record in match.records)
        spent = time.monotonic() - start
        print(
            f"{given.game}, {seats} seats: {given.games} games, {steps} steps agree, {dict(reasons)}, {spent:.0f} s"
        )


if __name__ == "__main__":
    try:
        main()
    except Disagreement as error:
        sys.exit(str(error))
