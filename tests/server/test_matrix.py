"""Who may use which route: every route of the API, asked by everybody."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

import pytest

from regalia.server.transport.api import ROUTES
from server.harness import Guest, Reply
from server.simulator import World
from server.test_accounts import become, browser

# Of an account, and after ten minutes: only with a new proof.
WITH_A_PROOF = """
    POST /api/tokens
    POST /api/account/password
    POST /api/account/passkey/begin
    POST /api/account/passkey
    DELETE /api/account/credentials/{credential}
    POST /api/account/recovery
"""
# What decodes, and is refused only by who may not.
BODIES: dict[str, Any] = {
    "/api/guest": {"name": "Ann"},
    "/api/me": {"name": "Ann"},
    "/api/tokens": {"label": "bot"},
    "/api/games/{game}/lesson": {"step": 0},
    "/api/tables": {"game": "none", "seats": []},
    "/api/tables/{table}/commands": {"type": "start", "table": "none-there", "id": "some-id-1"},
    "/api/tables/{table}/hint": {"seat": 0, "seq": 1},
    "/api/me/sessions/end_others": {},
    "/api/account/begin": {"name": "Somebody else"},
    "/api/account": {"asked": "0123456789", "password": "violet teapot 41"},
    "/api/account/password": {"password": "violet teapot 41 harbour"},
    "/api/account/passkey": {"asked": "0123456789", "passkey": {}},
    "/api/account/proof": {"password": "wrong"},
    "/api/sign_in/password": {"name": "Nobody", "password": "wrong"},
    "/api/sign_in/passkey": {"asked": "0123456789", "passkey": {}},
    "/api/sign_in/recovery": {"name": "Nobody", "code": "wrong"},
}


def rows(text: str) -> set[str]:
    return {line.strip() for line in text.strip().splitlines()}


ALL = {f"{route.method} {route.path}": route for route in ROUTES}
FOR_PLAYERS = {name for name, route in ALL.items() if route.needs_player}
SIGNING_IN = {name for name in ALL if "/api/sign_in/" in name}
IN_A_BROWSER = {name for name, route in ALL.items() if route.in_browser} | SIGNING_IN


def test_what_is_personal_is_for_players_in_a_browser() -> None:
    """What somebody is shown and does as the owner of an account, and never a program with a token."""
    personal = {name for name in ALL if re.search("/api/(account|me/)", name)}
    assert personal <= IN_A_BROWSER & FOR_PLAYERS
    assert rows(WITH_A_PROOF) <= FOR_PLAYERS
    assert {"GET /api/me", "PATCH /api/me", "POST /api/tables"} <= FOR_PLAYERS


@dataclass
class Callers:
    nobody: Guest
    guest: Guest
    account: Guest
    stale_account: Guest  # signed in, its last proof too long ago
    token: Guest
    account_token: Guest
    dropped: Guest
    ended: Guest


@pytest.fixture
def callers() -> Iterator[Callers]:
    with World() as world:
        holder, account, stale, ended = (browser(world, name) for name in ("H", "A", "S", "E"))
        become(stale, "Stale")
        with_token = stale.post("/api/tokens", {"label": "bot"}).json["token"]
        world.tick(601)
        become(account, "Account")
        [mine] = ended.get("/api/me/sessions").json
        key = next(cookie.value for cookie in ended.http.cookies.jar if cookie.name == "regalia_player")
        ended.http.delete(f"/api/me/sessions/{mine['id']}")
        tokens = [holder.post("/api/tokens", {"label": label}).json for label in ("kept", "dropped")]
        holder.http.delete(f"/api/tokens/{tokens[1]['id']}")

        def bearer(token: str) -> Guest:
            return Guest(world, None, {"authorization": f"Bearer {token}", "host": "localhost:8000"})

        yield Callers(
            browser(world),
            browser(world, "Guest"),
            account,
            stale,
            bearer(tokens[0]["token"]),
            bearer(with_token),
            bearer(tokens[1]["token"]),
            Guest(world, None, {"cookie": f"regalia_player={key}", "host": "localhost:8000"}),
        )


def ask(guest: Guest, route: str) -> str:
    """The code of the refusal, or `ok`."""
    method, path = route.split(" ")
    address = re.sub(r"\{game\}", "rose_king", path)
    address = re.sub(r"\{\w+\}", "none-there", address)
    body = BODIES.get(path, {})
    reply = Reply(guest.http.request(method, address, json=body if method in ("POST", "PATCH") else None))
    is_busy = path == "/api/ready" and reply.status == HTTPStatus.SERVICE_UNAVAILABLE  # games still load
    assert reply.status < 500 or is_busy, (route, reply.text)
    return "ok" if reply.status == 200 else reply.code


KEPT_OUT = {"sign_in", "bad_credentials", "browser_only", "proof"}


@pytest.mark.parametrize("route", sorted(ALL.keys() - FOR_PLAYERS))
def test_what_is_for_everybody(callers: Callers, route: str) -> None:
    for guest in (callers.nobody, callers.guest, callers.account, callers.stale_account, callers.ended):
        assert ask(guest, route) not in KEPT_OUT
    for program in (callers.token, callers.account_token):
        answer = ask(program, route)
        assert (answer == "browser_only") == (route in SIGNING_IN)
    assert ask(callers.dropped, route) == "bad_credentials"


@pytest.mark.parametrize("route", sorted(FOR_PLAYERS))
def test_what_is_for_players(callers: Callers, route: str) -> None:
    assert ask(callers.nobody, route) == "sign_in"
    assert ask(callers.ended, route) == "bad_credentials"
    assert ask(callers.dropped, route) == "bad_credentials"
    in_browser = route in IN_A_BROWSER
    sensitive = route in rows(WITH_A_PROOF)
    assert (ask(callers.token, route) == "browser_only") == in_browser
    assert (ask(callers.account_token, route) == "browser_only") == (
        in_browser or route == "POST /api/tokens"
    )
    for guest in (callers.guest, callers.account):
        assert ask(guest, route) not in KEPT_OUT
    assert (ask(callers.stale_account, route) == "proof") == sensitive
