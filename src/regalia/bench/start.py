"""How long it takes until something happens."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import regalia
from regalia.bench.rows import Row, alone


def seconds(command: list[str], **environment: str) -> float:
    start = time.perf_counter()
    subprocess.run(command, env={**os.environ, **environment}, capture_output=True, check=True)
    return time.perf_counter() - start


def cli_start_s() -> Row:
    """A command that needs the rules, with a warm cache: replaying a short match."""
    match = regalia.Match.new("rose_king", seed=1)
    for _ in range(4):
        match.play(match.actors[0], match.actions(match.actors[0])[0])
    with tempfile.TemporaryDirectory() as folder:
        saved = Path(folder) / "match.txt"
        saved.write_text(match.transcript(), "utf-8")
        command = [sys.executable, "-m", "regalia.cli", "replay", str(saved), "--json"]
        seconds(command)
        return alone(
            "cli_start_s", lambda: seconds(command), "s", "regalia replay FILE --json, warm", most=False
        )


def cold_compile_s() -> Row:
    """All rules of all games from nothing, once."""
    with tempfile.TemporaryDirectory() as folder:
        spent = seconds([sys.executable, "-m", "regalia.cli", "warmup"], REGALIA_CACHE=folder)
    return Row("cold_compile_s", spent, None, None, "s", "regalia warmup with an empty cache")
