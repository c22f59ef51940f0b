"""The routes of accounts: becoming one, ways to sign in, signing in and out."""

from __future__ import annotations

import msgspec

from regalia.server import protocol as wire
from regalia.server.model.refusals import Refused
from regalia.server.people.passkeys import MOST_BYTES, Site, site_of
from regalia.server.people.sessions import label_of
from regalia.server.people.sign_in import SignedIn, Visitor
from regalia.server.protocol import Code
from regalia.server.transport.handlers import facts_of
from regalia.server.transport.routes import Request, Response, Route


def site(request: Request) -> Site | None:
    return site_of(request.services.settings.scheme, request.http.headers.get("host", "").lower())


def visitor(request: Request) -> Visitor:
    caller = request.caller
    if caller.token:
        raise Refused(Code.BROWSER_ONLY)
    label = label_of(request.http.headers.get("user-agent", ""))
    return Visitor(caller.address, label, caller.browser, caller.player, caller.session)


def checked_size(request: Request) -> None:
    """An answer about a passkey is short: nothing longer is taken apart."""
    if int(request.http.headers.get("content-length", 0)) > MOST_BYTES:
        raise Refused(Code.TOO_LARGE)


# --- The account ---


async def account(request: Request) -> wire.AccountFacts:
    player, session = request.caller.must_be_here()
    return await request.services.accounts.facts(player, session, site(request))


async def begin(request: Request) -> wire.AccountBegun:
    player, _ = request.caller.must_be_here()
    return await request.services.accounts.begin(player, request.body.name, site(request))


async def create(request: Request) -> Response:
    checked_size(request)
    player, session = await request.services.accounts.create(
        *request.caller.must_be_here(), request.body, site(request), request.caller.address
    )
    return Response(msgspec.json.encode(facts_of(player)), session=session)


async def set_password(request: Request) -> wire.AccountFacts:
    await request.services.accounts.set_password(*request.caller.must_be_here(), request.body.password)
    return await account(request)


async def begin_passkey(request: Request) -> wire.PasskeyAsked:
    return await request.services.accounts.begin_passkey(*request.caller.must_be_here(), site(request))


async def add_passkey(request: Request) -> wire.AccountFacts:
    checked_size(request)
    player, session = request.caller.must_be_here()
    await request.services.accounts.add_passkey(player, session, request.body, site(request))
    return await account(request)


async def remove(request: Request) -> wire.AccountFacts:
    await request.services.accounts.remove(*request.caller.must_be_here(), request.path["credential"])
    return await account(request)


async def new_recovery(request: Request) -> wire.RecoveryCode:
    return wire.RecoveryCode(await request.services.accounts.new_recovery(*request.caller.must_be_here()))


async def prove(request: Request) -> wire.PlayerFacts:
    checked_size(request)
    player, session = request.caller.must_be_here()
    await request.services.sign_ins.prove(player, session, request.body, visitor(request), site(request))
    return facts_of(player)


# --- Signing in ---


def signed_in(found: SignedIn) -> Response:
    facts = wire.SignedInFacts(facts_of(found.player), found.brought, found.recovery)
    return Response(msgspec.json.encode(facts), session=found.session, browser=found.browser)


async def by_password(request: Request) -> Response:
    return signed_in(await request.services.sign_ins.by_password(request.body, visitor(request)))


async def ask_passkey(request: Request) -> wire.PasskeyAsked:
    return await request.services.sign_ins.ask_passkey(visitor(request), site(request))


async def by_passkey(request: Request) -> Response:
    checked_size(request)
    found = await request.services.sign_ins.by_passkey(request.body, visitor(request), site(request))
    return signed_in(found)


async def by_recovery(request: Request) -> Response:
    return signed_in(await request.services.sign_ins.by_recovery(request.body, visitor(request)))


def own(
    method: str, path: str, summary: str, handler: object, response: object, body: object = None
) -> Route:
    """A route for the player in a browser."""
    return Route(method, path, summary, handler, response, body, needs_player=True, in_browser=True)  # type: ignore[arg-type]


ROUTES = [
    own("GET", "/api/account", "Your account, or what you have as a guest.", account, wire.AccountFacts),
    own(
        "POST",
        "/api/account/begin",
        "Begin to become an account: the name is free, and this is the recovery code.",
        begin,
        wire.AccountBegun,
        wire.NewGuest,
    ),
    own("POST", "/api/account", "Become an account.", create, wire.PlayerFacts, wire.NewAccount),
    own(
        "POST",
        "/api/account/password",
        "Set or change the password. Needs a proof of the last ten minutes.",
        set_password,
        wire.AccountFacts,
        wire.NewPassword,
    ),
    own(
        "POST",
        "/api/account/passkey/begin",
        "What the browser needs to make a passkey. Needs a proof of the last ten minutes.",
        begin_passkey,
        wire.PasskeyAsked,
    ),
    own(
        "POST",
        "/api/account/passkey",
        "Add a passkey. Needs a proof of the last ten minutes.",
        add_passkey,
        wire.AccountFacts,
        wire.PasskeyAnswer,
    ),
    own(
        "DELETE",
        "/api/account/credentials/{credential}",
        "Remove a way to sign in, but not the last one. Needs a proof of the last ten minutes.",
        remove,
        wire.AccountFacts,
    ),
    own(
        "POST",
        "/api/account/recovery",
        "A new recovery code; the old one is void. Needs a proof of the last ten minutes.",
        new_recovery,
        wire.RecoveryCode,
    ),
    own(
        "POST",
        "/api/account/proof",
        "Show again that it is you, by password or passkey.",
        prove,
        wire.PlayerFacts,
        wire.Proving,
    ),
    Route(
        "POST",
        "/api/sign_in/password",
        "Sign in by name and password.",
        by_password,
        wire.SignedInFacts,
        wire.PasswordSignIn,
    ),
    Route(
        "POST",
        "/api/sign_in/passkey/begin",
        "What the browser needs to use a passkey.",
        ask_passkey,
        wire.PasskeyAsked,
    ),
    Route(
        "POST",
        "/api/sign_in/passkey",
        "Sign in by passkey.",
        by_passkey,
        wire.SignedInFacts,
        wire.PasskeySignIn,
    ),
    Route(
        "POST",
        "/api/sign_in/recovery",
        "Sign in by name and recovery code, which is replaced.",
        by_recovery,
        wire.SignedInFacts,
        wire.RecoverySignIn,
    ),
]
