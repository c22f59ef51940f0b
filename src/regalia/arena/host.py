"""Runs a bot that is a Python file, as a program that speaks text on its standard streams.

    python host.py my_bot.py

The file has a function `choose(view, actions, told)`: what the seat sees, the actions it may take, and the rest of the
line it was sent. It returns one of the actions. What it prints goes to the standard error stream, so that it cannot
be taken for an answer. This needs nothing of the package, and gives the bot nothing of it.
"""

from __future__ import annotations

import json
import runpy
import sys
from pathlib import Path


def main(path: str) -> None:
    answers, sys.stdout = sys.stdout, sys.stderr
    sys.path.insert(0, str(Path(path).parent))  # what stands beside the file
    choose = runpy.run_path(path, run_name="regalia_bot").get("choose")
    if not callable(choose):
        sys.exit(f"{path} has no function choose(view, actions, told)")
    for line in sys.stdin:
        told = json.loads(line)
        action = choose(told.pop("view"), told.pop("actions"), told)
        answers.write(f"{action}\n")
        answers.flush()


if __name__ == "__main__":
    main(sys.argv[1])
