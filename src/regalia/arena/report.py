"""What a contest came to: as data, as Markdown, as pictures."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from regalia.arena.contest import Contest
from regalia.arena.exact import Accuracy, Solver, accuracy, open_toys
from regalia.arena.figures import Rate
from regalia.bots.opponents import opponent
from regalia.core.toys import find_toy
from regalia.locale import say

Accuracies = Mapping[str, Mapping[str, Accuracy]]  # by toy and bot


def accuracies(contest: Contest) -> Accuracies:
    """How well the bots decide on the game's toys; their values are worked out anew, which takes some seconds."""
    game = contest.plan.rules
    found: dict[str, dict[str, Accuracy]] = {}
    for name in open_toys(game):
        solver = Solver(game, find_toy(game, name).seats)
        found[name] = {bot: accuracy(solver, name, opponent(game, bot)) for bot in contest.plan.bots}
    return found


def summary(
    contest: Contest, fresh: Contest | None = None, exact: Accuracies | None = None
) -> dict[str, Any]:
    """Everything the report says, as JSON-able data; `fresh` is the confirmation."""
    plan = contest.plan
    return {
        **(
            {}
            if exact is None
            else {
                "exact": {toy: {bot: asdict(one) for bot, one in row.items()} for toy, row in exact.items()}
            }
        ),
        **({} if fresh is None else {"confirmation": summary(fresh)}),
        "plan": plan.as_json(),
        "played": len(contest.played),
        "matches": len(contest.all),
        "fair_share": fair_share(contest),
        "pairings": [
            {
                "challenger": one,
                "field": other,
                **asdict(found),
                "superiority": asdict(contest.superiorities()[one, other]),
                "verdict": contest.verdicts()[one, other],
            }
            for (one, other), found in contest.rates().items()
        ],
        "ratings": [asdict(rating) for rating in contest.ratings()],
        "bots": contest.habits(),
    }


def fair_share(contest: Contest) -> float:
    return 1 / (max(contest.plan.sides) + 1)


def percent(value: float) -> str:
    return f"{100 * value:.1f} %"


def interval(rate: Rate) -> str:
    return f"{percent(rate.share)} ({percent(rate.low)} – {percent(rate.high)})"


def markdown(
    contest: Contest,
    language: str = "en",
    pictures: tuple[str, ...] = (),
    fresh: Contest | None = None,
    exact: Accuracies | None = None,
) -> str:
    plan = contest.plan

    def words(key: str, **values: object) -> str:
        return say(language, f"bots.report.{key}", **values)

    budget = words("simulations") if plan.budget_s is None else words("seconds", seconds=plan.budget_s)
    lines = [
        f"# {words('title', game=plan.rules.titles[language])}",
        "",
        words("setting", seats=plan.seats, seed=plan.seed, budget=budget),
        words("played", played=len(contest.played), matches=len(contest.all)),
        "",
        f"## {words('pairings')}",
        "",
        words("fair", share=percent(fair_share(contest))),
        "",
        *pairings(contest, language),
    ]
    if fresh is not None:
        lines += ["", f"## {words('confirmation', seed=fresh.plan.seed)}", "", *pairings(fresh, language)]
    for toy, row in (exact or {}).items():
        lines += ["", f"## {words('exact', toy=toy)}", ""]
        lines += [
            f"| {words('bot')} | {words('optimal')} | {words('loss')} | {words('decisions')} |",
            "|---|---|---|---|",
        ]
        for bot, one in row.items():
            lines.append(f"| {bot} | {percent(one.optimal)} | {percent(one.loss)} | {one.decisions} |")
    lines += [
        "",
        f"## {words('ratings')}",
        "",
        f"| {words('bot')} | Elo | {words('points')} | {words('simulations_each')} | {words('ms')} |",
        "|---|---|---|---|---|",
    ]
    habits = contest.habits()
    for rating in contest.ratings():
        mine = habits[rating.bot]
        lines.append(
            f"| {rating.bot} | {rating.elo:+.0f} ({rating.low:+.0f} – {rating.high:+.0f}) | {mine['points']:.2f} "
            f"| {mine['simulations']:.0f} | {mine['ms']:.1f} |"
        )
    lines += ["", words("method"), *(f"\n![]({name})" for name in pictures), ""]
    return "\n".join(lines)


def pairings(contest: Contest, language: str) -> list[str]:
    """A table: who won how much against whom."""
    heads = ("challenger", "field", "share", "superiority", "verdict", "count", "saved")
    lines = [
        "| " + " | ".join(say(language, f"bots.report.{head}") for head in heads) + " |",
        "|---" * len(heads) + "|",
    ]
    superiorities, verdicts = contest.superiorities(), contest.verdicts()
    for (one, other), found in contest.rates().items():
        verdict = say(language, f"bots.report.verdict_{verdicts[one, other] or 'open'}")
        cells = (
            one,
            other,
            interval(found),
            interval(superiorities[one, other]),
            verdict,
            str(found.matches),
        )
        lines.append("| " + " | ".join([*cells, percent(found.saved)]) + " |")
    return lines


def draw(contest: Contest, folder: Path, language: str = "en") -> tuple[str, ...]:
    """Pictures of ratings and win rates; none where matplotlib (the optional extra `plots`) is missing."""
    try:
        import matplotlib

        matplotlib.use("svg")
        import matplotlib.pyplot as plt
    except ImportError:
        return ()
    matplotlib.rcParams["svg.hashsalt"] = "regalia"  # the same picture for the same figures
    ratings = contest.ratings()[::-1]
    figure, axes = plt.subplots(figsize=(7, 0.5 * len(ratings) + 1.2), layout="constrained")
    axes.errorbar(
        [rating.elo for rating in ratings],
        [rating.bot for rating in ratings],
        xerr=[[r.elo - r.low for r in ratings], [r.high - r.elo for r in ratings]],
        fmt="o",
        capsize=3,
    )
    axes.set_xlabel("Elo")
    figure.savefig(folder / "ratings.svg", metadata={"Date": None})
    plt.close(figure)
    rates = contest.rates()
    labels = [f"{one} – {other}" for one, other in rates]
    figure, axes = plt.subplots(figsize=(7, 0.4 * len(labels) + 1.2), layout="constrained")
    shares = [rate.share for rate in rates.values()]
    spread = [[f.share - f.low for f in rates.values()], [f.high - f.share for f in rates.values()]]
    axes.barh(labels, shares, xerr=spread, capsize=3)
    axes.axvline(fair_share(contest), linestyle=":")
    axes.set_xlim(0, 1)
    axes.set_xlabel(say(language, "bots.report.share"))
    figure.savefig(folder / "shares.svg", metadata={"Date": None})
    plt.close(figure)
    return "ratings.svg", "shares.svg"


def write(
    contest: Contest,
    folder: Path,
    language: str = "en",
    fresh: Contest | None = None,
    exact: Accuracies | None = None,
) -> tuple[str, ...]:
    """summary.json, report.md and its pictures into a folder; returns the names of the pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    pictures = draw(contest, folder, language)
    (folder / "summary.json").write_text(json.dumps(summary(contest, fresh, exact), indent=1) + "\n", "utf-8")
    (folder / "report.md").write_text(markdown(contest, language, pictures, fresh, exact), "utf-8")
    return pictures
