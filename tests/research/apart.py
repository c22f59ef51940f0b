"""Running something in an environment of its own, with what an extra needs, made by uv."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]


def run_apart(*words: str, extras: tuple[str, ...] = (), packages: tuple[str, ...] = ()) -> str:
    """What a command says there; its failure is the test's."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = [*project["dependencies"], *packages]
    for extra in extras:
        wanted += project["optional-dependencies"][extra]
    command = [str(Path(sys.executable).parent / "uv"), "run", "--quiet", "--no-project", "--isolated"]
    command += ["--python", f"{sys.version_info.major}.{sys.version_info.minor}"]
    for package in wanted:
        command += ["--with", package]
    paths = os.pathsep.join([str(ROOT / "src"), str(ROOT / "tests")])
    environment = {"UV_SYSTEM_CERTS": "1", **os.environ, "PYTHONPATH": paths}
    done = subprocess.run([*command, *words], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    return done.stdout
