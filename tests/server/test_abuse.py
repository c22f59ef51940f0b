"""Everything from outside is hostile until decoded: no failure, no change, no effect on other tables."""

from __future__ import annotations

import base64
import json
import random
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from regalia.server.settings import LOOPBACK, UNLIMITED, Rate, Rates
from regalia.server.transport.api import ROUTES
from server.harness import Guest, Reply, Running, running, wait_for


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Running]:
    """A server of the test's own, with the usual limits and short time-outs."""
    rates = replace(Rates(), request=Rate(60, 60), frame=Rate(100, 60), chat=Rate(8, 60))
    with running(tmp_path, rates=rates, slow_s=1.5) as server:
        yield server


# --- Frames ---

BAD_FRAMES: list[str | bytes] = [
    "",
    "{",
    "null",
    "[]",
    "7",
    '"play"',
    "{}",
    '{"type":"admin"}',
    '{"type":"play"}',
    '{"type":"ping"}',
    '{"type":"ping","t":"now"}',
    '{"type":"ping","t":1,"x":1}',
    '{"type":"ping","t":1e400}',
    '{"type":"ping","t":-1}',
    '{"type":"watch","table":"../../etc"}',
    '{"type":"watch","table":"nosuchtable"}',
    '{"type":"watch","table":"abcdefghij","seat":99}',
    '{"type":"hello","language":"xx"}',
    '{"type":"play","table":"abcdefghij","id":"x","seat":0,"ply":1,"action":"N1"}',
    '{"type":"chat","table":"abcdefghij","id":"abcdefg","text":"\\ud800"}',
    "[" * 4000,
    '{"a":' * 1500,
    "\u0000\u0001",
    b"\x00\xff\xfe",
    b"{}",
]


@pytest.mark.parametrize("frame", BAD_FRAMES, ids=range(len(BAD_FRAMES)))
def test_a_bad_frame_is_refused_and_the_socket_lives(ann: Guest, frame: str | bytes) -> None:
    with ann.socket() as line:
        line.connection.send(frame)
        answer = line.receive("refused")
        assert answer["code"] in ("bad_message", "not_found", "not_your_seat")
        line.send(type="ping", t=5)
        assert line.receive("pong")["t"] == 5


def test_an_oversized_frame_ends_only_its_own_socket(ann: Guest, bob: Guest) -> None:
    with ann.socket() as line, bob.socket() as other:
        line.connection.send('{"type":"ping","t":' + "1" * 9000 + "}")
        with pytest.raises(ConnectionClosed):
            line.receive("pong")
        other.send(type="ping", t=1)
        other.receive("pong")


def test_random_frames_never_make_an_internal_error(ann: Guest) -> None:
    rng = random.Random(3)
    table = ann.new_table(seats=["human", "hotseat"])["table"]["id"]
    before = ann.table(table, seat=0)
    good = [
        {"type": "play", "table": table, "id": "fuzz-0001", "seat": 0, "ply": 1, "action": "N1"},
        {"type": "sit", "table": table, "id": "fuzz-0002", "seat": 1},
        {"type": "watch", "table": table, "seat": 0, "seq": 3},
        {"type": "place", "table": table, "id": "fuzz-0003", "seat": 1, "bot": "random"},
    ]
    values: list[Any] = [
        None,
        True,
        -1,
        0,
        7,
        1.5,
        10**30,
        "",
        "x" * 500,
        [],
        {},
        ["a"],
        table,
        "draw",
        "\x00",
    ]
    with ann.socket() as line:
        for number in range(150):
            message = dict(rng.choice(good))
            for key in rng.sample(sorted(message), rng.randint(1, 2)):
                if rng.random() < 0.3:
                    message.pop(key)
                else:
                    message[key] = rng.choice(values)
            if message.get("id"):
                message["id"] = f"fuzz-{number:06}" if rng.random() < 0.5 else message["id"]
            line.send(**message)
            line.send(type="ping", t=number)
            while (answer := line.receive())["type"] != "pong":
                assert answer.get("code") != "internal", (message, answer)
    after = ann.table(table, seat=0)
    assert after["view"] == before["view"]


