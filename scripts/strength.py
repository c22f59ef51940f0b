"""Measures how strong the bots are and writes docs/strength.md.

    python scripts/strength.py                    everything, as far as it is not decided yet
    python scripts/strength.py rose_king --minutes 10 --each 2
    python scripts/strength.py --only report      write the report from what was played

Each question is a contest of two bots that ends as soon as a sequential test on whole deals decides it, or after
--most matches.
Cheap questions come first, for all games.
What was played is kept in --data; stopped by Ctrl-C or by time it goes on there the next time. The report is
written from whatever is there.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import regalia
from regalia.arena.contest import Contest, Plan
from regalia.arena.figures import Rate, decided_by_deals, share_of
from regalia.arena.report import fair_share, interval
from regalia.arena.run import run
from regalia.arena.workers import InProcess, ProcessPool, Workers
from regalia.bots import BOTS, opponent
from regalia.bots.opponents import FULL_GAME
from regalia.core.kernel import cache_root

ROOT = Path(__file__).resolve().parent.parent
SEATS = {
    name: game.module("bots").MEASURED_SEATS for name, game in regalia.GAMES.items() if game.has_part("bots")
}
EQUAL_S = 0.1  # thinking time where knowledge is measured at equal time,
FULL_S = 1.0  # and in a small sample
SAMPLE = 12  # matches of that


@dataclass(frozen=True)
class Question:
    """Does the first bot reach this share of the victories against the second?"""

    game: str
    one: str
    other: str
    wanted: float  # the share asked for
    low: float  # and the one at which the answer is no
    budget_s: float | None = None
    most: int = 400  # matches

    @property
    def name(self) -> str:
        timed = "" if self.budget_s is None else f"-{self.budget_s}s"
        return f"{self.game}-{self.one}-{self.other}{timed}"

    def contest(self, folder: Path) -> Contest:
        """The contest as far as it was played; the first bot is always the one that challenges."""
        assert regalia.Match is not None  # binds the registry of games
        roles = 1 if SEATS[self.game] == 2 else 2
        plan = Plan.of(
            self.game, (self.one, self.other), roles * self.most, SEATS[self.game], 1, None, self.budget_s
        )
        contest = Contest.open(plan, folder / f"{self.name}.json")
        contest.all = [fixture for fixture in contest.all if fixture.challenger == self.one]
        return contest

    def rate(self, contest: Contest) -> Rate | None:
        return contest.rates().get((self.one, self.other))

    def verdict(self, contest: Contest) -> str | None:
        """ "above" only when the interval is above the lower share too, so that both ways of asking agree."""
        found = self.rate(contest)
        if found is None:
            return None
        shares = [
            (fixture.deal, share_of(played.ranks, contest.plan.sides, fixture.side))
            for fixture, played in contest.results()
        ]
        test = decided_by_deals(shares, self.low, min(2 * self.wanted - self.low, 0.999))
        return None if test == "above" and found.low <= self.low else test


def questions(game: str) -> list[Question]:
    """In the order of their cost."""
    fair = 1 / SEATS[game]
    is_pair = SEATS[game] == 2
    wanted, low = (0.70, 0.65) if is_pair else (1.5 * fair, 1.3 * fair)
    found = [Question(game, one, other, wanted, low) for other, one in pairwise(BOTS)]
    found.append(
        Question(game, "regent", "random", 0.99 if is_pair else 0.9, 0.95 if is_pair else 0.75, None, 200)
    )
    wanted, low = (0.75, 0.65) if is_pair else (1.5 * fair, 1.2 * fair)
    found.append(Question(game, "regent", "regent-blind", wanted, low, EQUAL_S, 200))
    found.append(Question(game, "regent", "regent-blind", wanted, low, FULL_S, SAMPLE))
    return found


def play(asked: list[Question], minutes: float, each: float, folder: Path, workers: Workers) -> None:
    end = time.monotonic() + 60 * minutes
    for question in asked:
        contest = question.contest(folder)
        until = min(end, time.monotonic() + 60 * each)

        def enough(now: Contest, question: Question = question, until: float = until) -> bool:
            return time.monotonic() > until or question.verdict(now) is not None

        goes_on = run(contest, workers, None, enough)
        found = question.rate(contest)
        print(
            question.name,
            "–" if found is None else interval(found),
            question.verdict(contest) or "open",
            flush=True,
        )
        if not goes_on or time.monotonic() > end:
            return


def report(games: list[str], folder: Path) -> str:
    lines = [
        "# How strong the bots are",
        "",
        "Made by `scripts/strength.py`, which goes on where it stopped. A share is the first bot's part of the",
        "victories; the interval is 95 %, from whole deals: each deal is played on every side with the same draws.",
        "A contest ends when a sequential test has decided whether the share asked for is reached, so that the",
        "numbers of matches differ. Budgets are simulations, unless a time is named; at the full second a small sample",
        "is played.",
        "Where a contest missed its mark, opponents were spaced anew and played again on the same deals;",
        "what earlier spacings reached is not shown, so that shares just above the mark flatter a little.",
    ]
    for game in games:
        title = regalia.GAMES[game].titles["en"]
        lines += [
            "",
            f"## {title}, {SEATS[game]} seats",
            "",
            "| bot | simulations | slips | plays on |",
            "|---|---|---|---|",
        ]
        for bot in BOTS[1:]:
            who = opponent(regalia.GAMES[game], bot)
            far = "to the end" if who.horizon == FULL_GAME else f"{who.horizon + 1} decisions, then judges"
            if who.played:
                far += f" ({100 - 100 * who.played:.0f} %), and plays to the end at random ({100 * who.played:.0f} %)"
            lines.append(f"| {bot} | {who.simulations} | {100 * who.slips:.0f} % | {far} |")
        remark = getattr(regalia.GAMES[game].module("bots"), "REMARK", None)
        if remark is not None:
            lines += ["", remark]
        lines += [
            "",
            "| pairing | share (95 %) | fair | asked for | verdict | matches | variance saved |",
            "|---|---|---|---|---|---|---|",
        ]
        for question in questions(game):
            contest = question.contest(folder)
            found = question.rate(contest)
            timed = "" if question.budget_s is None else f", {question.budget_s} s each"
            start = f"| {question.one} – {question.other}{timed} "
            if found is None:
                lines.append(
                    f"{start}| not played yet | {fair_share(contest):.2f} | {question.wanted:.2f} | – | 0 | – |"
                )
                continue
            unsure = "sample" if question.most == SAMPLE <= found.matches else "open"
            verdict = {"above": "reached", "below": "not reached", None: unsure}[question.verdict(contest)]
            lines.append(
                f"{start}| {interval(found)} | {fair_share(contest):.2f} | {question.wanted:.2f} | {verdict} "
                f"| {found.matches} | {100 * found.saved:.0f} % |"
            )
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="*", default=list(SEATS), help="games to measure")
    parser.add_argument("--only", choices=["report"], help="play nothing")
    parser.add_argument("--minutes", type=float, default=1e9, help="stop after so long")
    parser.add_argument("--each", type=float, default=1e9, help="leave a question open after so many minutes")
    parser.add_argument("--workers", type=int, help="processes; all cores by default")
    parser.add_argument("--data", type=Path, default=cache_root() / "strength", help="where results are kept")
    chosen = parser.parse_args()
    if chosen.only is None:
        workers: Workers = InProcess() if chosen.workers == 1 else ProcessPool(chosen.workers)
        asked = [one for same in zip(*map(questions, chosen.games), strict=True) for one in same]
        play(asked, chosen.minutes, chosen.each, chosen.data, workers)
    (ROOT / "docs" / "strength.md").write_text(report(list(SEATS), chosen.data), "utf-8")


if __name__ == "__main__":
    main()
