"""Whose turn it is to compile into a cache: of all processes on a machine that would, one at a time."""

from __future__ import annotations

import os
from pathlib import Path


class Turn:
    """Held by a lock on a file: it ends with the process at the latest, however that ends."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._descriptor: int | None = None

    def take(self) -> bool:
        """Whether it is ours, now."""
        if self._descriptor is not None:
            return True
        try:
            import fcntl
        except ImportError:  # a system where only one process serves
            return True
        try:
            descriptor = os.open(self._file, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError:  # nobody can be asked: better twice than never
            return True
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(descriptor)
            return False
        self._descriptor = descriptor
        return True

    def end(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
