"""The whole program with one more game in it: a copy of the probe under another name, as scripts/new_game.py makes it."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

import regalia

ROOT = Path(__file__).parents[1]
NAME = "second_probe"


def script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "scripts" / f"{name}.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def make(home: Path) -> dict[str, str]:
    """Lay it out in `home`. The environment runs the rules as plain Python, so that nothing is compiled."""
    package = home / "src" / "regalia"
    shutil.copytree(
        Path(regalia.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__", "static")
    )
    target = package / "games" / NAME
    script("new_game").copy(NAME, f"regalia.games.{NAME}", target, home / "tests" / "games" / NAME)
    return {
        **os.environ,
        "PYTHONPATH": str(home / "src"),
        "NUMBA_DISABLE_JIT": "1",
        "REGALIA_DATA": str(home / "data"),
        "REGALIA_CACHE": str(home / "cache"),
        "LC_ALL": "C.UTF-8",
    }


def npm(home: Path, *arguments: str) -> None:
    """Run npm over the copied pages, with the packages that are installed for ours."""
    if not (home / "web").exists():
        shutil.copytree(ROOT / "web", home / "web", ignore=shutil.ignore_patterns("node_modules"))
        (home / "web" / "node_modules").symlink_to(ROOT / "web" / "node_modules")
    command, environment = script("npm").npm()
    done = subprocess.run(
        [*command, *arguments], cwd=home / "web", env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


@contextmanager
def serving(environment: dict[str, str], *arguments: str) -> Iterator[str]:
    """The address of its server."""
    command = [sys.executable, "-m", "regalia.cli", "serve", "--port", "0", "--no-browser", *arguments]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            address = re.search(r"http://\S+/", server.stdout.readline())
            assert address is not None
            yield address[0]
        finally:
            server.terminate()
