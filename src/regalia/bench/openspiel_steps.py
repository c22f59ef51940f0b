"""Steps from Python through our OpenSpiel adapter, and through The Rose King written in plain Python there.

Runs in an environment of its own (`bench/peers.py`), as a command that says its figures as JSON.
"""

from __future__ import annotations

import json
import random
from typing import Any

import pyspiel  # type: ignore[import-not-found]

from regalia.bench import openspiel as plain
from regalia.bench.rows import per_second
from regalia.research import openspiel

STEPS = 20_000


def steps(game: Any) -> int:
    """Random matches, chance included, until so many steps are taken."""
    rng, done = random.Random(1), 0
    while done < STEPS:
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
            done += 1
    return done


def main() -> None:
    openspiel.register("rose_king")
    ours, peer = pyspiel.load_game("regalia_rose_king"), pyspiel.load_game(plain.TYPE.short_name)
    steps(ours)  # compiles
    pairs = sorted(
        ((per_second(lambda: steps(ours)), per_second(lambda: steps(peer))) for _ in range(5)),
        key=lambda pair: pair[0] / pair[1],
    )
    print(json.dumps({"version": plain.VERSION, "ours": pairs[2][0], "peer": pairs[2][1]}))


if __name__ == "__main__":
    main()
