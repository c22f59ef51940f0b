"""Signing in: by passkey, by password, or by the recovery code. Each begins a new session.

The way is the same for names that are known and that are not: the same budgets, as many questions to the store, and a
password's hash is computed either way.
"""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from typing import Any

import msgspec

from regalia.server import protocol as wire
from regalia.server.model.ids import random_id
from regalia.server.model.refusals import Refused
from regalia.server.model.rights import Player
from regalia.server.model.text import clean
from regalia.server.people import keys, passkeys, recovery
from regalia.server.people.accounts import Accounts
from regalia.server.people.budgets import Budgets, network_of
from regalia.server.people.known import KnownRows
from regalia.server.people.names import name_key
from regalia.server.people.passkeys import Passkey, Site
from regalia.server.people.passwords import HASHER, Passwords
from regalia.server.people.players import Players
from regalia.server.people.sessions import Session, Sessions, Via
from regalia.server.ports import Change, Randomness, TimeSource, Write
from regalia.server.protocol import Code

NOBODY = ""  # a player that is not there


@dataclass(frozen=True)
class Visitor:
    """Who asks to sign in, and who they are so far."""

    address: str
    label: str
    browser: str = ""  # the key of a browser in which somebody has signed in before
    player: Player | None = None
    session: Session | None = None

    @property
    def account(self) -> str:
        """The player, where somebody is signed in already."""
        return self.player.id if self.player is not None and self.player.is_account else NOBODY


@dataclass(frozen=True)
class SignedIn:
    player: Player
    session: Session
    browser: str  # the key that the browser shall keep
    brought: int | None = None  # matches of the guest; None: they could not be brought along
    recovery: str = ""  # the next code, when one was used


