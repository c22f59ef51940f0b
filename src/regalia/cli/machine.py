"""`regalia bench` and `regalia warmup`: how fast the program is, and how it gets ready."""

from __future__ import annotations

import json
import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from typing import TYPE_CHECKING, Annotated, Any

import typer

from regalia import GAMES
from regalia.cli.speech import AsJson, Language, chosen, word

if TYPE_CHECKING:
    from rich.progress import Progress


def bench(
    rows: Annotated[list[str] | None, typer.Argument(metavar="ROW", help=word("argument.rows"))] = None,
    as_json: AsJson = False,
    language: Language = None,
) -> None:
    tongue = chosen(language)
    from regalia.bench import chosen as checked
    from regalia.bench import run

    names = checked(rows or ())
    found: list[dict[str, Any]] = []
    with progress() as bar:
        task = bar.add_task("", total=len(names))
        for name in names:
            bar.update(task, description=name)
            found += run([name])["rows"]
            bar.advance(task)
    if as_json:
        typer.echo(json.dumps({"rows": found}))
    else:
        show_rows(found, tongue)


def show_rows(rows: list[dict[str, Any]], language: str) -> None:
    from rich.table import Table

    from regalia.cli.screen import Screen

    screen = Screen(language)
    table = Table(box=None, padding=(0, 2, 0, 0))
    for key in ("name", "ours", "peer", "ratio", "unit", "against"):
        table.add_column(
            screen.words(f"cli.bench.{key}"), justify="right" if key in ("ours", "peer", "ratio") else "left"
        )
    for row in rows:
        table.add_row(*(figure(row.get(key)) for key in ("name", "ours", "peer", "ratio", "unit", "against")))
    screen.show(table)


def figure(value: object) -> str:
    """Four digits say enough."""
    if value is None:
        return "–"
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def progress() -> Progress:
    """On stderr, so that stdout is the result alone; only where someone watches."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
        disable=not sys.stderr.isatty(),
    )


def warmup(as_json: AsJson = False, language: Language = None) -> None:
    tongue = chosen(language)
    start = time.perf_counter()
    seconds = {}
    with progress() as bar, ProcessPoolExecutor(mp_context=get_context("spawn")) as workers:
        task = bar.add_task("", total=len(GAMES))
        under_way = [workers.submit(compile_game, name) for name in longest_first()]
        for done in as_completed(under_way):
            name, spent = done.result()
            seconds[name] = round(spent, 2)
            bar.update(task, description=GAMES[name].titles[tongue], advance=1)
    total = round(time.perf_counter() - start, 2)
    if as_json:
        typer.echo(json.dumps({"seconds": total, "games": seconds}))
        return
    from regalia.cli.screen import Screen

    screen = Screen(tongue)
    for name, spent in seconds.items():
        screen.say("cli.warmup.game", game=GAMES[name].titles[tongue], seconds=f"{spent:.1f}")
    screen.say("cli.warmup.ready", "bold", seconds=f"{total:.1f}")


def longest_first() -> list[str]:
    """The games by how much there is to compile, so that no core is left waiting for the last one."""
    sizes = {
        name: sum(path.stat().st_size for path in game.folder.glob("*.py")) for name, game in GAMES.items()
    }
    return sorted(GAMES, key=lambda name: -sizes[name])


def compile_game(name: str) -> tuple[str, float]:
    """Use everything of a game once that is compiled when it is first used; tells how long that took."""
    import regalia
    from regalia.bots import BOTS, choose

    begun = time.perf_counter()
    game = GAMES[name]
    match = regalia.Match.new(game, seed=1)
    for bot in BOTS:
        choose(match, match.actors[0], bot, 1)
    while match.actors:  # to the end: the last reckoning is compiled too
        seat = match.actors[0]
        match.play(seat, match.actions(seat)[0])
        match.view(seat)
    assert match.outcome is not None
    engine = match.engine
    start = engine.start(match.seats, match.options)
    engine.playouts(start, 1, seed=1)
    engine.perft(start, 2)
    batch = regalia.Batch(game, 2, seed=1)
    batch.step_at_random()
    batch.step([int(mask.argmax()) for mask in batch.masks])
    batch.restart()
    return name, time.perf_counter() - begun
