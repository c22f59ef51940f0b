"""By which addresses other devices open this server: a page that was opened on the server's own machine does not know."""

from __future__ import annotations

import socket
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import Scope

from regalia.server.protocol import Reach
from regalia.server.settings import Settings
from regalia.server.transport.auth import PORTS, address_of

EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 - compared


def reach(scope: Scope, settings: Settings) -> Reach:
    """Who asks from elsewhere already has an address that works, and learns of no other one."""
    headers = Headers(scope=scope)
    host = headers.get("host", "")
    here = f"{settings.scheme}://{host}"
    if not (is_this_machine(name_of(host)) and is_this_machine(address_of(scope, headers, settings))):
        return Reach(True, (here,))
    port = scope["server"][1]
    if settings.public:
        return Reach(True, tuple(whole(address, settings, port) for address in settings.public))
    if is_this_machine(settings.host):
        return Reach(False, in_network(port))
    if settings.host in EVERYWHERE:
        return Reach(True, in_network(port))
    return Reach(True, (f"http://{bracketed(settings.host)}:{port}",))


def base_for_others(scope: Scope, settings: Settings) -> str:
    """The beginning of a link that is given away."""
    found = reach(scope, settings)
    here = f"{settings.scheme}://{Headers(scope=scope).get('host', '')}"
    return found.addresses[0] if found.is_open and found.addresses else here


def whole(address: str, settings: Settings, port: int) -> str:
    """A public address as somebody types it; a bare name stands for this server at its own port, or behind a proxy."""
    if "//" in address:
        return address.rstrip("/")
    is_behind = settings.https or settings.is_behind_proxy or urlsplit(f"//{address}").port
    return f"{settings.scheme}://{address}" if is_behind else f"{settings.scheme}://{address}:{port}"


def in_network(port: int) -> tuple[str, ...]:
    return tuple(f"http://{bracketed(found)}:{port}" for found in network_addresses())


def network_addresses() -> list[str]:
    """The addresses under which the home network reaches this machine."""
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(
                ("192.0.2.1", PORTS["http"])
            )  # sends nothing; the system picks the outgoing address
            found = probe.getsockname()[0]
    except OSError:
        return []
    return [] if is_this_machine(found) else [found]


def bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def name_of(host: str) -> str:
    return urlsplit(f"//{host}").hostname or ""


def is_this_machine(name: str) -> bool:
    if name in ("localhost", "local") or name.endswith(".localhost"):
        return True
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return False
