"""Accounts: a guest adds a key and stays the same player; signing in elsewhere, proving it again, being guessed at."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from regalia.server.people.common_passwords import is_common
from regalia.server.people.names import name_key
from regalia.server.people.passkeys import site_of
from regalia.server.people.passwords import HASHER, NOBODYS
from regalia.server.settings import LOOPBACK, UNLIMITED, Rate
from server.authenticator import Authenticator
from server.harness import SEED, Guest, Reply, running
from server.simulator import World

PASSWORD = "violet teapot 41 harbour"
HOST = "localhost:8000"
ORIGIN = f"http://{HOST}"


@pytest.fixture
def world() -> Iterator[World]:
    with World() as world:
        yield world


def browser(world: World, name: str | None = None, address: str = "") -> Guest:
    """At an address under which there are passkeys."""
    headers = {"host": HOST, **({"x-forwarded-for": address} if address else {})}
    return Guest(world, name, headers)


def become(guest: Guest, name: str = "Ann", **key: Any) -> str:
    """An account with a password; returns the recovery code."""
    begun = guest.post("/api/account/begin", {"name": name})
    assert begun.status == 200, begun.text
    made = guest.post("/api/account", {"asked": begun.json["asked"], **(key or {"password": PASSWORD})})
    assert made.status == 200, made.text
    assert made.json["is_guest"] is False
    code: str = begun.json["recovery"]
    return code


def sign_in(guest: Guest, name: str = "Ann", password: str = PASSWORD, **more: Any) -> Reply:
    return guest.post("/api/sign_in/password", {"name": name, "password": password, **more})


def account(guest: Guest) -> dict[str, Any]:
    facts: dict[str, Any] = guest.get("/api/account").json
    return facts


def kinds(guest: Guest) -> list[str]:
    return sorted(way["kind"] for way in account(guest)["credentials"])


# --- Becoming one ---


def test_a_guest_with_a_password_is_the_same_player_with_the_same_tables(world: World) -> None:
    ann = browser(world, "Ann")
    table = ann.new_table(seats=["human", "bot"])["table"]["id"]
    assert account(ann) | {"created_ms": 0, "fresh_ms": 0} == {
        "player": {"id": ann.id, "name": "Ann", "is_guest": True},
        "created_ms": 0,
        "matches": 1,
        "credentials": [],
        "fresh_ms": 0,
        "has_passkeys": True,
    }
    become(ann)
    assert ann.get("/api/me").json == {"id": ann.id, "name": "Ann", "is_guest": False}
    assert kinds(ann) == ["password", "recovery"]
    phone = browser(world)
    signed = sign_in(phone)
    assert signed.json == {
        "player": {"id": ann.id, "name": "Ann", "is_guest": False},
        "brought": 0,
        "recovery": "",
    }
    listed = phone.get("/api/tables", list="mine").json["tables"]
    assert [line["id"] for line in listed] == [table]
    assert phone.table(table, seat=0)["table"]["seats"][0]["is_yours"] is True
    assert [facts["via"] for facts in phone.get("/api/me/sessions").json] == ["password", "password"]


def test_a_passkey_makes_an_account_and_signs_in_without_a_name(world: World) -> None:
    ann, stick = browser(world, "Ann"), Authenticator(ORIGIN)
    begun = ann.post("/api/account/begin", {"name": "Ann"}).json
    made = ann.post("/api/account", {"asked": begun["asked"], "passkey": stick.create(begun["passkey"])})
    assert made.json["is_guest"] is False
    phone = browser(world)
    for _ in range(2):
        asked = phone.post("/api/sign_in/passkey/begin", None).json
        answer = {"asked": asked["asked"], "passkey": stick.get(asked["options"])}
        assert phone.post("/api/sign_in/passkey", answer).json["player"]["id"] == ann.id
        assert phone.post("/api/sign_in/passkey", answer).code == "expired"


def test_a_passkey_that_is_not_ours_or_signs_something_else_is_refused(world: World) -> None:
    ann, stick, other = browser(world, "Ann"), Authenticator(ORIGIN), Authenticator(ORIGIN)
    begun = ann.post("/api/account/begin", {"name": "Ann"}).json
    foreign = Authenticator("http://evil.example")
    for wrong in (foreign.create(begun["passkey"]), {"id": "x"}, {}, {"response": {"clientDataJSON": 1}}):
        assert ann.post("/api/account", {"asked": begun["asked"], "passkey": wrong}).code == "wrong_proof"
    become_with = {"asked": begun["asked"], "passkey": stick.create(begun["passkey"])}
    assert ann.post("/api/account", become_with).status == 200
    eve = browser(world)
    asked, another = (eve.post("/api/sign_in/passkey/begin", None).json for _ in range(2))
    for key in (other, stick):
        answer = key.get(another["options"])
        assert (
            eve.post("/api/sign_in/passkey", {"asked": asked["asked"], "passkey": answer}).code
            == "wrong_proof"
        )
    right = stick.get(asked["options"])
    forged = {**right, "response": {**right["response"], "signature": "AAAA"}}
    assert (
        eve.post("/api/sign_in/passkey", {"asked": asked["asked"], "passkey": forged}).code == "wrong_proof"
    )
    world.tick(301)
    assert eve.post("/api/sign_in/passkey", {"asked": asked["asked"], "passkey": right}).code == "expired"


def test_a_copied_passkey_is_noticed_by_its_count(world: World) -> None:
    ann, stick = browser(world, "Ann"), Authenticator(ORIGIN)
    begun = ann.post("/api/account/begin", {"name": "Ann"}).json
    ann.post("/api/account", {"asked": begun["asked"], "passkey": stick.create(begun["passkey"])})
    stick.count = 5

    def used() -> Reply:
        asked = ann.post("/api/sign_in/passkey/begin", None).json
        return browser(world).post(
            "/api/sign_in/passkey", {"asked": asked["asked"], "passkey": stick.get(asked["options"])}
        )

    ann = browser(world)
    assert used().status == 200
    stick.count = 3
    assert used().code == "wrong_proof"


@pytest.mark.parametrize(
    "scheme, host, site",
    [
        ("https", "play.example.org", "play.example.org"),
        ("https", "play.example.org:8443", "play.example.org"),
        ("http", "localhost:8000", "localhost"),
        ("http", "play.example.org", None),
        ("http", "192.168.1.5:8000", None),
        ("https", "192.168.1.5", None),
        ("http", "[::1]:8000", None),
        ("http", "127.0.0.1:8000", None),
    ],
)
def test_passkeys_are_offered_where_browsers_have_them(scheme: str, host: str, site: str | None) -> None:
    found = site_of(scheme, host)
    assert (found.rp_id if found else None) == site
    assert found is None or found.origin == f"{scheme}://{host}"


def test_without_passkeys_at_the_address_none_is_offered_or_taken(world: World) -> None:
    ann = Guest(world, "Ann", {"host": "127.0.0.1"})
    begun = ann.post("/api/account/begin", {"name": "Ann"}).json
    assert begun["passkey"] is None
    assert ann.post("/api/account", {"asked": begun["asked"], "passkey": {}}).code == "no_passkeys"
    assert ann.post("/api/sign_in/passkey/begin", None).code == "no_passkeys"
    assert account(ann)["has_passkeys"] is False


def test_what_was_begun_is_used_once_and_not_for_ever(world: World) -> None:
    ann = browser(world, "Ann")
    first = ann.post("/api/account/begin", {"name": "Ann"}).json["asked"]
    second = ann.post("/api/account/begin", {"name": "Anna"}).json["asked"]
    assert ann.post("/api/account", {"asked": first, "password": PASSWORD}).code == "expired"
    world.tick(3601)
    assert ann.post("/api/account", {"asked": second, "password": PASSWORD}).code == "expired"
    become(ann)
    assert ann.post("/api/account/begin", {"name": "Ann"}).code == "wrong_phase"
    assert ann.post("/api/account", {"asked": second, "password": PASSWORD}).code == "wrong_phase"


def test_nobody_uses_what_another_has_begun(world: World) -> None:
    ann, eve = browser(world, "Ann"), browser(world, "Eve")
    asked = ann.post("/api/account/begin", {"name": "Ann"}).json["asked"]
    assert eve.post("/api/account", {"asked": asked, "password": PASSWORD}).code == "expired"


def test_the_whole_way_on_a_real_database(database: Path | str, tmp_path: Path) -> None:
    with running(tmp_path, database=database) as server:
        host = {"host": f"localhost:{server.port}"}
        stick = Authenticator(f"http://localhost:{server.port}")
        with Guest(server, "Ann") as ann, Guest(server, "Tablet") as tablet, Guest(server, None) as eve:
            code = become(ann)
            table = tablet.new_table(seats=["human", "bot"])["table"]["id"]
            assert sign_in(eve, password="wrong 99 words here").code == "wrong_proof"
            assert sign_in(tablet, bring=True).json["brought"] == 1
            assert ann.table(table, seat=0)["table"]["seats"][0]["is_yours"] is True
            assert eve.post("/api/sign_in/recovery", {"name": "Ann", "code": code}).json["recovery"] != code
            tablet.http.headers.update(host)
            begun = tablet.post("/api/account/passkey/begin", None).json
            answer = {"asked": begun["asked"], "passkey": stick.create(begun["options"])}
            assert tablet.post("/api/account/passkey", answer).status == 200
            assert kinds(ann) == ["passkey", "password", "recovery"]
            with Guest(server, None, host) as phone:
                asked = phone.post("/api/sign_in/passkey/begin", None).json
                answer = {"asked": asked["asked"], "passkey": stick.get(asked["options"])}
                assert phone.post("/api/sign_in/passkey", answer).json["player"]["id"] == ann.id
                assert phone.post("/api/sign_in/passkey", answer).code == "expired"
            for _ in range(5):
                sign_in(eve, "Nobody")
            assert sign_in(eve, "Nobody").code == "too_fast"
            assert len(ann.get("/api/me/sessions").json) == 4


def test_whoever_shared_the_session_of_the_guest_has_none_of_the_account(world: World) -> None:
    ann, eve = browser(world, "Ann"), browser(world)
    eve.http.cookies.update(ann.http.cookies)
    assert eve.get("/api/me").json["id"] == ann.id
    with eve.socket() as line:
        become(ann)
        assert line.receive("gone")["reason"] == "signed_out"
    assert eve.get("/api/account").code == "bad_credentials"
    assert ann.get("/api/me").status == 200


# --- Names ---


def test_a_name_belongs_to_one_account_however_it_is_written(world: World) -> None:
    ann, eve = browser(world, "Ann"), browser(world, "Ann")
    become(ann, "Rosalind")
    for name in ("Rosalind", "ROSALIND", " rosa lind ", "Rоsalind", "Ｒosalind", "RosaIind", "R0salind"):
        assert eve.post("/api/account/begin", {"name": name}).code == "name_taken", name
    begun = eve.post("/api/account/begin", {"name": "Eve"}).json["asked"]
    assert Reply(ann.http.patch("/api/me", json={"name": "Eve"})).status == 200
    refused = eve.post("/api/account", {"asked": begun, "password": PASSWORD})
    assert refused.code == "name_taken"
    assert eve.get("/api/me").json["is_guest"] is True
    become(eve, "Rosalind")
    assert Reply(ann.http.patch("/api/me", json={"name": "rosalind"})).code == "name_taken"
    assert ann.get("/api/me").json["name"] == "Eve"


def test_a_guest_may_have_any_name_and_is_marked(world: World) -> None:
    ann, eve = browser(world, "Ann"), browser(world, "Eve")
    become(ann, "Ann")
    assert Reply(eve.http.patch("/api/me", json={"name": "Ann"})).json["is_guest"] is True
    table = ann.new_table(seats=["human", "open"])["table"]["id"]
    eve.must("sit", table, seat=1, seed=SEED)
    assert [seat["is_guest"] for seat in eve.table(table)["table"]["seats"]] == [False, True]
    world.restart()
    assert [seat["is_guest"] for seat in eve.table(table)["table"]["seats"]] == [False, True]


def test_names_of_different_people_stay_different() -> None:
    names = [
        "Ann",
        "Anna",
        "Bob",
        "Bert",
        "Käthe",
        "Kathe",
        "Łukasz",
        "Zoë",
        "李",
        "王",
        "Олег",
        "Мария",
        "Person 1",
        "Person 3",
        "Person 6",
        "Eric",
        "Ulf",
        "👩‍🚀",
        "🎲",
    ]
    assert len({name_key(name) for name in names}) == len(names)
    for one, other in (("modern", "modem"), ("Вера", "вера"), ("Boris", "Вoris"), ("Ilse", "llse")):
        assert name_key(one) == name_key(other)


# --- Passwords ---


@pytest.mark.parametrize(
    "password",
    [
        "password",
        "Passw0rd!",
        "p@ssword1234",
        "12345678",
        "1234567890ab",
        "qwertyuiop",
        "qwertz123",
        "asdfghjkl1",
        "abcdefgh",
        "aaaaaaaaaaaa",
        "abababababab",
        "abc123abc123",
        "hallo123",
        "Sommer2025!",
        "ichliebedich",
        "iloveyou2",
        "wachtwoord1",
        "24.12.1987",
        "0171234567",
        "dragon!!dragon",
        "sunshine99",
        "monkeyking",
        "1q2w3e4r5t",
        "1qaz2wsx",
        "zxcvbnm,",
        "Regalia2026",
        "rosalind99",
        "Rosalind!Rosalind",
    ],
)
def test_a_password_that_would_be_guessed_first_is_refused(password: str) -> None:
    assert is_common(password, "Rosalind", "regalia")


@pytest.mark.parametrize(
    "password",
    [
        PASSWORD,
        "correct horse battery staple",
        "xK9#mQ2v",
        "die gelbe Ente tanzt",
        "Wq7-rt-Plv",
        "ζωή και φως",
        "t7Hg2kLp",
    ],
)
def test_a_password_nobody_would_try_is_taken(password: str) -> None:
    assert not is_common(password, "Rosalind", "regalia")


def test_passwords_are_bounded_and_weak_ones_refused_before_anything_is_computed(world: World) -> None:
    ann = browser(world, "Ann")
    asked = ann.post("/api/account/begin", {"name": "Rosalind"}).json["asked"]
    computed = world.services.passwords.computed
    longest = " ".join(str(number * number) for number in range(90))[:256]
    for password in ("short12", f"{longest}!", "password1", "Rosalind77"):
        assert ann.post("/api/account", {"asked": asked, "password": password}).code == "weak_password"
    assert world.services.passwords.computed == computed
    assert ann.post("/api/account", {"asked": asked, "password": longest}).status == 200


def test_what_is_kept_of_a_password_is_argon2id_with_one_lane(world: World) -> None:
    ann = browser(world, "Ann")
    become(ann)
    [row] = world.run(world.store.rows("credentials", {"kind": "password"}))
    assert row["data"].startswith(b"$argon2id$v=19$m=47104,t=1,p=1$")
    assert not HASHER.check_needs_rehash(NOBODYS)
    old = HASHER.__class__(time_cost=1, memory_cost=8, parallelism=1).hash(PASSWORD)
    row["data"] = old.encode()
    assert sign_in(browser(world)).status == 200
    [row] = world.run(world.store.rows("credentials", {"kind": "password"}))
    assert b"m=47104" in row["data"]


def test_letters_composed_in_another_way_are_the_same_password(world: World) -> None:
    become(browser(world, "Ann"), password="gru\u0308ne Wege 77 zur See")
    assert sign_in(browser(world), password="gr\u00fcne Wege 77 zur See").status == 200


def test_only_so_many_hashes_a_second_are_computed_for_everybody_together() -> None:
    with World(rates=replace(UNLIMITED, hashing=Rate(4, 1))) as world:
        become(browser(world, "Ann"))
        world.tick(60)
        names = [f"person {number}" for number in range(20)]
        answers = [sign_in(browser(world), name) for name in names]
        assert [answer.code for answer in answers] == ["wrong_proof"] * 4 + ["too_fast"] * 16
        assert answers[-1].headers["retry-after"]
        world.tick(0.25)
        assert sign_in(browser(world)).status == 200


# --- The same for known and unknown ---


def test_a_known_and_an_unknown_name_take_the_same_way(world: World) -> None:
    become(browser(world, "Ann"))
    passwords = world.services.passwords
    asked: list[str] = []
    rows = world.store.rows

    async def counted(table: str, where: Any, since: Any = None) -> Any:
        asked.append(table)
        return await rows(table, where, since)

    world.store.rows = counted  # type: ignore[method-assign]
    ways = []
    for name in ("Ann", "Nobody"):
        asked.clear()
        computed = passwords.computed
        answer = sign_in(browser(world), name, "wrong 1234 horse")
        ways.append((answer.status, answer.text, list(asked), passwords.computed - computed))
    assert ways[0] == ways[1]
    assert ways[0][3] == 1


# --- Guessing ---


@pytest.fixture
def proxied() -> Iterator[World]:
    with World(proxies=LOOPBACK) as world:
        yield world


def test_guessing_a_name_from_one_network_ends_and_strangers_lock_nobody_out(proxied: World) -> None:
    ann = browser(proxied, "Ann", "198.51.100.7")
    become(ann)
    assert sign_in(ann).status == 200
    eves = [browser(proxied, None, f"203.0.113.{number}") for number in range(1, 8)]
    codes = [sign_in(eve, password=f"wrong guess {number} !").code for number, eve in enumerate(eves)]
    assert codes == ["wrong_proof"] * 5 + ["too_fast"] * 2
    assert sign_in(browser(proxied, None, "198.51.100.9")).status == 200
    neighbour = browser(proxied, None, "203.0.113.99")
    assert sign_in(neighbour).code == "too_fast"
    same_house = browser(proxied, None, "203.0.113.99")
    same_house.http.cookies = ann.http.cookies
    assert sign_in(same_house).status == 200
    proxied.tick(61)
    assert sign_in(neighbour).status == 200


def test_guessing_goes_no_faster_slowly(proxied: World) -> None:
    become(browser(proxied, "Ann", "198.51.100.7"))
    eve = browser(proxied, None, "203.0.113.1")
    codes = []
    for number in range(30):
        codes.append(sign_in(eve, password=f"wrong guess {number} !").code)
        proxied.tick(13)
    assert codes.count("wrong_proof") == 20
    refused = sign_in(eve)
    assert refused.code == "too_fast"
    assert int(refused.json["error"]["values"]["seconds"]) > 60


def test_an_address_has_so_many_tries_whatever_the_names(proxied: World) -> None:
    eve = browser(proxied, None, "2001:db8:1:2::1")
    codes = [sign_in(eve, f"name {number}").code for number in range(35)]
    assert codes == ["wrong_proof"] * 30 + ["too_fast"] * 5


def test_budgets_outlive_a_restart_and_name_nobody(proxied: World) -> None:
    eve = browser(proxied, None, "203.0.113.1")
    for _ in range(5):
        sign_in(eve, "Rosalind")
    proxied.restart()
    assert sign_in(eve, "Rosalind").code == "too_fast"
    rows = proxied.run(proxied.store.rows("attempts", {}))
    assert rows
    assert "203.0" not in str(rows)
    assert "osalind" not in str(rows)


def test_new_accounts_of_one_address_are_few(proxied: World) -> None:
    for number in range(10):
        become(browser(proxied, "G", "203.0.113.1"), f"Person number {number}")
    eleventh = browser(proxied, "G", "203.0.113.1")
    asked = eleventh.post("/api/account/begin", {"name": "One more"}).json["asked"]
    assert eleventh.post("/api/account", {"asked": asked, "password": PASSWORD}).code == "too_fast"


# --- Recovery ---


def test_the_recovery_code_is_good_once_and_replaced(world: World) -> None:
    ann = browser(world, "Ann")
    code = become(ann)
    assert len(code.replace(" ", "")) == 24
    typed = code.lower().replace(" ", "-")
    phone = browser(world)
    signed = phone.post("/api/sign_in/recovery", {"name": "ann", "code": typed})
    assert signed.json["player"]["id"] == ann.id
    following = signed.json["recovery"]
    assert phone.post("/api/sign_in/recovery", {"name": "Ann", "code": code}).code == "wrong_proof"
    assert phone.post("/api/account/password", {"password": "another 5 good words"}).status == 200
    assert sign_in(browser(world)).code == "wrong_proof"
    assert sign_in(browser(world), password="another 5 good words").status == 200
    world.tick(3601)
    assert browser(world).post("/api/sign_in/recovery", {"name": "Ann", "code": following}).status == 200


def test_recovery_is_tried_three_times_an_hour(proxied: World) -> None:
    code = become(browser(proxied, "Ann", "198.51.100.7"))
    eve = browser(proxied, None, "203.0.113.1")
    wrong = {"name": "Ann", "code": "AAAA " * 6}
    assert [eve.post("/api/sign_in/recovery", wrong).code for _ in range(4)] == ["wrong_proof"] * 3 + [
        "too_fast"
    ]
    unknown = browser(proxied, None, "203.0.114.1").post("/api/sign_in/recovery", {**wrong, "name": "Nobody"})
    assert unknown.code == "wrong_proof"
    assert (
        browser(proxied, None, "198.51.100.8")
        .post("/api/sign_in/recovery", {"name": "Ann", "code": code})
        .status
        == 200
    )


def test_a_new_code_makes_the_old_one_void(world: World) -> None:
    ann = browser(world, "Ann")
    old = become(ann)
    new = ann.post("/api/account/recovery", None).json["code"]
    assert browser(world).post("/api/sign_in/recovery", {"name": "Ann", "code": old}).code == "wrong_proof"
    assert browser(world).post("/api/sign_in/recovery", {"name": "Ann", "code": new}).status == 200


# --- Showing it again ---


def test_sensitive_things_need_a_proof_of_the_last_ten_minutes(world: World) -> None:
    ann, stick = browser(world, "Ann"), Authenticator(ORIGIN)
    become(ann)
    assert ann.post("/api/tokens", {"label": "bot"}).status == 200
    world.tick(601)
    acts: list[tuple[str, Any]] = [
        ("/api/account/password", {"password": "another 5 good words"}),
        ("/api/account/passkey/begin", None),
        ("/api/account/recovery", None),
        ("/api/tokens", {"label": "bot"}),
    ]
    assert [ann.post(path, body).code for path, body in acts] == ["proof"] * 4
    way = account(ann)["credentials"][0]["id"]
    assert Reply(ann.http.delete(f"/api/account/credentials/{way}")).code == "proof"
    assert ann.post("/api/account/proof", {"password": "wrong 99 words here"}).code == "wrong_proof"
    assert ann.post("/api/account/proof", {"password": PASSWORD}).status == 200
    begun = ann.post("/api/account/passkey/begin", None).json
    added = ann.post(
        "/api/account/passkey", {"asked": begun["asked"], "passkey": stick.create(begun["options"])}
    )
    assert kinds(ann) == ["passkey", "password", "recovery"], added.text
    world.tick(601)
    assert ann.post("/api/account/recovery", None).code == "proof"
    asked = ann.post("/api/sign_in/passkey/begin", None).json
    proof = {"asked": asked["asked"], "passkey": stick.get(asked["options"])}
    assert ann.post("/api/account/proof", proof).status == 200
    assert ann.post("/api/account/recovery", None).status == 200


def test_anothers_passkey_proves_nothing(world: World) -> None:
    ann, eve, stick = browser(world, "Ann"), browser(world, "Eve"), Authenticator(ORIGIN)
    become(ann)
    begun = eve.post("/api/account/begin", {"name": "Eve"}).json
    eve.post("/api/account", {"asked": begun["asked"], "passkey": stick.create(begun["passkey"])})
    asked = ann.post("/api/sign_in/passkey/begin", None).json
    proof = {"asked": asked["asked"], "passkey": stick.get(asked["options"])}
    assert ann.post("/api/account/proof", proof).code == "wrong_proof"


def test_the_last_way_to_sign_in_stays(world: World) -> None:
    ann, stick = browser(world, "Ann"), Authenticator(ORIGIN)
    become(ann)
    ways = {way["kind"]: way["id"] for way in account(ann)["credentials"]}
    for kind in ("password", "recovery"):
        refused = Reply(ann.http.delete(f"/api/account/credentials/{ways[kind]}"))
        assert refused.code == ("last_way" if kind == "password" else "not_found")
    begun = ann.post("/api/account/passkey/begin", None).json
    ann.post("/api/account/passkey", {"asked": begun["asked"], "passkey": stick.create(begun["options"])})
    assert Reply(ann.http.delete(f"/api/account/credentials/{ways['password']}")).status == 200
    assert kinds(ann) == ["passkey", "recovery"]
    assert sign_in(browser(world)).code == "wrong_proof"


def test_a_token_of_an_account_makes_no_tokens_and_sees_no_account(world: World) -> None:
    ann = browser(world, "Ann")
    become(ann)
    token = ann.post("/api/tokens", {"label": "bot"}).json["token"]
    program = Guest(world, None, {"authorization": f"Bearer {token}", "host": HOST})
    assert program.post("/api/tokens", {"label": "more"}).code == "browser_only"
    assert program.get("/api/account").code == "browser_only"
    assert sign_in(program).code == "browser_only"


# --- Bringing matches along ---


def test_the_matches_of_a_guest_come_along_and_go_on(world: World) -> None:
    ann, bob = browser(world, "Ann"), browser(world, "Bob")
    become(ann)
    tablet = browser(world, "Tablet")
    token = tablet.post("/api/tokens", {"label": "bot"}).json["token"]
    ended = tablet.new_table(seats=["human", "hotseat"])["table"]["id"]
    tablet.must("resign", ended, seat=0)
    running = tablet.new_table(seats=["human", "open"], is_public=False)["table"]
    bob.must("sit", running["id"], seat=1, invite=running["invite"], seed=SEED)
    guest_id = tablet.id
    log_before = world.log(running["id"])
    assert sign_in(tablet, bring=True).json["brought"] == 2
    assert tablet.get("/api/me").json["id"] == ann.id
    for device in (ann, tablet):
        listed = device.get("/api/tables", list="mine").json["tables"]
        assert {line["id"] for line in listed} == {ended, running["id"]}
        shown = device.table(running["id"], seat=0)
        assert shown["table"]["seats"][0]["is_yours"] is True
    assert world.log(running["id"]) == log_before
    with tablet.socket() as line:
        shown = line.watch(running["id"], 0)
        seat = 0 if shown["view"]["actions"] else None
        if seat is None:
            theirs = bob.table(running["id"], seat=1)
            bob.must("play", running["id"], seat=1, seq=theirs["seq"], action=theirs["view"]["actions"][0])
            shown = line.receive("update")
        action = shown["view"]["actions"][0]
        answer = line.ask("play", table=running["id"], seat=0, seq=shown["seq"], action=action)
        assert answer["type"] == "ack"
    assert world.log(running["id"])[-1].player == guest_id
    program = Guest(world, None, {"authorization": f"Bearer {token}"})
    assert program.get("/api/me").status == 401
    world.restart()
    assert ann.table(running["id"], seat=0)["table"]["seats"][0]["is_yours"] is True


def test_nobody_brings_along_the_other_side_of_a_running_match(world: World) -> None:
    ann, guest = browser(world, "Ann"), browser(world, "Guest")
    become(ann)
    table = ann.new_table(seats=["human", "open"])["table"]["id"]
    guest.must("sit", table, seat=1, seed=SEED)
    assert sign_in(guest, bring=True).json["brought"] is None
    assert guest.get("/api/tables", list="mine").json["tables"][0]["id"] == table
    assert guest.table(table, seat=0)["table"]["seats"][1]["is_yours"] is False


def test_without_the_wish_nothing_comes_along_and_the_old_session_ends(world: World) -> None:
    become(browser(world, "Ann"))
    guest = browser(world, "Guest")
    guest.new_table(seats=["human", "bot"])
    with guest.socket() as line:
        assert sign_in(guest).json["brought"] == 0
        assert line.receive("gone")["reason"] == "signed_out"
    assert guest.get("/api/tables", list="mine").json["tables"] == []


def test_an_account_brings_no_account_along(world: World) -> None:
    become(browser(world, "Ann"))
    bob = browser(world, "Bob")
    become(bob, "Bob")
    assert sign_in(bob, bring=True).json["brought"] == 0
    assert world.run(world.store.rows("aliases", {})) == []
