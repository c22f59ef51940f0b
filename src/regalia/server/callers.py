"""Who is calling: the player behind a cookie or token, the address, the language, and whose page it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import Scope

from regalia.server.decide import Player
from regalia.server.protocol import Code
from regalia.server.refused import Refused
from regalia.server.services import Services, language_of
from regalia.server.settings import Settings

COOKIE = "regalia_player"
YEAR_S = 366 * 86_400
PORTS = {"http": 80, "https": 443}


@dataclass
class Caller:
    player: Player | None
    address: str
    language: str
    had_credentials: bool = False  # some that were not valid

    @property
    def key(self) -> str:
        """Whose budget is used."""
        return self.player.id if self.player else self.address

    def must_be_player(self) -> Player:
        if self.player is None:
            raise Refused(Code.BAD_CREDENTIALS if self.had_credentials else Code.SIGN_IN)
        return self.player


async def caller_of(scope: Scope, services: Services) -> Caller:
    headers = Headers(scope=scope)
    caller = Caller(
        None, address_of(scope, headers, services.settings), language_of(headers.get("accept-language", ""))
    )
    kind, _, credential = headers.get("authorization", "").partition(" ")
    cookie = cookie_of(headers)
    if not kind and not cookie:
        return caller
    if services.limiter.is_exhausted("refused", caller.address):
        raise Refused(Code.TOO_FAST)
    if kind:
        found = await services.people.by_token(credential.strip()) if kind.lower() == "bearer" else None
    else:
        found = await services.people.by_cookie(cookie)
    caller.player = found
    if found is None:
        services.limiter.allows("refused", caller.address)
        caller.had_credentials = True
        if kind:
            raise Refused(Code.BAD_CREDENTIALS)
    return caller


def address_of(scope: Scope, headers: Mapping[str, str], settings: Settings) -> str:
    if settings.forwarded:
        told = headers.get("x-forwarded-for", "").split(",")[-1].strip()
        if told:
            return told[:64]
    client = scope.get("client")
    return client[0] if client else "local"


def cookie_of(headers: Mapping[str, str]) -> str:
    try:
        jar: SimpleCookie = SimpleCookie(headers.get("cookie", "")[:8000])
    except CookieError:
        return ""
    morsel = jar.get(COOKIE)
    return morsel.value if morsel else ""


def cookie_text(credential: str, settings: Settings) -> str:
    secure = "; Secure" if settings.secure_cookies else ""
    return f"{COOKIE}={credential}; Path=/; Max-Age={YEAR_S}; HttpOnly; SameSite=Lax{secure}"


def is_ours(scope: Scope, settings: Settings) -> bool:
    """Was this sent by a page of this server, or by no page at all?"""
    headers = Headers(scope=scope)
    if headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
        return headers.get("origin", "") in settings.origins
    origin = headers.get("origin")
    if origin is None or origin in settings.origins:
        return True
    try:
        page = urlsplit(origin)
        here = urlsplit(f"//{headers.get('host', '')}")
        ports = page.port or PORTS.get(page.scheme), here.port or PORTS.get(page.scheme)
    except ValueError:
        return False
    return bool(page.hostname) and page.hostname == here.hostname and ports[0] == ports[1]
