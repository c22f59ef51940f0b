"""`regalia arena`: bot against bot, many matches, with intervals."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from regalia.cli.arguments import AsJson, Language, pairs
from regalia.cli.language import HELP, language_of
from regalia.cli.progress import progress
from regalia.core.errors import SetupError
from regalia.locale import say

if TYPE_CHECKING:
    from regalia.arena.contest import Contest
    from regalia.arena.workers import Workers

FRESH_DEALS = 500_000_003  # added to the seed
STOPPED = 130  # the exit code of a command stopped by the keyboard


def help_of(key: str) -> str:
    return say(HELP, f"bots.arena.{key}")


def arena(
    game: Annotated[str, typer.Argument(metavar="GAME", help=help_of("game"))],
    bots: Annotated[str, typer.Option(metavar="A,B,…", help=help_of("bots"))],
    matches: Annotated[int, typer.Option(metavar="N", help=help_of("matches"))] = 100,
    seats: Annotated[int | None, typer.Option(metavar="N", help=help_of("seats"))] = None,
    option: Annotated[list[str] | None, typer.Option(metavar="NAME=VALUE", help=help_of("option"))] = None,
    seed: Annotated[int, typer.Option(metavar="N", help=help_of("seed"))] = 1,
    seconds: Annotated[float | None, typer.Option(metavar="S", help=help_of("seconds"))] = None,
    workers: Annotated[int | None, typer.Option(metavar="N", help=help_of("workers"))] = None,
    ray: Annotated[str | None, typer.Option(metavar="ADDRESS", help=help_of("ray"))] = None,
    decide: Annotated[bool, typer.Option("--decide", help=help_of("decide"))] = False,
    confirm: Annotated[int, typer.Option(metavar="N", help=help_of("confirm"))] = 0,
    exact: Annotated[bool, typer.Option("--exact", help=help_of("exact"))] = False,
    out: Annotated[Path | None, typer.Option(metavar="FOLDER", help=help_of("out"))] = None,
    as_json: AsJson = False,
    language: Language = None,
) -> None:
    language = language_of(language)
    from regalia.arena import report
    from regalia.arena.contest import Contest, Plan

    names = [name.strip() for name in bots.split(",") if name.strip()]
    plan = Plan.of(game, names, matches, seats, seed, pairs(option or []), seconds)
    folder = out or Path(f"arena-{game}-{'-'.join(names)}")
    contest = Contest.open(plan, folder / "results.json")
    crew = workers_of(workers, ray)
    play_to_the_end(contest, crew, language, decide)
    fresh = None
    if confirm:
        # Deals that nobody has looked at: a share from a contest that was stopped when it looked well flatters.
        again = Plan.of(game, names, confirm, seats, seed + FRESH_DEALS, pairs(option or []), seconds)
        fresh = Contest.open(again, folder / "confirmation.json")
        play_to_the_end(fresh, crew, language)
    known = report.accuracies(contest) if exact else None
    pictures = report.write(contest, folder, language, fresh, known)
    if not pictures:
        typer.echo(say(language, "bots.arena.no_pictures"), err=True)
    if as_json:
        typer.echo(json.dumps(report.summary(contest, fresh, known)))
    else:
        typer.echo(report.markdown(contest, language, fresh=fresh, exact=known))
        typer.echo(say(language, "bots.arena.written", folder=folder), err=True)


def play_to_the_end(contest: Contest, workers: Workers, language: str, decide: bool = False) -> None:
    """All of it; with `decide` until every pairing is decided. Stopped by the keyboard, the command ends here."""
    if not play(contest, workers, is_decided if decide else None):
        again = shlex.join(["regalia", *sys.argv[1:]])
        typer.echo(say(language, "bots.arena.stopped", played=len(contest.played), command=again), err=True)
        raise typer.Exit(STOPPED)


def is_decided(contest: Contest) -> bool:
    verdicts = contest.verdicts()
    pairings = {(fixture.challenger, fixture.field) for fixture in contest.all}
    return all(verdicts.get(pair) for pair in pairings)


def workers_of(workers: int | None, ray: str | None) -> Workers:
    from regalia.arena.workers import InProcess, ProcessPool, RayCluster

    if ray is not None:
        return RayCluster(ray)
    if workers is not None and workers < 1:
        raise SetupError("bots.error.workers", workers=workers)
    return InProcess() if workers == 1 else ProcessPool(workers)


def play(contest: Contest, workers: Workers, enough: Callable[[Contest], bool] | None = None) -> bool:
    """Play what is left, with a bar where someone watches."""
    from rich.progress import MofNCompleteColumn, TimeRemainingColumn

    from regalia.arena.run import run

    with progress(MofNCompleteColumn(), TimeRemainingColumn()) as bar:
        task = bar.add_task(contest.plan.game, total=len(contest.all), completed=len(contest.played))
        return run(contest, workers, lambda played, _: bar.update(task, completed=played), enough)
