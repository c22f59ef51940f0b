"""Who calls, by which name and from which page: cookies, tokens, languages, proxies, budgets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from regalia.server.model.text import clean
from regalia.server.settings import LOOPBACK, UNLIMITED, Rate, Rates
from regalia.server.transport.auth import COOKIE, language_of
from regalia.server.transport.limits import FEWEST_TO_SWEEP, Limiter
from server.harness import Guest, Reply, Running, running
from server.simulator import World
from server.test_abuse import handshake


def cookie_of(guest: Guest) -> str:
    return next(cookie.value or "" for cookie in guest.http.cookies.jar if cookie.name == COOKIE)


def asked(server: Running, path: str = "/api/me", **headers: str) -> Reply:
    with Guest(server, None, headers) as guest:
        return guest.get(path)


@pytest.fixture
def behind_proxy(tmp_path: Path) -> Iterator[Running]:
    names = frozenset({"play.example.org"})
    with running(tmp_path, https=True, proxies=LOOPBACK, names=names) as server:
        yield server


# --- Cookies ---


@pytest.mark.parametrize("other", ['other={"a": 1}', "a=b c", "=x", "a=;;", 'b="half', "k=\u00e4"])
def test_a_foreign_cookie_beside_ours_changes_nothing(ann: Guest, server: Running, other: str) -> None:
    for jar in (f"{other}; {COOKIE}={cookie_of(ann)}", f"{COOKIE}={cookie_of(ann)}; {other}"):
        with Guest(server, None) as guest:
            reply = Reply(guest.http.get("/api/me", headers=[(b"cookie", jar.encode())]))
        assert (reply.status, reply.json["id"]) == (200, ann.id)


def test_a_cookie_lasts_ninety_days_from_the_last_visit(ann: Guest) -> None:
    seen = [
        ann.get("/api/me"),
        ann.post("/api/guest", {"name": "Anna"}),
        Reply(ann.http.patch("/api/me", json={"name": "Anne"})),
    ]
    for reply in seen:
        cookie = reply.headers["set-cookie"]
        assert cookie.startswith(f"{COOKIE}={cookie_of(ann)};")
        for part in ("Max-Age=7776000", "HttpOnly", "SameSite=lax", "Path=/"):
            assert part in cookie
        assert "Secure" not in cookie


def test_a_token_is_given_no_cookie(ann: Guest, server: Running) -> None:
    token = ann.post("/api/tokens", {"label": "bot"}).json["token"]
    reply = asked(server, authorization=f"Bearer {token}")
    assert reply.json["id"] == ann.id
    assert "set-cookie" not in reply.headers


def test_behind_https_the_cookie_is_secure(behind_proxy: Running) -> None:
    with Guest(behind_proxy, None) as guest:
        assert "Secure" in guest.post("/api/guest", {"name": "Ann"}).headers["set-cookie"]


def test_a_wrong_cookie_is_cleared_by_the_reply(ann: Guest, server: Running) -> None:
    name, _, secret = cookie_of(ann).partition(".")
    wrong = f"{name}.{secret[::-1]}"
    for path, status in (("/api/me", 401), ("/api/tables", 200)):
        reply = asked(server, path, cookie=f"{COOKIE}={wrong}")
        assert reply.status == status
        assert reply.headers["set-cookie"].startswith(f'{COOKIE}=""')
        assert "Max-Age=0" in reply.headers["set-cookie"]


# --- Behind a proxy ---


def test_the_credentials_of_a_proxy_are_not_ours(ann: Guest, server: Running) -> None:
    for other in ("Basic YW5uOnNlY3JldA==", "Digest username=x", "Negotiate abc"):
        reply = asked(server, authorization=other, cookie=f"{COOKIE}={cookie_of(ann)}")
        assert reply.json["id"] == ann.id
        assert asked(server, "/api/tables", authorization=other).status == 200
        assert handshake(ann, authorization=other) == 101


def test_the_picture_of_an_invitation_says_https_behind_https(
    behind_proxy: Running, monkeypatch: pytest.MonkeyPatch
) -> None:

    from regalia.server.transport import qr

    texts: list[str] = []
    draw = qr.qr_svg
    monkeypatch.setattr(qr, "qr_svg", lambda text: texts.append(text) or draw(text))
    with Guest(behind_proxy, None, {"host": "play.example.org"}) as ann:
        cookie = ann.post("/api/guest", {"name": "Ann"}).headers["set-cookie"].partition(";")[0]
        ann.http.headers["cookie"] = cookie
        table = ann.new_table()["table"]
        assert ann.get(f"/api/tables/{table['id']}/qr.svg").status == 200
    assert texts == [f"https://play.example.org/t/{table['id']}?invite={table['invite']}"]


def test_only_a_page_of_the_public_address_is_ours_behind_https(behind_proxy: Running) -> None:
    def status(origin: str) -> int:
        with Guest(behind_proxy, None, {"host": "play.example.org", "origin": origin}) as guest:
            return guest.post("/api/guest", {"name": "Ann"}).status

    assert status("https://play.example.org") == 200
    assert status("https://play.example.org:443") == 200
    assert status("http://play.example.org") == 403
    assert status("https://play.example.org:8443") == 403


# --- Names of the server ---


@pytest.mark.parametrize(
    "host", ["evil.example", "localhost.evil.example", "10.9.8.7", "", "[bad", "127.0.0.1.nip.io"]
)
def test_what_is_addressed_to_another_name_is_refused(ann: Guest, server: Running, host: str) -> None:
    for path in ("/", "/api/me", "/api/tables", "/no/such/page"):
        reply = asked(server, path, host=host, cookie=f"{COOKIE}={cookie_of(ann)}")
        assert (reply.status, reply.code) == (421, "wrong_host")
        assert "set-cookie" not in reply.headers


def test_a_socket_to_another_name_is_refused(server: Running) -> None:
    with Guest(server, None) as eve:
        assert handshake(eve, host="evil.example") == 421
        assert handshake(eve) == 101


@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST:1", "127.0.0.1", "127.0.0.9:80", "[::1]:80", "ann.localhost"]
)
def test_the_names_of_the_own_machine_are_ours(server: Running, host: str) -> None:
    assert asked(server, "/api/health", host=host).status == 200


def test_the_public_address_is_ours(behind_proxy: Running) -> None:
    assert asked(behind_proxy, "/api/health", host="play.example.org").status == 200
    assert asked(behind_proxy, "/api/health", host="other.example.org").status == 421


# --- Tokens ---


def test_dropping_a_token_closes_its_sockets_and_no_others(ann: Guest, server: Running) -> None:
    kept, dropped = (ann.post("/api/tokens", {"label": label}).json for label in ("kept", "dropped"))
    with (
        Guest(server, None) as program,
        program.socket(authorization=f"Bearer {kept['token']}") as still,
        program.socket(authorization=f"Bearer {dropped['token']}") as line,
        ann.socket() as own,
    ):
        assert Reply(ann.http.delete(f"/api/tokens/{dropped['id']}")).status == 200
        assert line.receive("gone")["reason"] == "dropped"
        with pytest.raises(ConnectionClosed):
            line.receive()
        for open_line in (still, own):
            open_line.send(type="ping", t=1)
            open_line.receive("pong")


# --- Languages, names ---


@pytest.mark.parametrize(
    "header, language",
    [
        ("nl;q=0.1, de", "de"),
        ("de;q=0.5, nl;q=0.9, en;q=0.7", "nl"),
        ("fr, de-AT;q=0.8, en;q=0.2", "de"),
        ("de;q=0, nl;q=0", "en"),
        ("de;q=0", "en"),
        ("de;q=high, nl;q=0.1", "nl"),
        ("nl, de", "nl"),
        ("*", "en"),
        ("", "en"),
    ],
)
def test_the_language_wanted_most_is_spoken(header: str, language: str) -> None:
    assert language_of(header) == language


INVISIBLE = [
    "\u200b",
    "\u200f",
    "\u3164",
    "\ufeff",
    "\ufff9",
    "\U000e0041",
    "\u202e",
    "\u2800",
    "\u200d",
    "\u0301",
    "\u00ad",
]


@pytest.mark.parametrize("letter", INVISIBLE)
def test_a_name_of_nothing_visible_is_refused(ann: Guest, letter: str) -> None:
    for name in (letter, letter * 3, f" {letter} {letter}"):
        assert ann.post("/api/guest", {"name": name}).code == "bad_message"


def test_what_is_invisible_goes_and_what_shapes_letters_stays() -> None:
    assert clean("An\u200bn\u3164\ufeff") == "Ann"
    assert clean("a\u202eb\u2066c\n\td") == "abc d"
    for name in (
        "Zo\u00eb",
        "e\u0301lan",
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
        "\U0001f469\u200d\U0001f680",
        "\u2764\ufe0f",
    ):
        assert clean(name) == name


# --- Budgets ---


@pytest.fixture
def world() -> Iterator[World]:
    world = World(rates=replace(UNLIMITED, request=Rate(20, 10), refused=Rate(5, 10)))
    yield world
    world.close()


def test_a_flood_of_one_caller_leaves_the_other_players_of_its_address_alone(world: World) -> None:
    ann, bob, nobody = Guest(world, "Ann"), Guest(world, "Bob"), Guest(world, None)
    assert {nobody.get("/api/tables").status for _ in range(30)} == {200, 429}
    assert {ann.get("/api/me").status for _ in range(30)} == {200, 429}
    assert [bob.get("/api/me").status for _ in range(20)] == [200] * 20
    assert bob.get("/api/me").code == "too_fast"


def test_a_budget_comes_back_evenly(world: World) -> None:
    ann = Guest(world, "Ann")
    while ann.get("/api/me").status == 200:
        pass
    world.tick(0.5)
    assert [ann.get("/api/me").status for _ in range(2)] == [200, 429]
    world.tick(60)
    assert [ann.get("/api/me").status for _ in range(21)] == [200] * 20 + [429]


def test_wrong_cookies_of_an_address_never_lock_out_its_players(world: World) -> None:
    ann, eve = Guest(world, "Ann"), Guest(world, None)
    name, _, secret = cookie_of(ann).partition(".")
    eve.http.headers["cookie"] = f"{COOKIE}={name}.{secret[::-1]}"
    statuses = [eve.get("/api/tables").status for _ in range(10)]
    assert statuses == [200] * 5 + [429] * 5
    assert [ann.get("/api/me").status for _ in range(10)] == [200] * 10


def test_buckets_that_are_full_again_are_forgotten() -> None:
    class SteadyTime:
        now = 0

        def wall_ms(self) -> int:
            return self.now

        steady_ms = wall_ms

        async def sleep(self, seconds: float) -> None: ...

    time = SteadyTime()
    limiter = Limiter(Rates(), time)
    for number in range(10 * FEWEST_TO_SWEEP):
        time.now += 1000
        assert limiter.allows("request", f"caller {number}")
    assert len(limiter._buckets) <= FEWEST_TO_SWEEP + 1
