"""The recovery code: 120 random bits in six groups of four letters, shown once. Its SHA-256 is kept."""

from __future__ import annotations

import base64
import hashlib

from regalia.server.ports import Randomness

LOOKALIKES = str.maketrans("018", "OIB")  # digits that are in no code


def new_code(randomness: Randomness) -> str:
    letters = base64.b32encode(randomness.bytes(15)).decode()
    return " ".join(letters[first : first + 4] for first in range(0, 24, 4))


def fingerprint(code: str) -> bytes:
    """However it is typed: with or without spaces, in small letters, with digits for letters."""
    letters = "".join(letter for letter in code.upper() if letter.isalnum()).translate(LOOKALIKES)
    return hashlib.sha256(letters.encode()).digest()
