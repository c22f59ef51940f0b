"""A process that compiles one game: python -m regalia.preparation [--background] GAME STAGE…

It prints "DONE TOTAL", in kernels, as it goes. Who started it may die at any time: then nobody reads that, and it ends.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading

from regalia import GAMES
from regalia.preparation.stages import Stage, compile_game, count_ready, kernels_of

REPORT_S = 0.25
NICENESS = 5  # below what people wait for


def main(arguments: list[str]) -> None:
    signal.signal(
        signal.SIGINT, signal.SIG_IGN
    )  # a terminal sends it to the whole group; who started this decides
    if arguments[0] == "--background":
        arguments = arguments[1:]
        with contextlib.suppress(AttributeError, OSError):  # Windows sets it when the process is made
            os.nice(NICENESS)
    name, *stages = arguments
    game, wanted = GAMES[name], [Stage(stage) for stage in stages]
    kernels = kernels_of(game, wanted)
    is_over = threading.Event()

    def tell() -> None:
        print(count_ready(kernels), len(kernels), flush=True)

    def keep_telling() -> None:
        while not is_over.wait(REPORT_S):
            try:
                tell()
            except OSError:
                os._exit(1)

    threading.Thread(target=keep_telling, daemon=True).start()
    compile_game(game, wanted)
    is_over.set()
    tell()


if __name__ == "__main__":
    main(sys.argv[1:])
