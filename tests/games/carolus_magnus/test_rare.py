"""The rare cases really occur, and every end with every number of seats."""

from __future__ import annotations

from collections import Counter

from games.carolus_magnus.rare import RARE, play_and_watch

# Found among some hundred driven games: few and short ones that together show everything, and a long one each.
SEEDS = {2: (14, 15, 54), 3: (5, 14, 18, 33), 4: (28, 36, 40)}
LONG = {2: 13, 3: 13, 4: 5}


def test_every_rare_case_and_every_end_occurs() -> None:
    seen: Counter[str] = Counter()
    for seats, seeds in SEEDS.items():
        here: Counter[str] = Counter()
        for seed in seeds:
            play_and_watch(seats, seed, here)
        play_and_watch(seats, LONG[seats], here, "peaceful")
        assert {
            reason for reason in ("castles", "regions", "standstill", "rounds") if not here[reason]
        } == set()
        seen += here
    assert {case for case in RARE if not seen[case]} == set()
