"""A bar for work that takes a while."""

from __future__ import annotations

import sys
import threading
from typing import TYPE_CHECKING

from regalia.locale import say

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn

    from regalia.core.game import Game

LOOK_S = 0.1


def progress(*more: ProgressColumn) -> Progress:
    """On stderr, so that stdout is the result alone; only where someone watches."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        *(more or (TimeElapsedColumn(),)),
        console=Console(stderr=True),
        transient=True,
        disable=not sys.stderr.isatty(),
    )


def prepare(game: Game, language: str, with_bots: bool) -> None:
    """Compile a game now if that was not done before, and show how far it is."""
    from rich.progress import MofNCompleteColumn

    from regalia.preparation.stages import Stage, compile_game, count_ready, is_prepared, kernels_of

    stages = (Stage.TABLE, Stage.BOTS) if with_bots else (Stage.TABLE,)
    if is_prepared(game, stages):
        return
    kernels = kernels_of(game, stages)
    is_over = threading.Event()
    with progress(MofNCompleteColumn()) as bar:
        task = bar.add_task(say(language, "cli.preparing", game=game.titles[language]), total=len(kernels))

        def show() -> None:
            while not is_over.wait(LOOK_S):
                bar.update(task, completed=count_ready(kernels))

        threading.Thread(target=show, daemon=True).start()
        try:
            compile_game(game, stages)
        finally:
            is_over.set()
