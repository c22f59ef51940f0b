"""The file of the database: what may be wrong with it, and whether it is still there."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from regalia.server.ports import StorageError

REASONS = {
    sqlite3.SQLITE_READONLY: "server.cli.read_only",
    sqlite3.SQLITE_PERM: "server.cli.read_only",
    sqlite3.SQLITE_CANTOPEN: "server.cli.read_only",
    sqlite3.SQLITE_CORRUPT: "server.cli.damaged",
    sqlite3.SQLITE_BUSY: "server.cli.in_use",
    sqlite3.SQLITE_LOCKED: "server.cli.in_use",
}
NO_DATABASE = "server.cli.no_database"


def reason_of(error: BaseException | None) -> str:
    """The locale key for what SQLite says of a file."""
    code = getattr(error, "sqlite_errorcode", None)
    return NO_DATABASE if code is None else REASONS.get(code & 0xFF, NO_DATABASE)


class Unusable(StorageError):
    """A file or address that cannot be the database; a locale key with its values says why."""

    def __init__(self, key: str, path: Path | str, **values: str) -> None:
        super().__init__(f"{path}: {key}")
        self.key = key
        self.values: dict[str, object] = {"path": path, **values}


class BackupError(Exception):
    """Of a copy, or of what is read from one; a locale key with its values says what is wrong."""

    def __init__(self, key: str, **values: object) -> None:
        super().__init__(key)
        self.key = key
        self.values = values


class OpenFile:
    """A file that is open under a path: writing goes on when it is deleted there, and is lost."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._identity = self._found()

    def check(self) -> None:
        """Raises StorageError if the path leads to no file any more, or to another one."""
        if self._found() != self._identity:
            raise StorageError("the database file was deleted or replaced")

    def _found(self) -> tuple[int, int] | None:
        try:
            status = self._path.stat()
        except OSError:
            return None
        return status.st_dev, status.st_ino
