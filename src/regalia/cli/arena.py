"""`regalia arena`: bot against bot, many matches, with intervals."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from regalia.cli.speech import HELP, AsJson, Language, chosen
from regalia.core.errors import SetupError
from regalia.locale import say

if TYPE_CHECKING:
    from regalia.arena.contest import Contest
    from regalia.arena.workers import Workers

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
    out: Annotated[Path | None, typer.Option(metavar="FOLDER", help=help_of("out"))] = None,
    as_json: AsJson = False,
    language: Language = None,
) -> None:
    tongue = chosen(language)
    import regalia  # noqa: F401 - binds the registry of games
    from regalia.arena import report
    from regalia.arena.contest import Contest, Plan

    names = [name.strip() for name in bots.split(",") if name.strip()]
    plan = Plan.of(game, names, matches, seats, seed, pairs(option or []), seconds)
    folder = out or Path(f"arena-{game}-{'-'.join(names)}")
    contest = Contest.open(plan, folder / "results.json")
    is_done = play(contest, hands(workers, ray))
    if not is_done:
        again = shlex.join(["regalia", *sys.argv[1:]])
        typer.echo(say(tongue, "bots.arena.stopped", played=len(contest.played), command=again), err=True)
        raise typer.Exit(STOPPED)
    pictures = report.write(contest, folder, tongue)
    if not pictures:
        typer.echo(say(tongue, "bots.arena.no_pictures"), err=True)
    if as_json:
        typer.echo(json.dumps(report.summary(contest)))
    else:
        typer.echo(report.markdown(contest, tongue))
        typer.echo(say(tongue, "bots.arena.written", folder=folder), err=True)


def pairs(options: list[str]) -> dict[str, object]:
    found: dict[str, object] = {}
    for text in options:
        name, sign, value = text.partition("=")
        if not sign:
            raise SetupError("bots.error.option", option=text)
        found[name] = value
    return found


def hands(workers: int | None, ray: str | None) -> Workers:
    from regalia.arena.workers import Cluster, Here, Processes

    if ray is not None:
        return Cluster(ray)
    if workers is not None and workers < 1:
        raise SetupError("bots.error.workers", workers=workers)
    return Here() if workers == 1 else Processes(workers)


def play(contest: Contest, workers: Workers) -> bool:
    """Play what is left, with a bar where someone watches."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from regalia.arena.run import run

    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
        disable=not sys.stderr.isatty(),
    )
    with bar:
        task = bar.add_task(contest.plan.game, total=len(contest.all), completed=len(contest.played))
        return run(contest, workers, lambda played, _: bar.update(task, completed=played))
