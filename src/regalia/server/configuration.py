"""What an operator sets by the environment: every option of `regalia serve`, as REGALIA_ and its name.

What is secret may be in a file instead, named by the variable with _FILE at its end: so it is in no list of processes,
and systemd and containers can hand it over.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, MutableMapping
from dataclasses import dataclass
from ipaddress import ip_network
from pathlib import Path
from urllib.parse import urlsplit

PREFIX = "REGALIA_"
FILE = "_FILE"
HIDDEN = "(hidden)"
LEVELS = ("debug", "info", "warning", "error")
WITH_PASSWORD = re.compile(r"(?<=:)[^:/@]+(?=@)")

Check = Callable[[str], bool]  # whether a value can be used


@dataclass(frozen=True)
class Variable:
    name: str  # without the prefix
    meaning: str
    default: str = ""
    is_right: Check = lambda _: True
    is_secret: bool = False


@dataclass(frozen=True)
class Mistake:
    """A locale key with its values says what is wrong."""

    key: str
    values: dict[str, object]


def is_number(first: int, last: int) -> Check:
    return lambda text: text.isascii() and text.isdigit() and first <= int(text) <= last


def is_seconds(text: str) -> bool:
    try:
        return 0 <= float(text) <= 10
    except ValueError:
        return False


def is_networks(text: str) -> bool:
    try:
        return bool([ip_network(part.strip(), strict=False) for part in text.split(",")])
    except ValueError:
        return False


def is_address(text: str) -> bool:
    host, _, port = text.rpartition(":")
    return bool(host) and port.isascii() and port.isdigit() and int(port) < 65536


def is_switch(text: str) -> bool:
    return text.lower() in ("0", "1", "true", "false", "yes", "no", "on", "off")


def are_addresses(text: str) -> bool:
    try:
        parts = [urlsplit(part) for part in text.split()]
    except ValueError:
        return False
    return bool(parts) and all(part.scheme in ("http", "https") and part.hostname for part in parts)


VARIABLES = (
    Variable("HOST", "the address to listen at", "127.0.0.1"),
    Variable("PORT", "the port to listen at", "8642", is_number(0, 65535)),
    Variable("DATABASE", "a file, or postgresql://user@host/name", is_secret=True),
    Variable("DATA", "the folder of the database's file"),
    Variable("CACHE", "the folder of compiled code"),
    Variable("WORKERS", "processes that serve", "1", is_number(1, 64)),
    Variable("PUBLIC", "addresses by which others reach it, with spaces between", "", are_addresses),
    Variable("HTTPS", "pages are reached by https", "0", is_switch),
    Variable("TRUSTED_PROXIES", "addresses or networks, with commas between", "", is_networks),
    Variable("ADMIN", "host:port, where the operator asks each process", "", is_address),
    Variable("LOG", "debug, info, warning or error", "warning", LEVELS.__contains__),
    Variable("BOT_PAUSE", "seconds a bot waits before it acts", "0.4", is_seconds),
)
KNOWN = {PREFIX + variable.name: variable for variable in VARIABLES}


def read_files(environ: MutableMapping[str, str]) -> list[Mistake]:
    """Put what the files say into the environment, as if it had been there."""
    mistakes = []
    for name, variable in KNOWN.items():
        path = environ.get(name + FILE)
        if not path or not variable.is_secret:
            continue
        try:
            secret = Path(path).read_text("utf-8").strip()
        except (OSError, UnicodeDecodeError):
            mistakes.append(Mistake("server.cli.no_secret", {"name": name + FILE, "path": path}))
            continue
        if environ.setdefault(name, secret) != secret:
            mistakes.append(Mistake("server.cli.set_twice", {"name": name, "file": name + FILE}))
    return mistakes


def mistakes_in(environ: Mapping[str, str]) -> list[Mistake]:
    """One for each name that nothing reads, and each value that cannot be used."""
    known = (
        set(KNOWN)
        | {name + FILE for name, variable in KNOWN.items() if variable.is_secret}
        | used_elsewhere()
    )
    found = [
        Mistake("server.cli.unknown_name", {"name": name})
        for name in sorted(environ)
        if name.startswith(PREFIX) and name not in known
    ]
    for name, variable in KNOWN.items():
        value = environ.get(name, "")
        if value and not variable.is_right(value):
            found.append(
                Mistake("server.cli.wrong_value", {"name": name, "value": value, "meaning": variable.meaning})
            )
    workers = environ.get(PREFIX + "WORKERS", "1")
    database = environ.get(PREFIX + "DATABASE", "")
    if workers.isdigit() and int(workers) > 1 and not database.startswith(("postgresql:", "postgres:")):
        found.append(Mistake("server.cli.one_worker", {}))
    return found


def used_elsewhere() -> set[str]:
    """Names that other parts of the program read."""
    package = Path(__file__).parents[1]
    texts: Iterable[str] = (path.read_text("utf-8") for path in package.rglob("*.py"))
    return {name for text in texts for name in re.findall(rf'"({PREFIX}[A-Z_]+)"', text)}


def effective(environ: Mapping[str, str]) -> list[tuple[str, str, str]]:
    """Every variable with its value and where that comes from; of a secret only that there is one."""
    lines = []
    for name, variable in KNOWN.items():
        source = "default"
        if name in environ:
            source = "file" if name + FILE in environ else "environment"
        value = environ.get(name, variable.default)
        lines.append((name, shown(value) if variable.is_secret else value, source))
    return lines


def shown(value: str) -> str:
    """A secret that is an address may be shown without its password; a file's name is none."""
    return WITH_PASSWORD.sub(HIDDEN, value) if "://" in value or os.sep in value or not value else HIDDEN
