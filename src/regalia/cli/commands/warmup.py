"""`regalia warmup`: everything compiled once, before anyone waits for it."""

from __future__ import annotations

import json
import time

import typer

from regalia import GAMES
from regalia.cli.arguments import AsJson, Language
from regalia.cli.language import language_of
from regalia.cli.progress import progress
from regalia.locale import say

LOOK_S = 0.1


def warmup(as_json: AsJson = False, language: Language = None) -> None:
    from regalia.preparation import usable_cores
    from regalia.preparation.crew import Crew
    from regalia.preparation.stages import Stage

    language = language_of(language)
    start = time.perf_counter()
    crew = Crew(GAMES.values(), list(Stage), usable_cores(), is_background=False)
    crew.start()
    with progress() as bar:
        for game in GAMES.values():
            crew.count(game)
        rows = {name: bar.add_task(game.titles[language], total=None) for name, game in GAMES.items()}
        while crew.is_at_work:
            time.sleep(LOOK_S)
            for task in crew.tasks():
                bar.update(rows[task.game.id], completed=task.done, total=task.total)
    total = round(time.perf_counter() - start, 2)
    tasks = sorted(crew.tasks(), key=lambda task: task.seconds)
    if failed := [task for task in tasks if not task.is_ready]:
        names = ", ".join(task.game.titles[language] for task in failed)
        why = "".join(task.said for task in failed)
        typer.echo(why + say(language, "cli.warmup.failed", games=names), err=True)
        raise typer.Exit(1)
    if as_json:
        seconds = {task.game.id: round(task.seconds, 2) for task in tasks}
        typer.echo(json.dumps({"seconds": total, "games": seconds}))
        return
    from regalia.cli.screen import Screen

    screen = Screen(language)
    for task in tasks:
        screen.say("cli.warmup.game", game=task.game.titles[language], seconds=f"{task.seconds:.1f}")
    screen.say("cli.warmup.ready", "bold", seconds=f"{total:.1f}")
