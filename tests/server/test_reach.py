"""By which addresses other devices open the server: told to who sits at its own machine."""

from __future__ import annotations

from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest

from regalia.server.settings import LOOPBACK, Settings
from regalia.server.transport import qr, reach
from server.harness import Guest, running

LAN = "192.168.7.20"


@pytest.fixture(autouse=True)
def network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reach, "network_addresses", lambda: [LAN])


def asked(
    host: str = "127.0.0.1:8642",
    client: str = "127.0.0.1",
    via: str = "",
    at: str = "127.0.0.1",
    **settings: Any,
) -> tuple[bool, list[str]]:
    """What a request with such a Host header is told, from there, by a server that listens at such an address."""
    scope = {
        "type": "http",
        "headers": [(b"host", host.encode()), *([(b"x-forwarded-for", via.encode())] if via else [])],
        "client": (client, 50000),
        "server": ("127.0.0.1", 8642),
    }
    found = reach.reach(scope, Settings(Path("unused"), host=at, **settings))
    return found.is_open, list(found.addresses)


@pytest.mark.parametrize("host", ["127.0.0.1:8642", "localhost:8642", "[::1]:8642", "a.localhost:8642"])
def test_a_server_for_its_own_machine_says_what_it_could_be(host: str) -> None:
    assert asked(host) == (False, [f"http://{LAN}:8642"])


@pytest.mark.parametrize("everywhere", ["0.0.0.0", "::"])
def test_a_server_for_all_tells_the_address_in_the_network(everywhere: str) -> None:
    assert asked(at=everywhere) == (True, [f"http://{LAN}:8642"])


def test_an_address_of_the_network_is_its_own_invitation() -> None:
    assert asked(at="10.0.0.3") == (True, ["http://10.0.0.3:8642"])
    assert asked(at="fd00::3") == (True, ["http://[fd00::3]:8642"])


def test_the_public_address_goes_before_all_others() -> None:
    assert asked(at="127.0.0.1", public=("https://play.example.org/",), https=True) == (
        True,
        ["https://play.example.org"],
    )
    assert asked(at="0.0.0.0", public=("tower.local",)) == (True, ["http://tower.local:8642"])
    assert asked(at="0.0.0.0", public=("tower.local:80",)) == (True, ["http://tower.local:80"])
    assert asked(at="127.0.0.1", public=("tower.local",), proxies=LOOPBACK) == (True, ["http://tower.local"])


def test_who_comes_from_elsewhere_learns_of_no_other_address() -> None:
    assert asked("play.example.org", https=True) == (True, ["https://play.example.org"])
    assert asked(client="203.0.113.9") == (True, ["http://127.0.0.1:8642"])
    assert asked(via="203.0.113.9", proxies=LOOPBACK) == (True, ["http://127.0.0.1:8642"])


def test_without_a_network_there_is_no_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reach, "network_addresses", list)
    assert asked() == (False, [])
    assert asked(at="0.0.0.0") == (True, [])


def test_the_picture_of_an_invitation_is_for_other_devices(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts: list[str] = []
    draw = qr.qr_svg
    monkeypatch.setattr(qr, "qr_svg", lambda text: texts.append(text) or draw(text))
    with running(tmp_path, host="0.0.0.0") as server, Guest(server) as ann:
        table = ann.new_table()["table"]
        told = ann.get("/api/reach").json
        assert ann.get(f"/api/tables/{table['id']}/qr.svg").status == 200
    assert told == {"is_open": True, "addresses": [f"http://{LAN}:{server.port}"]}
    assert texts == [f"http://{LAN}:{server.port}/t/{table['id']}?invite={table['invite']}"]


def test_the_addresses_of_this_machine_are_those_of_a_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    for address in reach.network_addresses():
        assert not ip_address(address).is_loopback
