"""Accounts: the same player with a key. Becoming one adds a way to sign in and makes the name the player's own.

A credential's id says what it is: `password:<player>`, `recovery:<player>`, or the id of a passkey. What changes how
somebody signs in needs a recent proof that it is them.
"""

from __future__ import annotations

from typing import Any

import msgspec

from regalia.server import protocol as wire
from regalia.server.model.refusals import Refused
from regalia.server.model.rights import Player
from regalia.server.people import passkeys, recovery
from regalia.server.people.budgets import Budgets
from regalia.server.people.challenges import Challenges
from regalia.server.people.known import KnownRows
from regalia.server.people.names import name_key
from regalia.server.people.passkeys import Site
from regalia.server.people.passwords import Passwords
from regalia.server.people.players import Players, checked_name
from regalia.server.people.sessions import FRESH_MS, Session, Sessions, Via
from regalia.server.ports import Change, Conflict, Randomness, StorageError, TimeSource, Write
from regalia.server.protocol import Code

MOST_PASSKEYS = 10


class Accounts:
    def __init__(
        self,
        known: KnownRows,
        players: Players,
        sessions: Sessions,
        passwords: Passwords,
        budgets: Budgets,
        time: TimeSource,
        randomness: Randomness,
    ) -> None:
        self._known = known
        self._players = players
        self._sessions = sessions
        self._passwords = passwords
        self._budgets = budgets
        self._time = time
        self._randomness = randomness
        self.challenges = Challenges(known, time, randomness)

    async def facts(self, player: Player, session: Session, site: Site | None) -> wire.AccountFacts:
        rows = await self._known.rows("credentials", {"player": player.id})
        seats = await self._known.rows("seats", {"player": [player.id, *player.also]})
        [row] = await self._known.rows("players", {"id": player.id})
        return wire.AccountFacts(
            player=wire.PlayerFacts(player.id, player.name, not player.is_account),
            created_ms=row["created_ms"],
            matches=len({seat["table_id"] for seat in seats}),
            credentials=tuple(
                wire.CredentialFacts(row["id"], row["kind"], row["label"], row["created_ms"], row["used_ms"])
                for row in sorted(rows, key=lambda row: row["created_ms"])
            ),
            fresh_ms=max(0, session.fresh_ms + FRESH_MS - self._time.wall_ms()),
            has_passkeys=site is not None,
        )

    # --- Becoming one ---

    async def begin(self, player: Player, name: str, site: Site | None) -> wire.AccountBegun:
        """The recovery code is shown before there is an account, and then never again."""
        if player.is_account:
            raise Refused(Code.WRONG_PHASE)
        words = checked_name(name)
        await self._must_be_free(words)
        code = recovery.new_code(self._randomness)
        asked, question = await self.challenges.ask("register", player.id, words, recovery.fingerprint(code))
        options = None
        if site is not None:
            options = passkeys.creation_options(site, question.challenge, player.id, words, [])
        return wire.AccountBegun(asked, words, code, options)

    async def create(
        self, player: Player, old: Session, body: wire.NewAccount, site: Site | None, address: str
    ) -> tuple[Player, Session]:
        """In a new session: whoever else had the guest's has none of the account."""
        if player.is_account:
            raise Refused(Code.WRONG_PHASE)
        await self._budgets.spend(("register", address))
        question, taken = await self.challenges.asked("register", player.id, body.asked)
        key = await self._new_key(player, question.name, question.challenge, body, site)
        code = self._credential(f"recovery:{player.id}", player, "recovery", question.recovery)
        values = {"name": question.name, "name_key": name_key(question.name)}
        label = await self._sessions.label(old)
        row, session = self._sessions.new(player.id, Via(key["kind"]), label)
        others = [row["id"] for row in await self._known.rows("sessions", {"player": player.id})]
        write = Write(
            changes=[
                taken,
                Change("players", {"id": player.id}, values),
                *(Change("sessions", {"id": other}) for other in others),
            ],
            new=[("credentials", key), ("credentials", code), ("sessions", row)],
        )
        try:
            await self._known.store.write(write)
        except Conflict as error:
            await self._must_be_free(question.name)
            raise Refused(Code.EXPIRED) from error
        except StorageError as error:
            raise Refused(Code.STORAGE) from error
        self._known.forget("players", player.id)
        for other in others:
            self._sessions.ended("sessions", other)
        return await self._again(player), session

    async def _new_key(
        self, player: Player, name: str, challenge: bytes, body: wire.NewKey, site: Site | None
    ) -> dict[str, Any]:
        if body.passkey is not None:
            return self._passkey(player, challenge, body.passkey, site)
        self._passwords.check_new(body.password, name)
        data = await self._passwords.hash(body.password)
        return self._credential(f"password:{player.id}", player, "password", data)

    async def _must_be_free(self, name: str) -> None:
        if await self._known.rows("players", {"name_key": name_key(name)}):
            raise Refused(Code.NAME_TAKEN)

    async def _again(self, player: Player) -> Player:
        known = await self._players.by_id(player.id)
        if known is None:
            raise Refused(Code.BAD_CREDENTIALS)
        return known

    # --- Ways to sign in ---

    def must_be_fresh(self, player: Player, session: Session) -> None:
        """A guest has nothing to prove it with."""
        if player.is_account and self._time.wall_ms() - session.fresh_ms > FRESH_MS:
            raise Refused(Code.PROOF)

    def _must_be_fresh_account(self, player: Player, session: Session) -> None:
        if not player.is_account:
            raise Refused(Code.WRONG_PHASE)
        self.must_be_fresh(player, session)

    async def set_password(self, player: Player, session: Session, password: str) -> None:
        self._must_be_fresh_account(player, session)
        self._passwords.check_new(password, player.name)
        name = f"password:{player.id}"
        row = self._credential(name, player, "password", await self._passwords.hash(password))
        await self._known.write(
            Write(changes=[Change("credentials", {"id": name})], new=[("credentials", row)])
        )

    async def begin_passkey(self, player: Player, session: Session, site: Site | None) -> wire.PasskeyAsked:
        self._must_be_fresh_account(player, session)
        known = await self._ways(player, "passkey")
        if site is None or len(known) >= MOST_PASSKEYS:
            raise Refused(Code.NO_PASSKEYS)
        asked, question = await self.challenges.ask("passkey", player.id)
        options = passkeys.creation_options(site, question.challenge, player.id, player.name, known)
        return wire.PasskeyAsked(asked, options)

    async def add_passkey(
        self, player: Player, session: Session, body: wire.PasskeyAnswer, site: Site | None
    ) -> None:
        self._must_be_fresh_account(player, session)
        question, taken = await self.challenges.asked("passkey", player.id, body.asked)
        row = self._passkey(player, question.challenge, body.passkey, site)
        await self.taking(Write(changes=[taken], new=[("credentials", row)]))

    async def remove(self, player: Player, session: Session, name: str) -> None:
        """The last way to sign in stays; the recovery code is none, it can only be replaced."""
        self._must_be_fresh_account(player, session)
        ways = await self._ways(player, "passkey", "password")
        if name not in ways:
            raise Refused(Code.NOT_FOUND)
        if len(ways) == 1:
            raise Refused(Code.LAST_WAY)
        await self._known.write(Write(changes=[Change("credentials", {"id": name, "player": player.id})]))

    async def new_recovery(self, player: Player, session: Session) -> str:
        self._must_be_fresh_account(player, session)
        code = recovery.new_code(self._randomness)
        await self._known.write(Write(changes=[self.new_recovery_change(player.id, code)]))
        return code

    def new_recovery_change(self, player: str, code: str, **where: Any) -> Change:
        values = {
            "data": recovery.fingerprint(code),
            "created_ms": self._time.wall_ms(),
            "used_ms": None,
        }
        return Change("credentials", {"id": f"recovery:{player}", **where}, values, must=bool(where))

    def proved(self, session: Session) -> Change:
        """In this session somebody has just shown who they are."""
        return Change("sessions", {"id": session.id}, {"fresh_ms": self._time.wall_ms()})

    async def taking(self, write: Write) -> None:
        """A write that uses up a question."""
        try:
            await self._known.store.write(write)
        except Conflict as error:
            raise Refused(Code.EXPIRED) from error
        except StorageError as error:
            raise Refused(Code.STORAGE) from error

    async def _ways(self, player: Player, *kinds: str) -> list[str]:
        rows = await self._known.rows("credentials", {"player": player.id, "kind": list(kinds)})
        return [row["id"] for row in rows]

    def _passkey(
        self, player: Player, challenge: bytes, answer: dict[str, Any], site: Site | None
    ) -> dict[str, Any]:
        if site is None:
            raise Refused(Code.NO_PASSKEYS)
        name, passkey = passkeys.verified_new(site, challenge, answer)
        return self._credential(name, player, "passkey", msgspec.json.encode(passkey))

    def _credential(self, name: str, player: Player, kind: str, data: bytes) -> dict[str, Any]:
        return {
            "id": name,
            "player": player.id,
            "kind": kind,
            "data": data,
            "created_ms": self._time.wall_ms(),
            "used_ms": None,
            "label": "",
        }
