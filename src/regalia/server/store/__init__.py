"""SQLite behind the `EventStore` port."""

from __future__ import annotations

from regalia.server.store.sqlite import SqliteStore

__all__ = ["SqliteStore"]
