"""Sessions: they begin, are renewed, grow old and are ended; and then nothing is open by them any more."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from regalia.server.people.sessions import IDLE_MS, LONGEST_MS, MOST, RENEWED_MS, Session, Via, label_of
from regalia.server.ports import StorageError, Write
from regalia.server.transport.auth import COOKIE, SAFE_COOKIE
from server.harness import Guest, Reply, Running, running
from server.simulator import World

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"


@pytest.fixture
def world() -> Iterator[World]:
    with World() as world:
        yield world


def another_browser(server: Any, guest: Guest) -> Guest:
    """Where the same player is known as well."""

    async def begin() -> Session:
        services = server.services
        row, session = services.sessions.new(guest.id, Via.GUEST, "Safari · iPhone")
        changes = await services.sessions.room_for_one(guest.id)
        await services.store.write(Write(changes=changes, new=[("sessions", row)]))
        return session

    session = server.call(begin)
    browser = Guest(server, None)
    browser.http.headers["cookie"] = f"{COOKIE}={session.key}"
    browser.id = guest.id
    return browser


def sessions(guest: Guest) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = guest.get("/api/me/sessions").json
    return listed


def delete(guest: Guest, path: str) -> Reply:
    return Reply(guest.http.delete(path))


def days(world: World, count: float) -> None:
    """Of the time of day; nothing else happens meanwhile."""
    world.time.jump_ms += round(count * 86_400_000)


# --- How long they last ---


def test_a_session_that_is_used_lives_on_and_one_that_is_not_ends(world: World) -> None:
    ann = Guest(world, "Ann")
    for _ in range(3):
        days(world, 89)
        assert ann.get("/api/tables").status == 200
        assert "Max-Age=7776000" in ann.get("/api/me").headers["set-cookie"]
    days(world, 91)
    reply = ann.get("/api/me")
    assert (reply.status, reply.code) == (401, "bad_credentials")
    assert "Max-Age=0" in reply.headers["set-cookie"]


def test_no_session_lives_for_ever(world: World) -> None:
    ann = Guest(world, "Ann")
    for _ in range(7):
        days(world, 57)
        reply = ann.get("/api/me")
    assert 0 < int(reply.headers["set-cookie"].split("Max-Age=")[1].split(";")[0]) <= 86_400
    days(world, 2)
    assert ann.get("/api/me").status == 401
    assert LONGEST_MS // 86_400_000 == 400
    assert IDLE_MS // 86_400_000 == 90


def test_that_a_session_is_used_is_written_once_an_hour_and_the_browser_is_told(world: World) -> None:
    ann = Guest(world, "Ann")
    seen = world.time.wall_ms()
    world.tick(RENEWED_MS / 1000 - 1)
    assert "set-cookie" not in ann.get("/api/tables").headers
    assert sessions(ann)[0]["seen_ms"] == seen
    world.tick(1)
    assert "Max-Age=7776000" in ann.get("/api/tables").headers["set-cookie"]
    assert "set-cookie" not in ann.get("/api/tables").headers
    assert sessions(ann)[0]["seen_ms"] >= seen + RENEWED_MS


def test_whoever_is_there_stays_while_the_store_cannot_be_written(world: World) -> None:
    ann = Guest(world, "Ann")
    world.tick(2 * RENEWED_MS / 1000)
    world.store.error = StorageError("the disk is full")
    assert ann.get("/api/me").status == 200
    world.store.error = None


def test_a_socket_renews_the_cookie_of_its_browser(world: World) -> None:
    ann = Guest(world, "Ann")
    world.tick(RENEWED_MS / 1000)
    with ann.socket() as line:
        [cookie] = [value for name, value in line.connection.headers if name == b"set-cookie"]
    assert cookie.startswith(COOKIE.encode())
    assert b"Max-Age=7776000" in cookie


# --- Ending them ---


def test_the_list_names_the_browsers_and_which_is_this_one(world: World) -> None:
    ann = Guest(world, "Ann", {"user-agent": FIREFOX})
    world.tick(5)
    phone = another_browser(world, ann)
    mine, other = sessions(ann)
    assert (mine["label"], mine["is_this"], mine["via"]) == ("Firefox · Linux", True, "guest")
    assert (other["label"], other["is_this"]) == ("Safari · iPhone", False)
    assert [facts["id"] for facts in sessions(phone)] == [other["id"], mine["id"]]
    assert all("secret" not in facts and "hash" not in facts for facts in (mine, other))


def test_ending_a_session_closes_its_sockets_and_no_others(world: World) -> None:
    ann = Guest(world, "Ann")
    phone, tablet = another_browser(world, ann), another_browser(world, ann)
    lines = [guest.socket(**browser_headers(guest)) for guest in (ann, phone, tablet)]
    gone = next(facts["id"] for facts in sessions(phone) if facts["is_this"])
    left = delete(ann, f"/api/me/sessions/{gone}").json
    assert len(left) == 2
    assert lines[1].receive("gone")["reason"] == "signed_out"
    assert phone.get("/api/me").status == 401
    for line in (lines[0], lines[2]):
        line.send(type="ping", t=1)
        line.receive("pong")


def browser_headers(guest: Guest) -> dict[str, str]:
    cookie = guest.http.headers.get("cookie")
    return {"cookie": cookie} if cookie else {}


def test_ending_all_others_spares_this_one_and_by_choice_the_tokens(world: World) -> None:
    ann = Guest(world, "Ann")
    token = ann.post("/api/tokens", {"label": "bot"}).json["token"]
    others = [another_browser(world, ann) for _ in range(3)]
    program = Guest(world, None, {"authorization": f"Bearer {token}"})
    with program.socket(authorization=f"Bearer {token}") as line:
        assert len(ann.post("/api/me/sessions/end_others", {}).json) == 1
        assert [other.get("/api/me").status for other in others] == [401] * 3
        assert program.get("/api/me").status == 200
        ann.post("/api/me/sessions/end_others", {"tokens": True})
        assert line.receive("gone")["reason"] == "dropped"
    assert program.get("/api/me").status == 401
    assert ann.get("/api/me").status == 200


def test_who_ends_the_own_session_is_nobody(world: World) -> None:
    ann = Guest(world, "Ann")
    [mine] = sessions(ann)
    reply = delete(ann, f"/api/me/sessions/{mine['id']}")
    assert "Max-Age=0" in reply.headers["set-cookie"]
    assert ann.get("/api/me").status == 401


def test_nobody_ends_the_session_of_another(world: World) -> None:
    ann, eve = Guest(world, "Ann"), Guest(world, "Eve")
    [hers] = sessions(ann)
    assert delete(eve, f"/api/me/sessions/{hers['id']}").code == "not_found"
    assert delete(eve, "/api/me/sessions/none").code == "not_found"
    assert ann.get("/api/me").status == 200


def test_a_token_neither_sees_nor_ends_sessions(world: World) -> None:
    ann = Guest(world, "Ann")
    token = ann.post("/api/tokens", {"label": "bot"}).json["token"]
    program = Guest(world, None, {"authorization": f"Bearer {token}"})
    assert program.get("/api/me/sessions").code == "browser_only"
    assert program.post("/api/me/sessions/end_others", {}).code == "browser_only"
    assert delete(program, f"/api/me/sessions/{sessions(ann)[0]['id']}").code == "browser_only"
    assert Guest(world, None).get("/api/me/sessions").code == "sign_in"


def test_the_session_used_least_recently_makes_room(world: World) -> None:
    ann = Guest(world, "Ann")
    browsers = []
    for _ in range(MOST):
        world.tick(RENEWED_MS / 1000)
        assert ann.get("/api/me").status == 200
        browsers.append(another_browser(world, ann))
    assert len(sessions(ann)) == MOST
    assert [browser.get("/api/me").status for browser in browsers] == [401] + [200] * (MOST - 1)


# --- Under https ---


@pytest.fixture
def behind_proxy(tmp_path: Path) -> Iterator[Running]:
    with running(tmp_path, https=True, names=frozenset({"play.example.org"})) as server:
        yield server


def test_under_https_the_cookie_is_of_this_host_alone_and_replaces_the_old_one(behind_proxy: Running) -> None:
    with Guest(behind_proxy, None) as guest:
        made = guest.post("/api/guest", {"name": "Ann"})
        cookie = made.headers["set-cookie"]
        assert cookie.startswith(f"{SAFE_COOKIE}=")
        for part in ("Secure", "HttpOnly", "Path=/", "SameSite=lax"):
            assert part in cookie
        assert "domain" not in cookie.lower()
        key = cookie.split("=", 1)[1].partition(";")[0]
    with Guest(behind_proxy, None, {"cookie": f"{COOKIE}={key}"}) as old:
        reply = old.get("/api/tables")
        first, second = reply.headers.get_list("set-cookie")
        assert first.startswith(f"{SAFE_COOKIE}={key};")
        assert second.startswith(f'{COOKIE}=""')
        assert "Max-Age=0" in second
        assert old.get("/api/me").json["id"] == made.json["id"]


# --- Labels ---


@pytest.mark.parametrize(
    "agent, label",
    [
        (FIREFOX, "Firefox · Linux"),
        (
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0.0.0 Safari/537.36 Edg/140.0",
            "Edge · Windows",
        ),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1",
            "Safari · iPhone",
        ),
        ("Mozilla/5.0 (Linux; Android 15) Chrome/140.0 Mobile Safari/537.36", "Chrome · Android"),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 15_0) Chrome/140.0 Safari/537.36", "Chrome · macOS"),
        ("curl/8.0", ""),
        ("", ""),
    ],
)
def test_a_browser_is_named_by_its_family_and_system(agent: str, label: str) -> None:
    assert label_of(agent) == label
