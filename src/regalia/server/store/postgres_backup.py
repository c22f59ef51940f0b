"""Copies of a database of PostgreSQL, by its own tools: `pg_dump` and `pg_restore`."""

from __future__ import annotations

import os
import shutil
import subprocess
from contextlib import closing
from pathlib import Path

from regalia.server.store.file import BackupError

USERS = """SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'regalia' AND pid <> pg_backend_pid()"""
# From now on the past is another one than clients may know: an outage without length says so.
BEGIN_EPOCH = """INSERT INTO outages (from_ms, to_ms)
    SELECT ms, ms FROM (SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS ms) AS now
    ON CONFLICT DO NOTHING"""
TABLES = "SELECT count(*) FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"


def dump(url: str, target: Path) -> None:
    """All of it, as of one moment, compressed; also while the server runs."""
    run("pg_dump", url, "--format=custom", "--no-owner", "--no-acl", f"--file={target}")


def restore(backup: Path, url: str, force: bool) -> None:
    """All or nothing. What is there is replaced only by force, and never under a running server."""
    from regalia.server.store.whole import connect_postgres, postgres

    if not backup.is_file():
        raise BackupError("server.cli.no_file", path=backup)
    with closing(connect_postgres(url)) as connection:
        shown = postgres().without_password(url)
        if connection.execute(USERS).fetchone()[0]:
            raise BackupError("server.cli.in_use", path=shown)
        if connection.execute(TABLES).fetchone()[0] and not force:
            raise BackupError("server.cli.file_exists", path=shown)
    run(
        "pg_restore",
        url,
        "--clean",
        "--if-exists",
        "--no-owner",
        "--no-acl",
        "--single-transaction",
        str(backup),
    )
    with closing(postgres().connect(url)) as connection:
        connection.execute(BEGIN_EPOCH)
        connection.commit()


def run(tool: str, url: str, *words: str) -> None:
    """The address goes by the environment: a list of processes shows no password."""
    from regalia.server.store.whole import postgres

    program = shutil.which(tool)
    if program is None:
        raise BackupError("server.cli.no_tool", tool=tool)
    parts = postgres().conninfo_to_dict(url)
    password = {"PGPASSWORD": str(parts.pop("password"))} if "password" in parts else {}
    place = postgres().make_conninfo("", **{name: str(value) for name, value in parts.items()})
    done = subprocess.run(
        [program, f"--dbname={place}", *words],
        env={**os.environ, **password},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        lines = done.stderr.strip().splitlines()
        raise BackupError("server.cli.tool_failed", tool=tool, reason=lines[-1] if lines else done.returncode)
