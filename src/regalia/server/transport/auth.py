"""Who is calling: the player behind a cookie or token, the address, the language, and whose page it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import Scope

from regalia.locale import LANGUAGES
from regalia.server.model.refusals import Refused
from regalia.server.model.rights import Player
from regalia.server.people.sessions import LONGEST_MS, Session
from regalia.server.protocol import Code
from regalia.server.services import Services
from regalia.server.settings import Settings

COOKIE = "regalia_player"
BROWSER = "regalia_browser"  # where somebody has signed in before
SAFE_COOKIE = "__Host-regalia"  # under https: no other name of the site can set or see it
PORTS = {"http": 80, "https": 443}


@dataclass
class Caller:
    player: Player | None
    address: str
    language: str
    token: str = ""  # the id of the token by which the player is known
    browser: str = ""  # the key of a browser in which somebody has signed in
    session: Session | None = None  # by which the player is known
    has_old_cookie: bool = False  # of before https: it is replaced
    has_wrong_cookie: bool = False
    is_guessing: bool = False  # too many wrong cookies came from the address

    @property
    def key(self) -> str:
        """Whose budget is used."""
        return self.player.id if self.player else self.address

    def must_be_player(self) -> Player:
        if self.player is None:
            raise Refused(Code.BAD_CREDENTIALS if self.has_wrong_cookie else Code.SIGN_IN)
        return self.player

    def must_be_here(self) -> tuple[Player, Session]:
        """Somebody in a browser: what is told or done here is not for a program with a token."""
        player = self.must_be_player()
        if self.session is None:
            raise Refused(Code.BROWSER_ONLY)
        return player, self.session


async def caller_of(scope: Scope, services: Services) -> Caller:
    """Wrong credentials count against their address, and never against who has right ones."""
    connection = HTTPConnection(scope)
    headers = connection.headers
    address = address_of(scope, headers, services.settings)
    caller = Caller(None, address, language_of(headers.get("accept-language", "")))
    caller.browser = connection.cookies.get(browser_name(services.settings), "")
    scheme, _, token = headers.get("authorization", "").partition(" ")
    name, cookie = cookie_of(connection.cookies, services.settings)
    if scheme.lower() == "bearer":  # other schemes are for a proxy in front
        caller.player = await services.players.by_token(token.strip())
        if caller.player is None:
            services.limiter.must_allow("refused", address)
            raise Refused(Code.BAD_CREDENTIALS)
        caller.token = token.strip().partition(".")[0]
    elif cookie:
        session = await services.sessions.known(cookie)
        caller.player = None if session is None else await services.players.by_id(session.player)
        if caller.player is None:
            caller.has_wrong_cookie = True
            caller.is_guessing = not services.limiter.allows("refused", address)
        else:
            caller.session = session
            caller.has_old_cookie = name != cookie_name(services.settings)
    return caller


def address_of(scope: Scope, headers: Mapping[str, str], settings: Settings) -> str:
    """Where somebody comes from: the last address of the way that is not a proxy's of ours."""
    client = scope.get("client")
    nearest: str = client[0] if client else "local"
    if not settings.is_behind_proxy or (client and not is_proxy(nearest, settings.proxies)):
        return nearest
    for hop in reversed(headers.get("x-forwarded-for", "").split(",")):
        if hop.strip():
            nearest = hop.strip()[:64]
            if not is_proxy(nearest, settings.proxies):
                break
    return nearest


@lru_cache(4096)
def is_proxy(address: str, proxies: tuple[str, ...]) -> bool:
    try:
        ip = unmapped(address)
    except ValueError:
        return False
    return any(ip in ip_network(network) for network in proxies)


def language_of(header: str) -> str:
    """The language of an Accept-Language header that is wanted most, of those we speak."""
    wanted: dict[str, float] = {}
    for part in header[:200].split(","):
        name, *parameters = part.lower().split(";")
        language = name.strip()[:2]
        if language in LANGUAGES:
            wanted.setdefault(language, quality(parameters))
    best = max(wanted, key=lambda language: wanted[language], default="en")
    return best if wanted.get(best) else "en"


def quality(parameters: list[str]) -> float:
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip() == "q":
            try:
                return float(value)
            except ValueError:
                return 0.0
    return 1.0


# --- The cookie ---


def cookie_name(settings: Settings) -> str:
    return SAFE_COOKIE if settings.https else COOKIE


def browser_name(settings: Settings) -> str:
    return f"__Host-{BROWSER}" if settings.https else BROWSER


def cookie_of(cookies: Mapping[str, str], settings: Settings) -> tuple[str, str]:
    """Its name and value. One that was set before the site had https is still good."""
    names = (cookie_name(settings), COOKIE)
    return next(((name, cookies[name]) for name in names if cookies.get(name)), (COOKIE, ""))


def set_cookie(response: Response, session: Session, settings: Settings) -> None:
    response.set_cookie(
        cookie_name(settings),
        session.key,
        max_age=session.keep_s,
        secure=settings.https,
        httponly=True,
        samesite="lax",
    )


def set_browser(response: Response, key: str, settings: Settings) -> None:
    response.set_cookie(
        browser_name(settings),
        key,
        max_age=LONGEST_MS // 1000,
        secure=settings.https,
        httponly=True,
        samesite="strict",
    )


def clear_cookie(response: Response, settings: Settings, only: str = "") -> None:
    for name in [only] if only else dict.fromkeys((cookie_name(settings), COOKIE)):
        response.delete_cookie(name, secure=settings.https, httponly=True, samesite="lax")


def put_cookie(
    response: Response, caller: Caller, settings: Settings, session: Session | None = None
) -> None:
    """What the browser shall keep: a new session, its own for longer, or none that is over."""
    if session is not None:
        set_cookie(response, session, settings)
    elif caller.session is not None and (caller.session.is_renewed or caller.has_old_cookie):
        set_cookie(response, caller.session, settings)
    elif caller.has_wrong_cookie:
        clear_cookie(response, settings)
    if caller.has_old_cookie:
        clear_cookie(response, settings, COOKIE)


# --- Names and pages ---


def is_our_name(scope: Scope, settings: Settings) -> bool:
    """Is the request addressed to this server? A page of another site that had its name point here is not."""
    try:
        name = urlsplit(f"//{Headers(scope=scope).get('host', '')}").hostname or ""
    except ValueError:
        return False
    if name in settings.names or name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        address = ip_address(name)
        server = scope.get("server")
        return address.is_loopback or (server is not None and address == unmapped(server[0]))
    except ValueError:
        return False


def unmapped(address: str) -> IPv4Address | IPv6Address:
    """A socket for both versions of IP names an address of version 4 by one of version 6."""
    ip = ip_address(address)
    return (ip.ipv4_mapped or ip) if isinstance(ip, IPv6Address) else ip


def is_same_origin(scope: Scope, settings: Settings) -> bool:
    """Was this sent by a page of this server, or by no page at all?"""
    headers = Headers(scope=scope)
    if headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
        return headers.get("origin", "") in settings.origins
    origin = headers.get("origin")
    if origin is None or origin in settings.origins:
        return True
    try:
        page = urlsplit(origin)
        here = urlsplit(f"{settings.scheme}://{headers.get('host', '')}")
        ports = [place.port or PORTS.get(place.scheme) for place in (page, here)]
    except ValueError:
        return False
    same_host = bool(page.hostname) and page.hostname == here.hostname
    return same_host and page.scheme == here.scheme and ports[0] == ports[1]
