"""What random play seldom or never reaches is reached by the players of play.py; each case is counted once a game."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from games.long_live_the_king import play
from games.long_live_the_king.rare import CASES, play_watched

# A mood, and the cases for which a few games of it suffice.
REACHED = {
    "wild": {
        "third party wins",
        "tie rolled again",
        "noble returns by itself",
        "move on fails with the last card",
        "fifteen cards each",
        "bonus votes beyond fifteen",
        "x3 reclaimed",
    },
    "asleep": {
        "quiet election",
        "bonus votes decided by dice",
        "crown decided by dice",
        "places decided by dice",
        "several have enough votes",
    },
    "building": {"supply empty"},
    "burning": {
        "pile too small",
        "player without cards in a dispute",
        "player without cards in a tie",
        "one outside the tie wins",
    },
}


@pytest.mark.slow
@pytest.mark.parametrize("mood", REACHED)
def test_driven_games_reach_the_rare_cases(mood: str) -> None:
    missing = set(REACHED[mood])
    for seed in range(60):
        seats = 3 + seed % 3
        missing -= play_watched(
            seats, seed, lambda match, seat, rng: play.MOODS[mood](match, seat, match.actions(seat), rng)
        )[1]
        if not missing:
            return
    assert missing == set()


def test_the_golden_transcripts_hold_the_rest() -> None:
    """Five x3 together, and five cards taken back for five ones, take more games than a test can play."""
    told = Counter(
        line.split(" / ")[0].split(" ", 2)[2]
        for line in transcript("elected-five_x3")
        if line[:1].isdigit() and " " in line
    )
    for action in (
        "stake x3 x3 x3 x3 x3",
        "stake x3 x3 x3 x3",
        "stake x1 x3 x3 x3 x3",
        "stake x2 x3 x3 x3 x3",
        "reclaim 5",
    ):
        assert told[action] >= 1
    assert set(CASES) >= set().union(*REACHED.values())


def transcript(name: str) -> list[str]:
    return (Path(__file__).parent / "transcripts" / f"{name}.txt").read_text("utf-8").split("\n")
