"""Play a contest to its end, or until somebody stops it; either way nothing played is lost."""

from __future__ import annotations

import time
from collections.abc import Callable

from regalia.arena.contest import Contest
from regalia.arena.workers import Workers

SAVE_S = 5.0


def run(
    contest: Contest,
    workers: Workers,
    tell: Callable[[int, int], None] | None = None,
    enough: Callable[[Contest], bool] | None = None,
) -> bool:
    """Play what is left; returns whether all is played. `tell` gets the matches played and their number.

    A stop by the keyboard saves and returns False. `enough` is asked after each match whether more would change nothing.
    """
    if enough is not None and enough(contest):
        return True
    last = time.monotonic()
    total = len(contest.all)
    try:
        for number, played in workers.play(contest.plan, contest.left):
            contest.add(number, played)
            if tell is not None:
                tell(len(contest.played), total)
            if time.monotonic() - last > SAVE_S:
                contest.save()
                last = time.monotonic()
            if enough is not None and enough(contest):
                return True
    except KeyboardInterrupt:
        return False
    finally:
        contest.save()
    return not contest.left
