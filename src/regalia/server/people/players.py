"""Players: guests at first, each with the name they chose, and tokens for programs that play as them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from regalia.server import protocol as wire
from regalia.server.model.ids import random_id
from regalia.server.model.refusals import Refused
from regalia.server.model.rights import Player
from regalia.server.model.text import clean
from regalia.server.people import keys
from regalia.server.people.known import KnownRows
from regalia.server.people.names import name_key
from regalia.server.people.sessions import Session, Sessions, Via
from regalia.server.ports import Change, Conflict, Randomness, StorageError, TimeSource, Write
from regalia.server.protocol import Code

MOST_TOKENS = 20


class Players:
    def __init__(
        self, known: KnownRows, sessions: Sessions, time: TimeSource, randomness: Randomness
    ) -> None:
        self._known = known
        self._sessions = sessions
        self._time = time
        self._randomness = randomness

    async def new_guest(self, name: str, label: str) -> tuple[Player, Session]:
        """A player, and the session of the browser that asks."""
        words = checked_name(name)
        player = random_id(self._randomness.bytes)
        row = {"id": player, "name": words, "name_key": None, "created_ms": self._time.wall_ms()}
        session_row, session = self._sessions.new(player, Via.GUEST, label)
        await self._known.write(Write(new=[("players", row), ("sessions", session_row)]))
        return Player(player, words), session

    async def rename(self, player: Player, name: str) -> Player:
        words = checked_name(name)
        values: dict[str, Any] = {"name": words}
        if player.is_account:
            values["name_key"] = name_key(words)
        try:
            await self._known.store.write(Write(changes=[Change("players", {"id": player.id}, values)]))
        except Conflict as error:
            raise Refused(Code.NAME_TAKEN) from error
        except StorageError as error:
            raise Refused(Code.STORAGE) from error
        self._known.forget("players", player.id)
        return replace(player, name=words)

    async def by_id(self, player: str) -> Player | None:
        row = await self._known.row("players", player)
        if row is None:
            return None
        if row["name_key"] is None:
            return Player(player, row["name"])
        aliases = await self._known.group("aliases", "player", player)
        return Player(player, row["name"], True, tuple(alias["old_player"] for alias in aliases))

    async def by_token(self, key: str) -> Player | None:
        parts = keys.split(key)
        row = None if parts is None else await self._known.row("tokens", parts[0])
        if parts is None or row is None or not keys.opens(parts[1], row):
            return None
        return await self.by_id(row["player"])

    # --- Tokens ---

    async def new_token(self, player: Player, label: str) -> wire.TokenFacts:
        if len(await self.tokens(player)) >= MOST_TOKENS:
            raise Refused(Code.TOO_FAST, "server.error.tokens")
        name, secret = random_id(self._randomness.bytes), keys.new_secret(self._randomness)
        row: dict[str, Any] = {
            "id": name,
            "player": player.id,
            "label": checked_name(label),
            "secret_hash": keys.digest(secret),
            "created_ms": self._time.wall_ms(),
        }
        await self._known.write(Write(new=[("tokens", row)]))
        return wire.TokenFacts(name, row["label"], row["created_ms"], f"{name}.{secret}")

    async def tokens(self, player: Player) -> list[wire.TokenFacts]:
        rows = await self._known.rows("tokens", {"player": player.id})
        rows.sort(key=lambda row: row["created_ms"])
        return [wire.TokenFacts(row["id"], row["label"], row["created_ms"]) for row in rows]

    async def drop_token(self, player: Player, token: str) -> None:
        if token not in {row.id for row in await self.tokens(player)}:
            raise Refused(Code.NOT_FOUND)
        await self._known.write(Write(changes=[Change("tokens", {"id": token})]))
        self._sessions.ended("tokens", token)

    async def drop_tokens(self, player: Player) -> None:
        for token in await self.tokens(player):
            await self.drop_token(player, token.id)


def checked_name(name: str) -> str:
    words = clean(name)
    if not words:
        raise Refused(Code.BAD_MESSAGE)
    return words
