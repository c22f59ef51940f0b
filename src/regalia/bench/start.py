"""How long it takes until something happens."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time

from regalia.bench.rows import Row, alone


def seconds(command: list[str], **environment: str) -> float:
    start = time.perf_counter()
    subprocess.run(command, env={**os.environ, **environment}, capture_output=True, check=True)
    return time.perf_counter() - start


def cli_start_s() -> Row:
    """A command that needs the rules, with a warm cache."""
    command = [sys.executable, "-m", "regalia.cli", "replay", "--help"]
    seconds(command)
    return alone("cli_start_s", lambda: seconds(command), "s", "regalia replay --help, warm", most=False)


def cold_compile_s() -> Row:
    """All rules of all games from nothing, once."""
    with tempfile.TemporaryDirectory() as folder:
        spent = seconds([sys.executable, "-m", "regalia.cli", "warmup"], REGALIA_CACHE=folder)
    return Row("cold_compile_s", spent, None, None, "s", "regalia warmup with an empty cache")
