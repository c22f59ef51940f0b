"""Ids for addresses: 10 letters and digits (60 bits)."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable

RandomBytes = Callable[[int], bytes]  # so many, that nobody can predict


def random_id(random_bytes: RandomBytes) -> str:
    return to_id(random_bytes(8))


def to_id(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=").replace("-", "x").replace("_", "y")[:10]


def new_table_id(player: str, command: str | None, random_bytes: RandomBytes) -> str:
    """The same command of the same player names the same table; without a command it is a new one each time."""
    if command is None:
        return random_id(random_bytes)
    return to_id(hashlib.sha256(f"{player}|{command}".encode()).digest())
