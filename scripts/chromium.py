"""Finds a Chromium for the browser tests: an environment variable, PATH, Debian's package, or one from npm.

    python scripts/chromium.py        prints its path

REGALIA_CHROMIUM names one. As root on Debian the package is installed; everywhere else `@sparticuz/chromium`, which
brings its own libraries and fonts, is put into the user's cache.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
from dataclasses import dataclass, field
from pathlib import Path

import platformdirs

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PACKAGE = "@sparticuz/chromium@153"
UNPACK = (
    "import('@sparticuz/chromium').then(async found => console.log(await found.default.executablePath()))"
)


@dataclass(frozen=True)
class Chromium:
    path: str
    environment: dict[str, str] = field(default_factory=dict)  # what it needs beside the usual


def find() -> Chromium:
    named = os.environ.get("REGALIA_CHROMIUM")
    if named:
        return Chromium(named)
    return on_path() or from_debian() or from_npm()


def on_path() -> Chromium | None:
    return next((Chromium(path) for path in map(shutil.which, NAMES) if path), None)


def from_debian() -> Chromium | None:
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        return None
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (["update"], ["install", "--yes", "--no-install-recommends", "chromium"]):
        done = subprocess.run(
            ["apt-get", *command],
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
        )
        if done.returncode:
            return None
    return on_path()


def from_npm() -> Chromium:
    cache = Path(platformdirs.user_cache_dir("regalia", appauthor=False)) / "chromium"
    cache.mkdir(parents=True, exist_ok=True)
    environment = {**os.environ, "TMPDIR": str(cache)}
    package = cache / "node_modules" / "@sparticuz" / "chromium"
    if not package.exists():
        command = ["npm", "install", "--prefix", str(cache), "--no-audit", "--no-fund", PACKAGE]
        subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
    command = ["node", "--input-type=module", "-e", UNPACK]
    shown = subprocess.run(command, cwd=cache, env=environment, check=True, capture_output=True, text=True)
    libraries = cache / "al2023"
    if not libraries.exists():
        unpack_brotli(package / "bin" / "al2023.tar.br", libraries, cache)
    return Chromium(
        shown.stdout.strip(),
        {"LD_LIBRARY_PATH": str(libraries / "lib"), "FONTCONFIG_PATH": str(cache / "fonts")},
    )


def unpack_brotli(packed: Path, folder: Path, cache: Path) -> None:
    plain = cache / "libraries.tar"
    script = (
        "const fs = require('fs'), zlib = require('zlib');"
        "fs.writeFileSync(process.argv[2], zlib.brotliDecompressSync(fs.readFileSync(process.argv[1])))"
    )
    subprocess.run(["node", "-e", script, str(packed), str(plain)], check=True)
    with tarfile.open(plain) as archive:
        archive.extractall(folder, filter="data")
    plain.unlink()


if __name__ == "__main__":
    found = find()
    print(found.path)
    for name, value in found.environment.items():
        print(f"{name}={value}", file=sys.stderr)