def test_commands_out_of_order_are_refused_as_stale(ann: Guest) -> None:
    table = ann.new_table(seats=["human", "hotseat"])["table"]["id"]
    view = ann.table(table, seat=0)["view"]
    with ann.socket() as line:
        for ply in (3, 2, 0):
            answer = line.ask("play", table=table, seat=0, ply=ply, action=view["actions"][0])
            assert answer["code"] == "stale"
        assert line.ask("play", table=table, seat=0, ply=1, action=view["actions"][0])["type"] == "ack"


# --- Floods, slow readers, half-open connections ---


def test_a_flood_on_one_socket_is_slowed_and_then_cut(own: Running) -> None:
    with Guest(own, "Ann") as ann, Guest(own, "Bob") as bob, ann.socket() as line, bob.socket() as other:
        seen = set()
        with suppress(ConnectionClosed):  # the server may cut the line before all is sent
            for number in range(400):
                line.send(type="ping", t=number)
        with suppress(ConnectionClosed, TimeoutError):
            while True:
                answer = line.receive("refused", "gone", seconds=5)
                seen.add(answer.get("code") or answer.get("reason"))
        assert "too_fast" in seen
        other.send(type="ping", t=1)
        other.receive("pong")


def test_a_message_dropped_for_its_speed_is_refused_by_its_id(tmp_path: Path) -> None:
    rates = replace(UNLIMITED, frame=Rate(2, 3600))
    with running(tmp_path, rates=rates) as own, Guest(own, "Ann") as ann, ann.socket() as line:
        table = ann.new_table(seats=["human", "hotseat"])["table"]["id"]
        for number in range(2):
            line.send(type="ping", t=number)
            line.receive("pong")
        refused = line.ask("chat", id="too-fast-1", table=table, seat=0, text="hello")
        assert (refused["code"], refused["id"], refused["table"]) == ("too_fast", "too-fast-1", table)
        for frame in ("{", "[]", '{"id": 7}', '{"id": "no id of ours!"}', '{"a":' * 1500):
            line.connection.send(frame)
            refused = line.receive("refused")
            assert (refused["code"], refused["id"], refused["table"]) == ("too_fast", None, None)


