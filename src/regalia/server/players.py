"""Players: guests with a durable secret, and tokens for programs that play as them.

Secrets are 256 random bits and stored as their SHA-256; a slow hash is for passwords, which these are not.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
from typing import Any

from regalia.server import protocol as wire
from regalia.server.model.ids import random_id
from regalia.server.model.refusals import Refused
from regalia.server.model.rights import Player
from regalia.server.model.text import clean
from regalia.server.ports import EventStore, Randomness, StorageError, TimeSource, Write
from regalia.server.protocol import Code

MOST_REMEMBERED = 20_000
REMEMBERED_MS = 5000  # where other processes may change a row: so long it may be an old one
MOST_TOKENS = 20
CREDENTIAL = re.compile(r"([A-Za-z0-9]{10})\.([A-Za-z0-9_-]{43})")


def token_topic(token: str) -> str:
    """The bus topic of a token that is dropped."""
    return f"{token}#token"


def digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()


class Players:
    def __init__(self, store: EventStore, time: TimeSource, randomness: Randomness) -> None:
        self._store = store
        self._time = time
        self._randomness = randomness
        # Rows by kind and id, the latest ones, with the steady time at which they were read.
        self._known: dict[tuple[str, str], tuple[dict[str, Any], int]] = {}

    async def new_guest(self, name: str) -> tuple[Player, str]:
        """A player, and the credential to keep in the cookie."""
        words = checked_name(name)
        player, secret = random_id(self._randomness.bytes), self._secret()
        row = {
            "id": player,
            "name": words,
            "secret_hash": digest(secret),
            "created_ms": self._time.wall_ms(),
        }
        await self._write(Write(players=[row]))
        return Player(player, words), f"{player}.{secret}"

    async def rename(self, player: Player, name: str) -> Player:
        row = await self._row("player", player.id)
        if row is None:
            raise Refused(Code.BAD_CREDENTIALS)
        changed = {**row, "name": checked_name(name)}
        await self._write(Write(players=[changed]))
        self._remember("player", player.id, changed)
        return Player(player.id, changed["name"])

    async def by_cookie(self, credential: str) -> Player | None:
        return await self._known_as("player", credential)

    async def by_token(self, credential: str) -> Player | None:
        return await self._known_as("token", credential)

    async def _known_as(self, kind: str, credential: str) -> Player | None:
        parts = CREDENTIAL.fullmatch(credential)
        if parts is None:
            return None
        name, secret = parts.groups()
        row = await self._row(kind, name)
        if row is None or not hmac.compare_digest(row["secret_hash"], digest(secret)):
            return None
        player = row if kind == "player" else await self._row("player", row["player"])
        return None if player is None else Player(player["id"], player["name"])

    # --- Tokens ---

    async def new_token(self, player: Player, label: str) -> wire.TokenFacts:
        if len(await self._tokens_of(player)) >= MOST_TOKENS:
            raise Refused(Code.TOO_FAST, "server.error.tokens")
        name, secret = random_id(self._randomness.bytes), self._secret()
        row: dict[str, Any] = {
            "id": name,
            "player": player.id,
            "label": checked_name(label),
            "secret_hash": digest(secret),
            "created_ms": self._time.wall_ms(),
        }
        await self._write(Write(tokens=[row]))
        return wire.TokenFacts(name, row["label"], row["created_ms"], f"{name}.{secret}")

    async def tokens(self, player: Player) -> list[wire.TokenFacts]:
        rows = await self._tokens_of(player)
        return [wire.TokenFacts(row["id"], row["label"], row["created_ms"]) for row in rows]

    async def drop_token(self, player: Player, token: str) -> None:
        if token not in {row["id"] for row in await self._tokens_of(player)}:
            raise Refused(Code.NOT_FOUND)
        await self._write(Write(dropped_tokens=[token]))
        self._known.pop(("token", token), None)

    async def _tokens_of(self, player: Player) -> list[dict[str, Any]]:
        try:
            return await self._store.tokens(player.id)
        except StorageError as error:
            raise Refused(Code.STORAGE) from error

    # --- Rows ---

    def _secret(self) -> str:
        return base64.urlsafe_b64encode(self._randomness.bytes(32)).decode().rstrip("=")

    async def _row(self, kind: str, name: str) -> dict[str, Any] | None:
        known, read_ms = self._known.get((kind, name), (None, 0))
        is_fresh = not self._store.is_shared or self._time.steady_ms() - read_ms < REMEMBERED_MS
        if known is not None and is_fresh:
            return known
        try:
            row = await (self._store.player(name) if kind == "player" else self._store.token(name))
        except StorageError as error:
            raise Refused(Code.STORAGE) from error
        if row is None:
            self._known.pop((kind, name), None)
        else:
            self._remember(kind, name, row)
        return row

    def _remember(self, kind: str, name: str, row: dict[str, Any]) -> None:
        if len(self._known) >= MOST_REMEMBERED:
            del self._known[next(iter(self._known))]
        self._known[kind, name] = row, self._time.steady_ms()

    async def _write(self, change: Write) -> None:
        try:
            await self._store.write(change)
        except StorageError as error:
            raise Refused(Code.STORAGE) from error


def checked_name(name: str) -> str:
    words = clean(name)
    if not words:
        raise Refused(Code.BAD_MESSAGE)
    return words
