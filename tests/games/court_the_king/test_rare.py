"""The rare cases really occur, and every end."""

from __future__ import annotations

from collections import Counter

from games.court_the_king.rare import ENDS, RARE, play_and_watch

# Found among some hundred driven games: few and short ones that together show everything.
GAMES = ((2, 2), (2, 6), (2, 12), (2, 19), (3, 4), (3, 17), (3, 19), (4, 8))
LATE = ((2, 0), (2, 1), (2, 2), (3, 1))


def test_every_rare_case_and_every_end_occurs() -> None:
    seen: Counter[str] = Counter()
    for seats, seed in GAMES:
        play_and_watch(seats, seed, seen)
    for seats, seed in LATE:
        play_and_watch(seats, seed, seen, "late")
    assert [case for case in (*RARE, *ENDS) if not seen[case]] == []
