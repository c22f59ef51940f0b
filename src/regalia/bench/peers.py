"""Peers that cannot live in our environment: each is measured in a process and an environment of its own, made by uv."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from importlib.metadata import requires
from pathlib import Path
from typing import Any

import regalia

LIMIT_S = 900.0


class PeerError(Exception):
    """Why there is no figure: one line."""


def ask(module: str, *packages: str) -> dict[str, Any]:
    """What `python -m module` says as JSON where these packages are installed beside ours."""
    places = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    uv = shutil.which("uv", path=places)
    if uv is None:
        raise PeerError("uv is not installed")
    ours = [need for need in requires("regalia") or () if "extra ==" not in need]
    wanted = [word for package in (*ours, *packages) for word in ("--with", package)]
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    command = [uv, "run", "--quiet", "--no-project", "--isolated", "--python", version, *wanted]
    environment = {**os.environ, "PYTHONPATH": str(Path(regalia.__file__).parents[1])}
    environment.setdefault("UV_SYSTEM_CERTS", "1")
    try:
        done = subprocess.run(
            [*command, "python", "-m", module],
            env=environment,
            capture_output=True,
            text=True,
            timeout=LIMIT_S,
            check=True,
        )
        said: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    except subprocess.CalledProcessError as error:
        raise PeerError((error.stderr.strip().splitlines() or ["it failed"])[-1]) from error
    except (subprocess.TimeoutExpired, OSError, ValueError, IndexError) as error:
        raise PeerError(str(error).partition("\n")[0]) from error
    return said
