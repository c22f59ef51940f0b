"""Keys that browsers and programs keep: `id.secret`.

A secret is 256 random bits and stored as its SHA-256; a slow hash is for passwords, which these are not.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
from typing import Any

from regalia.server.ports import Randomness

KEY = re.compile(r"([A-Za-z0-9]{10})\.([A-Za-z0-9_-]{43})")


def new_secret(randomness: Randomness) -> str:
    return base64.urlsafe_b64encode(randomness.bytes(32)).decode().rstrip("=")


def digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()


def split(key: str) -> tuple[str, str] | None:
    """The id and the secret, if it can be a key at all."""
    parts = KEY.fullmatch(key)
    return None if parts is None else (parts[1], parts[2])


def opens(secret: str, row: dict[str, Any]) -> bool:
    return hmac.compare_digest(row["secret_hash"], digest(secret))
