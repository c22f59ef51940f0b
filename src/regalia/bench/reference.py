"""The C reference of The Rose King, compiled on the spot with the system's compiler."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

PORTABLE = ("-mno-bmi2",)  # hands and boards as masks, their bits taken one by one
BIT_DEPOSIT = ()  # whatever this processor has: pdep and pext find all playable cards at once


def compiler() -> str | None:
    named = os.environ.get("CC")
    return (
        named
        if named and shutil.which(named)
        else shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    )


@cache
def build(flags: tuple[str, ...]) -> Path | None:
    """The compiled reference, or None without a C compiler."""
    program = compiler()
    if program is None:
        return None
    target = Path(tempfile.mkdtemp(prefix="regalia-bench-")) / "rose_king"
    source = resources.files("regalia.bench") / "rose_king.c"
    with resources.as_file(source) as path:
        command = [program, "-O3", "-march=native", "-std=c11", "-o", str(target), str(path)]
        done = subprocess.run([*command, *flags], capture_output=True, text=True, check=False)
        if done.returncode:  # a compiler or processor that does not know the flags
            plainer = [part for part in command if part != "-march=native"]
            done = subprocess.run(plainer, capture_output=True, text=True, check=False)
    return target if done.returncode == 0 else None


def play(program: Path, games: int, seed: int) -> dict[str, Any]:
    """So many random games by the reference: counts, means and seconds."""
    done = subprocess.run([str(program), str(games), str(seed)], capture_output=True, text=True, check=True)
    figures: dict[str, Any] = json.loads(done.stdout)
    return figures
