"""The rare cases really occur, and every end with every number of seats."""

from __future__ import annotations

from collections import Counter

from games.carolus_magnus.rare import RARE, play_and_watch

# Found among 300 driven games: few and short ones that together show everything.
SEEDS = {2: (8, 28, 31, 64, 79), 3: (6, 48, 91, 92, 97), 4: (1, 3, 21, 36)}


def test_every_rare_case_and_every_end_occurs() -> None:
    seen: Counter[str] = Counter()
    for seats, seeds in SEEDS.items():
        here: Counter[str] = Counter()
        for seed in seeds:
            play_and_watch(seats, seed, here)
        assert {reason for reason in ("castles", "regions", "standstill", "rounds") if not here[reason]} == set()
        seen += here
    assert {case for case in RARE if not seen[case]} == set()