class SignIns:
    def __init__(
        self,
        known: KnownRows,
        players: Players,
        sessions: Sessions,
        accounts: Accounts,
        passwords: Passwords,
        budgets: Budgets,
        time: TimeSource,
        randomness: Randomness,
    ) -> None:
        self._known = known
        self._players = players
        self._sessions = sessions
        self._accounts = accounts
        self._passwords = passwords
        self._budgets = budgets
        self._time = time
        self._randomness = randomness

    # --- The three ways ---

    async def by_password(self, body: wire.PasswordSignIn, visitor: Visitor) -> SignedIn:
        key = name_key(clean(body.name))
        player = await self._named(key)
        row = await self._credential(f"password:{player}")
        await self._spend(visitor, player, key)
        await self._must_fit(body.password, row)
        assert row is not None
        used: dict[str, Any] = {"used_ms": self._time.wall_ms()}
        if HASHER.check_needs_rehash(row["data"].decode()):
            used["data"] = await self._passwords.hash(body.password)
        return await self._begin(
            player, Via.PASSWORD, visitor, body.bring, [Change("credentials", {"id": row["id"]}, used)]
        )

    async def ask_passkey(self, visitor: Visitor, site: Site | None) -> wire.PasskeyAsked:
        """Also to show again who one is."""
        if site is None:
            raise Refused(Code.NO_PASSKEYS)
        asked, question = await self._accounts.challenges.ask("sign_in", visitor.account)
        return wire.PasskeyAsked(asked, passkeys.request_options(site, question.challenge))

    async def by_passkey(self, body: wire.PasskeySignIn, visitor: Visitor, site: Site | None) -> SignedIn:
        await self._budgets.spend(("address", visitor.address))
        player, changes = await self._used_passkey(body, visitor.account, site)
        return await self._begin(player, Via.PASSKEY, visitor, body.bring, changes)

    async def by_recovery(self, body: wire.RecoverySignIn, visitor: Visitor) -> SignedIn:
        """A code is good once: the next one is told in the same breath."""
        key = name_key(clean(body.name))
        player = await self._named(key)
        row = await self._credential(f"recovery:{player}")
        await self._budgets.spend(
            ("recover", visitor.address), ("recover", f"{key} {network_of(visitor.address)}")
        )
        kept = row["data"] if row is not None else bytes(32)
        if not hmac.compare_digest(kept, recovery.fingerprint(body.code)) or row is None:
            raise Refused(Code.WRONG_PROOF, "server.error.wrong_code")
        code = recovery.new_code(self._randomness)
        change = self._accounts.new_recovery_change(player, code, data=kept)
        return await self._begin(player, Via.RECOVERY, visitor, body.bring, [change], code)

    # --- Showing again who one is ---

    async def prove(
        self, player: Player, session: Session, body: wire.Proving, visitor: Visitor, site: Site | None
    ) -> None:
        if not player.is_account:
            raise Refused(Code.WRONG_PHASE)
        await self._budgets.spend(("browser", f"session {session.id}"))
        changes = [self._accounts.proved(session)]
        if body.passkey is not None:
            answer = wire.PasskeySignIn(body.asked, body.passkey)
            found, used = await self._used_passkey(answer, player.id, site)
            if found != player.id:
                raise Refused(Code.WRONG_PROOF, "server.error.wrong_passkey")
            changes += used
        else:
            await self._must_fit(body.password, await self._credential(f"password:{player.id}"))
        await self._accounts.taking(Write(changes=changes))
        self._known.forget("sessions", session.id)

    # --- What they share ---

    async def _named(self, key: str) -> str:
        rows = await self._known.rows("players", {"name_key": key})
        return str(rows[0]["id"]) if rows else NOBODY

    async def _credential(self, name: str) -> dict[str, Any] | None:
        rows = await self._known.rows("credentials", {"id": name})
        return rows[0] if rows else None

    async def _must_fit(self, password: str, row: dict[str, Any] | None) -> None:
        if not await self._passwords.fits(password, None if row is None else row["data"]):
            raise Refused(Code.WRONG_PROOF)

    async def _spend(self, visitor: Visitor, player: str, key: str) -> None:
        browser = await self._known_browser(visitor.browser, player)
        if browser:
            await self._budgets.spend(("browser", browser))
        else:
            await self._budgets.spend(
                ("name", f"{key} {network_of(visitor.address)}"), ("address", visitor.address)
            )

    async def _known_browser(self, key: str, player: str) -> str:
        """Its id, if that player has signed in with it before."""
        name, secret = keys.split(key) or ("", "")
        rows = await self._known.rows("browsers", {"id": name, "player": player})
        return name if rows and keys.opens(secret, rows[0]) else ""

    async def _used_passkey(
        self, body: wire.PasskeySignIn, asker: str, site: Site | None
    ) -> tuple[str, list[Change]]:
        """Whose it is, and what must be written when it is used."""
        if site is None:
            raise Refused(Code.NO_PASSKEYS)
        question, taken = await self._accounts.challenges.asked("sign_in", asker, body.asked)
        row = await self._credential(str(body.passkey.get("id", "")))
        if row is None or row["kind"] != "passkey":
            raise Refused(Code.WRONG_PROOF, "server.error.wrong_passkey")
        kept = msgspec.json.decode(row["data"], type=Passkey)
        after = passkeys.verified(site, question.challenge, body.passkey, kept)
        used = {"data": msgspec.json.encode(after), "used_ms": self._time.wall_ms()}
        return row["player"], [taken, Change("credentials", {"id": row["id"]}, used)]

    async def _begin(
        self,
        player: str,
        via: Via,
        visitor: Visitor,
        bring: bool,
        changes: list[Change],
        code: str = "",
    ) -> SignedIn:
        row, session = self._sessions.new(player, via, visitor.label)
        new: list[tuple[str, dict[str, Any]]] = [("sessions", row)]
        gone = await self._sessions.room_for_one(player)
        if visitor.session is not None:
            gone.append(Change("sessions", {"id": visitor.session.id}))
        brought: int | None = 0
        guest = visitor.player if bring and visitor.player and not visitor.player.is_account else None
        if guest is not None:
            brought = await self._matches_to_bring(guest.id, player)
            if brought is not None:
                new.append(("aliases", {"old_player": guest.id, "player": player}))
                sessions = await self._known.rows("sessions", {"player": guest.id})
                gone += [Change("sessions", {"id": other["id"]}) for other in sessions]
        browser = visitor.browser
        if not await self._known_browser(browser, player):
            name, secret = random_id(self._randomness.bytes), keys.new_secret(self._randomness)
            facts = {"id": name, "player": player, "secret_hash": keys.digest(secret)}
            new.append(("browsers", {**facts, "created_ms": self._time.wall_ms()}))
            browser = f"{name}.{secret}"
        await self._accounts.taking(Write(changes=[*changes, *gone], new=new))
        for change in gone:
            self._sessions.ended("sessions", change.where["id"])
        self._known.forget("aliases.player", player)
        if guest is not None and brought is not None:
            await self._players.drop_tokens(guest)
        known = await self._players.by_id(player)
        if known is None:
            raise Refused(Code.BAD_CREDENTIALS)
        return SignedIn(known, session, browser, brought, code)

    async def _matches_to_bring(self, guest: str, player: str) -> int | None:
        """None: both sit at one table that is not over, and nobody plays against themselves."""
        aliases = await self._known.rows("aliases", {"player": player})
        ids = [player, *(row["old_player"] for row in aliases)]
        hers, theirs = [
            {row["table_id"] for row in await self._known.rows("seats", {"player": names})}
            for names in ([guest], ids)
        ]
        both = await self._known.rows("tables", {"id": sorted(hers & theirs)}) if hers & theirs else []
        return None if any(row["status"] in ("open", "running") for row in both) else len(hers)