def test_a_mistake_of_ours_is_not_told_as_abuse(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError

    with running(tmp_path) as own, Guest(own, "Ann") as ann, ann.socket() as line:
        monkeypatch.setattr("regalia.server.transport.sockets.Socket._room", broken)
        line.send(type="ping", t=1)
        assert line.receive("gone")["reason"] == "internal"
        with pytest.raises(ConnectionClosed) as closed:
            line.receive()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1011


def test_floods_of_requests_are_refused_with_a_code(own: Running) -> None:
    with Guest(own, "Ann") as ann:
        codes = {ann.post("/api/guest", {"name": "x"}).status for _ in range(3)}
        assert codes == {200}
        replies = [ann.get("/api/me") for _ in range(70)]
        assert {reply.status for reply in replies} == {200, 429}
        assert {reply.code for reply in replies if reply.status == 429} == {"too_fast"}


def test_talk_is_limited_per_player(own: Running) -> None:
    with Guest(own, "Ann") as ann, Guest(own, "Bob") as bob:
        table = ann.new_table(seats=["human", "open"])["table"]["id"]
        replies = [ann.do("chat", table, seat=0, text="spam") for _ in range(12)]
        assert {reply.status for reply in replies} == {200, 429}
        bob.must("chat", table, text="hello")


def test_a_reader_that_stops_reading_is_cut_and_holds_up_nobody(tmp_path: Path) -> None:
    """It asks for much and takes nothing: only its own answers wait, and only for so long."""
    with running(tmp_path, slow_s=1.0) as own, Guest(own, "Ann") as ann, Guest(own, "Bob") as bob:
        table = ann.new_table(seats=["human", "hotseat"])["table"]["id"]
        for _ in range(60):
            ann.must("chat", table, seat=0, text="a long story " * 35)
        raw = upgraded(ann)
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        watch = masked(json.dumps({"type": "watch", "table": table, "seat": 0}).encode())
        began = time.monotonic()
        with bob.socket() as other:
            while time.monotonic() - began < 60 and not own.services.metrics.sockets_closed["slow"]:
                try:
                    raw.sendall(watch)
                except OSError:
                    time.sleep(0.1)
                other.send(type="ping", t=1)
                other.receive("pong", seconds=5)
        raw.close()
        assert own.services.metrics.sockets_closed["slow"] == 1
        ann.must("play", table, seat=0, ply=1, action=ann.table(table, seat=0)["view"]["actions"][0])


def handshake(guest: Guest, **headers: str) -> int:
    """The status with which a socket is opened (101) or refused."""
    raw = upgraded(guest, **headers)
    raw.settimeout(10)
    status = int(raw.recv(2000).split()[1])
    raw.close()
    return status


def upgraded(guest: Guest, **headers: str) -> socket.socket:
    """A WebSocket by hand: after the handshake nothing is read."""
    host, _, port = guest.base.removeprefix("http://").partition(":")
    raw = socket.create_connection((host, int(port)))
    cookies = "; ".join(f"{c.name}={c.value}" for c in guest.http.cookies.jar)
    named = headers.pop("host", f"{host}:{port}")
    more = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
    key = base64.b64encode(b"0123456789abcdef").decode()
    raw.sendall(
        f"GET /ws HTTP/1.1\r\nHost: {named}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n{more}"
        f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\nCookie: {cookies}\r\n\r\n".encode()
    )
    return raw


def masked(payload: bytes) -> bytes:
    head = (
        bytes([0x81, 0x80 | len(payload)])
        if len(payload) < 126
        else bytes([0x81, 0xFE, *divmod(len(payload), 256)])
    )
    return head + b"\0\0\0\0" + payload


def test_a_silent_socket_and_a_half_open_connection_are_closed(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr("regalia.server.transport.run.HEADERS_S", 1.0)
    with running(tmp_path, silent_s=1.0) as server:
        check_silence(server)


def check_silence(own: Running) -> None:
    half = socket.create_connection(("127.0.0.1", own.port))
    half.sendall(b"GET / HTT")
    empty = socket.create_connection(("127.0.0.1", own.port))
    with Guest(own, "Ann") as ann, ann.socket() as line:
        assert line.receive("gone", seconds=10)["reason"] == "silent"
    for raw in (half, empty):
        raw.settimeout(10)
        assert closed_by_server(raw)
        raw.close()


def closed_by_server(raw: socket.socket) -> bool:
    try:
        return raw.recv(100) == b""
    except ConnectionResetError:
        return True


def posting(port: int, length: int, source: str = "127.0.0.1", **headers: str) -> socket.socket:
    """A request whose body is announced and does not come."""
    raw = socket.create_connection(("127.0.0.1", port), source_address=(source, 0))
    more = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
    raw.sendall(
        f"POST /api/guest HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n{more}"
        f"Content-Length: {length}\r\n\r\n{{".encode()
    )
    raw.settimeout(10)
    return raw


def everything(raw: socket.socket) -> bytes:
    """All that comes until the server closes."""
    with raw:
        return b"".join(iter(lambda: raw.recv(65536), b""))


def test_a_body_that_never_comes_is_given_up_with_its_connection(own: Running, monkeypatch: Any) -> None:
    monkeypatch.setattr("regalia.server.transport.decoding.BODY_S", 0.5)
    assert everything(posting(own.port, 100)).startswith(b"HTTP/1.1 422")


@pytest.mark.parametrize("length", [300_000, 10**15, 10**30])
def test_a_body_that_will_be_too_long_is_refused_at_once_with_its_connection(
    own: Running, length: int
) -> None:
    """Nothing of it is waited for: the headers alone are enough."""
    answer = everything(posting(own.port, length))
    assert answer.split(b"\r\n")[0].split()[1] in (b"413", b"400")


def test_any_answer_before_the_end_of_the_body_ends_the_connection(own: Running) -> None:
    for path in ("/", "/api/tables", "/api/nothing"):
        raw = socket.create_connection(("127.0.0.1", own.port))
        raw.settimeout(10)
        raw.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nx".encode())
        assert everything(raw).startswith(b"HTTP/1.1 ")


def test_an_address_with_too_many_connections_is_refused_and_others_are_served(tmp_path: Path) -> None:
    """The flood comes from one address of the loopback network, the player from another."""
    with running(tmp_path, most_connections_per_address=20) as own, ExitStack() as flood:
        lines = [flood.enter_context(posting(own.port, 100, "127.0.0.2")) for _ in range(60)]
        refused = [line for line in lines[20:] if line.recv(2000).startswith(b"HTTP/1.1 429")]
        assert len(refused) == 40
        with Guest(own, "Ann") as ann, ann.socket() as line:
            line.send(type="ping", t=1)
            line.receive("pong")
        for line in lines[:10]:
            line.close()

        def is_let_in() -> bool:
            with posting(own.port, 300_000, "127.0.0.2") as again:
                return again.recv(2000).startswith(b"HTTP/1.1 413")

        wait_for(is_let_in, 10)


def test_sockets_leave_the_count_of_connections(tmp_path: Path) -> None:
    with (
        running(tmp_path, most_connections_per_address=4) as own,
        ExitStack() as lines,
        Guest(own, "Ann") as ann,
    ):
        for _ in range(10):
            lines.enter_context(ann.socket())
        assert ann.get("/api/me").status == 200


def test_behind_a_proxy_the_addresses_it_names_are_counted(tmp_path: Path) -> None:
    with running(tmp_path, most_connections_per_address=5, proxies=LOOPBACK) as own, ExitStack() as flood:
        lines = [
            flood.enter_context(posting(own.port, 100, x_forwarded_for="10.0.0.1, 203.0.113.9"))
            for _ in range(12)
        ]
        for line in lines[5:]:
            assert line.recv(2000).startswith(b"HTTP/1.1 429")
        with Guest(own, "Ann", {"x-forwarded-for": "198.51.100.7"}) as ann:
            assert ann.get("/api/me").status == 200


def test_an_oversized_body_is_refused(ann: Guest) -> None:
    body = {"game": "rose_king", "seats": [{}, {}], "transcript": "x" * 210_000}
    assert ann.post("/api/tables", body).code == "bad_message"
    body["transcript"] = "x" * 300_000  # the connection ends with this one
    assert ann.post("/api/tables", body).code == "too_large"


# --- Foreign pages, cookies, tokens, seats ---


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:1"},
        {"origin": "https://{host}"},
        {"origin": "http://[bad"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_a_foreign_page_can_do_nothing(ann: Guest, headers: dict[str, str]) -> None:
    here = ann.base.removeprefix("http://")
    headers = {name: value.replace("{host}", here) for name, value in headers.items()}
    assert ann.post("/api/guest", {"name": "Mallory"}, **headers).code == "foreign_origin"
    assert (
        ann.post("/api/tables", {"game": "rose_king", "seats": [{}, {}]}, **headers).code == "foreign_origin"
    )
    assert handshake(ann, **headers) == 403
    assert ann.get("/api/me").json["name"] == "Ann"


def test_our_own_page_may(ann: Guest) -> None:
    assert ann.post("/api/guest", {"name": "Ann"}, origin=ann.base).status == 200
    with ann.socket(origin=ann.base) as line:
        assert line.welcome["player"]["id"] == ann.id


def test_tampered_cookies_and_tokens_are_nobody(ann: Guest, server: Running) -> None:
    cookie = next(iter(ann.http.cookies.jar)).value
    token = ann.post("/api/tokens", {"label": "t"}).json["token"]
    name, _, secret = cookie.partition(".")
    wrong = [
        f"{name}.{'A' * 43}",
        f"{name}.{secret[:-1]}",
        f"{name}.",
        f"..{secret}",
        "x" * 4000,
        f"{name}.{secret[::-1]}",
        token,
    ]
    for value in wrong:
        with Guest(server, None, {"cookie": f"regalia_player={value}"}) as eve:
            assert eve.get("/api/me").status == 401
            assert eve.get("/api/tables", list="mine").status == 401
            assert eve.get("/api/tables").status == 200
    for value in (f"Bearer {cookie}", f"Bearer {token[:-1]}", "Bearer", f"Bearer {token}x"):
        with Guest(server, None, {"authorization": value}) as eve:
            assert eve.get("/api/me").status == 401
            assert eve.get("/api/tables").code == "bad_credentials"
            assert handshake(eve, authorization=value) == 401


def test_nobody_takes_or_uses_anothers_seat(ann: Guest, bob: Guest, server: Running) -> None:
    table = ann.new_table(seats=["human", "open"])["table"]["id"]
    bob.must("sit", table, seat=1)
    before = ann.table(table, seat=0)
    with Guest(server, "Eve") as eve:
        for kind in ("resign", "leave", "reclaim", "offer_draw", "rematch"):
            assert eve.do(kind, table, seat=0).code == "not_your_seat"
        assert eve.do("undo", table, seat=0, ply=1).code == "not_your_seat"
        assert eve.do("answer_draw", table, seat=0, accept=True).code == "not_your_seat"
        assert eve.do("takeover", table, seat=0, bot="random").code == "not_your_seat"
        assert eve.do("sit", table, seat=0).code == "wrong_phase"
        assert eve.do("place", table, seat=0, bot="random").code == "host_only"
        assert eve.do("close", table).code == "host_only"
        assert eve.get(f"/api/tables/{table}", seat=0).code == "not_your_seat"
        for path in ("frames", "transcript", "odds", "qr.svg"):
            assert eve.get(f"/api/tables/{table}/{path}", seat=0).code == "not_your_seat"
        assert eve.post(f"/api/tables/{table}/hint", {"seat": 0, "ply": 1}).code == "not_your_seat"
        with eve.socket() as line:
            assert line.watch(table, 0)["code"] == "not_your_seat"
            assert line.ask("play", table=table, seat=0, ply=1, action="N1")["code"] == "not_your_seat"
    after = ann.table(table, seat=0)
    assert (after["seq"], after["view"]) == (before["seq"], before["view"])


def test_names_with_markup_are_only_words(server: Running) -> None:
    with Guest(server, "<script>alert(1)</script>") as eve:
        shown = eve.new_table(seats=["human", "open"])
        assert shown["table"]["seats"][0]["name"] == "<script>alert(1)</script>"
        reply = eve.get(f"/api/tables/{shown['table']['id']}")
        assert reply.headers["content-type"] == "application/json"
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert "script-src 'self'" in reply.headers["content-security-policy"]
        for bad in ("", "   ", "\x00\x01", "x" * 33):
            assert eve.post("/api/guest", {"name": bad}).code == "bad_message"


def test_no_path_leads_out_of_the_bundle(server: Running) -> None:
    paths = [
        "/../../../../etc/passwd",
        "/..%2f..%2f..%2fetc/passwd",
        "/assets/../../app.py",
        "/assets/%2e%2e/%2e%2e/settings.py",
        "/static/../protocol.py",
        "//etc/passwd",
        "/%00",
        "/assets/..\\..\\app.py",
    ]
    for path in paths:
        raw = socket.create_connection(("127.0.0.1", server.port))
        raw.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
        raw.settimeout(10)
        answer = b"".join(iter(lambda raw=raw: raw.recv(65536), b""))  # type: ignore[misc]
        raw.close()
        assert answer.split(b"\r\n")[0].split()[1] in (b"200", b"404", b"400"), path
        assert b"root:" not in answer
        assert b"import annotations" not in answer


# --- Every route, every role, every phase ---


def test_every_route_for_every_role_in_every_phase(server: Running) -> None:
    """No 5xx anywhere; who may not, gets a coded refusal; and what is only looked at does not change."""
    host, seated, stranger = (Guest(server, name) for name in ("Host", "Seated", "Stranger"))
    nobody = Guest(server, None)
    phases = {}
    for phase in ("open", "running", "ended", "closed"):
        table = host.new_table(seats=["human", "open"], autostart=False, is_public=False)["table"]
        if phase in ("running", "ended"):
            seated.must("sit", table["id"], seat=1, invite=table["invite"])
            host.must("start", table["id"])
        if phase == "ended":
            seated.must("resign", table["id"], seat=1)
        if phase == "closed":
            host.must("close", table["id"])
        phases[phase] = table["id"]
    calls = 0
    for phase, table in phases.items():
        before = host.table(table)["seq"]
        for role in (host, seated, stranger, nobody):
            for route in ROUTES:
                reply = called(role, route.method, route.path, table)
                calls += 1
                assert reply.status < 500, (phase, route.path, reply.text)
                if reply.status >= 400:
                    assert reply.json["error"]["code"], (phase, route.path)
                outsider = role in (stranger, nobody) or (role is seated and phase in ("open", "closed"))
                if outsider and "{table}" in route.path and route.method == "GET":
                    assert reply.status in (404, 422), (phase, route.path, reply.text)
        assert host.table(table)["seq"] == before
    assert calls == 16 * len(ROUTES)
    for guest in (host, seated, stranger, nobody):
        guest.close()


def called(role: Guest, method: str, path: str, table: str) -> Reply:
    path = path.replace("{table}", table).replace("{token}", "nosuchtoken")
    bodies: dict[str, Any] = {
        "guest": {"name": "Name"},
        "me": {"name": "Name"},
        "tokens": {"label": "l"},
        "tables": {"game": "rose_king", "seats": [{"kind": "human"}, {"kind": "open"}]},
        "commands": {"type": "undo", "table": table, "id": "route-test", "seat": 0, "ply": 1},
        "hint": {"seat": 0, "ply": 1},
    }
    if method == "GET":
        query = {"actions": "N1"} if path.endswith("previews") else {}
        return role.get(path, **query)
    if path == "/api/guest" and role.id == "":
        return role.get("/api/me")  # becoming someone would change the role
    return Reply(role.http.request(method, path, json=bodies.get(path.rpartition("/")[2])))


def test_wrong_methods_and_unknown_addresses_are_coded(ann: Guest) -> None:
    assert Reply(ann.http.put("/api/me", json={})).code == "method"
    assert Reply(ann.http.delete("/api/tables")).code == "method"
    assert ann.get("/api/nothing/here").code == "not_found"
    assert ann.get("/api/tables", list="open", cheat="1").code == "bad_message"
    assert ann.get("/api/tables", limit="100000").code == "bad_message"
    assert Reply(ann.http.get("/api/tables?limit=1&limit=2")).code == "bad_message"
    assert Reply(ann.http.post("/api/guest", content=b"name=x")).code == "bad_message"


def test_two_tables_do_not_feel_each_other(ann: Guest, bob: Guest) -> None:
    """One is stormed from many threads; the other's match goes on exactly."""
    stormed = ann.new_table(seats=["human", "hotseat"])["table"]["id"]
    quiet = bob.new_table(seats=["human", "hotseat"])["table"]["id"]
    stop = threading.Event()

    def storm() -> None:
        with ann.socket() as line:
            while not stop.is_set():
                line.ask("play", table=stormed, seat=0, ply=99, action="N1")

    threads = [threading.Thread(target=storm) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        for ply in range(1, 9):
            seat = bob.table(quiet)["view"]["actors"][0]
            view = bob.table(quiet, seat=seat)["view"]
            assert bob.must("play", quiet, seat=seat, ply=ply, action=view["actions"][0])["ply"] == ply + 1
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    assert ann.table(stormed)["view"]["ply"] == 1
