"""Questions that are answered once and soon: a row each, which the write that uses it takes away."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from regalia.server.model.ids import random_id
from regalia.server.model.refusals import Refused
from regalia.server.people.known import KnownRows
from regalia.server.ports import Change, Randomness, TimeSource, Write
from regalia.server.protocol import Code

LIFE_MS = {"register": 3_600_000, "passkey": 300_000, "sign_in": 300_000}  # by kind


class Question(Struct, frozen=True):
    challenge: bytes  # that the passkey signs
    name: str = ""  # of the account to be
    recovery: bytes = b""  # the fingerprint of its recovery code


class Challenges:
    def __init__(self, known: KnownRows, time: TimeSource, randomness: Randomness) -> None:
        self._known = known
        self._time = time
        self._randomness = randomness

    async def ask(
        self, kind: str, player: str, name: str = "", recovery: bytes = b""
    ) -> tuple[str, Question]:
        """A new question; of one player only the newest of a kind is good."""
        now = self._time.wall_ms()
        question = Question(self._randomness.bytes(32), name, recovery)
        row = {
            "id": random_id(self._randomness.bytes),
            "kind": kind,
            "player": player,
            "data": msgspec.json.encode(question),
            "expires_ms": now + LIFE_MS[kind],
        }
        gone = [Change("challenges", {}, until=("expires_ms", now))]
        if player:
            gone.append(Change("challenges", {"kind": kind, "player": player}))
        await self._known.write(Write(changes=gone, new=[("challenges", row)]))
        return str(row["id"]), question

    async def asked(self, kind: str, player: str, name: str) -> tuple[Question, Change]:
        """The question, and what must be part of the write that uses the answer."""
        where = {"id": name, "kind": kind, "player": player}
        rows = await self._known.rows("challenges", where)
        if not rows or rows[0]["expires_ms"] <= self._time.wall_ms():
            raise Refused(Code.EXPIRED)
        return msgspec.json.decode(rows[0]["data"], type=Question), Change("challenges", where, must=True)
