"""`regalia warmup`: everything compiled once, before anyone waits for it."""

from __future__ import annotations

import json
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context

import typer

from regalia import GAMES
from regalia.cli.arguments import AsJson, Language
from regalia.cli.language import language_of
from regalia.cli.progress import progress


def warmup(as_json: AsJson = False, language: Language = None) -> None:
    language = language_of(language)
    start = time.perf_counter()
    seconds = {}
    with progress() as bar, ProcessPoolExecutor(mp_context=get_context("spawn")) as workers:
        task = bar.add_task("", total=len(GAMES))
        under_way = [workers.submit(compile_game, name) for name in longest_first()]
        for done in as_completed(under_way):
            name, spent = done.result()
            seconds[name] = round(spent, 2)
            bar.update(task, description=GAMES[name].titles[language], advance=1)
    total = round(time.perf_counter() - start, 2)
    if as_json:
        typer.echo(json.dumps({"seconds": total, "games": seconds}))
        return
    from regalia.cli.screen import Screen

    screen = Screen(language)
    for name, spent in seconds.items():
        screen.say("cli.warmup.game", game=GAMES[name].titles[language], seconds=f"{spent:.1f}")
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
