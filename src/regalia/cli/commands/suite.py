"""`regalia suite`: a bot from outside against frozen baselines, with a result that anyone can check."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from regalia.cli.arguments import AsJson, Language
from regalia.cli.commands.arena import play_to_the_end, workers_of
from regalia.cli.language import HELP, language_of
from regalia.core.errors import SetupError
from regalia.core.registry import GAMES
from regalia.locale import say


def help_of(key: str) -> str:
    return say(HELP, f"suite.{key}")


def suite(
    bot: Annotated[str | None, typer.Argument(metavar="BOT", help=help_of("bot"))] = None,
    game: Annotated[list[str] | None, typer.Option(metavar="GAME", help=help_of("game"))] = None,
    seats: Annotated[int | None, typer.Option(metavar="N", help=help_of("seats"))] = None,
    against: Annotated[
        str, typer.Option(metavar="A,B,…", help=help_of("opponents"))
    ] = "page,squire,knight,duke",
    deals: Annotated[int, typer.Option(metavar="N", help=help_of("deals"))] = 100,
    track: Annotated[str, typer.Option(metavar="TRACK", help=help_of("track"))] = "search",
    name: Annotated[str | None, typer.Option(metavar="NAME", help=help_of("name"))] = None,
    limit: Annotated[float, typer.Option(metavar="S", help=help_of("limit"))] = 10.0,
    seed: Annotated[int, typer.Option(metavar="N", help=help_of("seed"))] = 1,
    workers: Annotated[int | None, typer.Option(metavar="N", help=help_of("workers"))] = None,
    ray: Annotated[str | None, typer.Option(metavar="ADDRESS", help=help_of("ray"))] = None,
    out: Annotated[Path | None, typer.Option(metavar="FOLDER", help=help_of("out"))] = None,
    check: Annotated[Path | None, typer.Option(metavar="FILE", help=help_of("check"))] = None,
    part: Annotated[float, typer.Option(metavar="P", help=help_of("part"))] = 0.05,
    as_json: AsJson = False,
    language: Language = None,
) -> None:
    language = language_of(language)
    if (bot is None) == (check is None):
        raise SetupError("suite.error.what")
    if check is not None:
        verify(check, part, language)
        return
    assert bot is not None
    from regalia.arena.suite import TRACKS, SuiteContest, SuitePlan, result_of, row_of

    if track not in TRACKS:
        raise SetupError("suite.error.track", track=track, allowed=", ".join(TRACKS))
    called = name or Path(bot.split()[0] if bot.split() else bot).stem
    baselines = [word.strip() for word in against.split(",") if word.strip()]
    plans = [SuitePlan.of(one, bot, seats, baselines, deals, seed, limit) for one in game or list(GAMES)]
    folder, crew = out or Path(f"suite-{called}"), workers_of(workers, ray)
    rows = []
    for plan in plans:
        contest = SuiteContest.of(plan, folder / f"{plan.game}-played.json")
        play_to_the_end(contest, crew, language)
        result = result_of(plan, contest.logged, track, called)
        (folder / f"{plan.game}.json").write_text(json.dumps(result, indent=1) + "\n", "utf-8")
        rows.append(row_of(result))
        if not as_json:
            typer.echo(told(result, language))
    if as_json:
        typer.echo(json.dumps(rows))
    else:
        typer.echo(say(language, "suite.written", folder=folder), err=True)


def told(result: dict[str, Any], language: str) -> str:
    """A line for the game, and one for each baseline."""
    plan, figures = result["plan"], result["figures"]
    lines = []
    for who, row in [("", figures), *figures["against"].items()]:
        above = row["superiority"]
        words = say(
            language,
            "suite.against" if who else "suite.score",
            game=GAMES[plan["game"]].titles[language],
            bot=who,
            share=f"{100 * above['share']:.1f}",
            low=f"{100 * above['low']:.1f}",
            high=f"{100 * above['high']:.1f}",
            matches=above["matches"],
        )
        faults = ", ".join(f"{fault} {count}" for fault, count in row.get("faults", {}).items())
        lines.append(words + (f" {say(language, 'suite.faults', faults=faults)}" if faults else ""))
    return "\n".join(lines)


def verify(path: Path, part: float, language: str) -> None:
    from regalia.arena.suite import check

    if not 0 < part <= 1:
        raise SetupError("research.error.value", name="--part", value=part, allowed="0 … 1")
    try:
        result = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise SetupError("bots.error.file", file=path.name) from error
    count = check(result, part)
    typer.echo(say(language, "suite.checked", matches=count, digest=result["digest"]))
