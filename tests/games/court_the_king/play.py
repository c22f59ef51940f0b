"""Players of To Court the King that reach what random play does not.

A game has one mood, told by its first roll: keen (nearly always as the built-in policy), whimsical (often at random),
eager (powers before all else, adders before the first roll), late (nobody takes the King; in the last round after
round 40 most pass; long, so rare) or wild (random; long, so rare).
"""

from __future__ import annotations

import random
import zlib

import numpy as np

from regalia import Match
from regalia.core.rng import seeded_rng
from regalia.games.court_the_king.bots.policy import policy

FREQUENCY = ["keen"] * 24 + ["whimsical"] * 24 + ["eager"] * 14 + ["late", "wild"]
AT_RANDOM = {"keen": 0.04, "whimsical": 0.3, "eager": 0.05, "late": 0.02, "wild": 1.0}
RNG = seeded_rng(4)


def choose(match: Match, seat: int, rng: random.Random) -> str:
    return choose_in(mood_of(match), match, seat, rng)


def mood_of(match: Match) -> str:
    rolls = [" ".join(record.outcomes) for record in match.records[1:6] if record.outcomes]
    return FREQUENCY[zlib.crc32(rolls[0].encode()) % len(FREQUENCY)] if rolls else "eager"


def choose_in(mood: str, match: Match, seat: int, rng: random.Random) -> str:
    if rng.random() < AT_RANDOM[mood]:
        return rng.choice(match.actions(seat))
    if mood == "late":
        return choose_late(match, seat, rng)
    if mood == "eager" and match.phase in ("turn", "final") and rng.random() < 0.5:
        powers = match.actions(seat, "use")
        if powers and (match.phase == "turn" or rng.random() < 0.5):
            return rng.choice(powers)
    return sensible(match, seat)


def choose_late(match: Match, seat: int, rng: random.Random) -> str:
    if match.phase == "take":
        return "take none"
    if match.phase == "final":
        return "pass" if rng.random() < 0.7 else "roll"
    dice = match.position()["active"]
    return f"keep {' '.join(map(str, dice))}" if dice else "roll"


def sensible(match: Match, seat: int) -> str:
    """The action the built-in policy takes, step by step to its end."""
    engine = match.engine
    states = engine.layout.load(match.state_bytes())
    steps = np.zeros(engine.steps, np.uint8)
    path: list[int] = []
    while not path or engine.is_inner(states):
        path.append(int(policy(states[0], seat, steps, RNG.copy())))
        engine.apply(states, seat, path[-1])
    text: str = engine.notation.write(path, match.seen(seat)[0], seat)
    return text
