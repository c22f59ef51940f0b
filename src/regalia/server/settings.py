"""What the operator chooses."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, fields
from pathlib import Path

import platformdirs

from regalia.preparation import usable_cores


def data_folder() -> Path:
    """Where matches are kept: `REGALIA_DATA`, else the platform's place for a user's data."""
    named = os.environ.get("REGALIA_DATA")
    return Path(named) if named else Path(platformdirs.user_data_dir("regalia", appauthor=False))


def default_database() -> Path:
    return data_folder() / "regalia.sqlite3"


def database_at(place: str) -> Path | str:
    """A file, or the address of a database of PostgreSQL, which stays a text."""
    return place if place.startswith(("postgresql:", "postgres:")) else Path(place)


@dataclass(frozen=True)
class Rate:
    """So much at once; what was used comes back evenly, all of it within so many seconds."""

    amount: float
    seconds: float


@dataclass(frozen=True)
class Rates:
    """How often one caller may do what. The caller is the player, and the address of who is none yet."""

    request: Rate = Rate(300, 10)  # any HTTP request
    guest: Rate = Rate(30, 60)  # new guests, per address
    hashing: Rate = Rate(4, 1)  # of passwords, by everybody together
    refused: Rate = Rate(60, 60)  # wrong cookies and tokens, per address
    create: Rate = Rate(30, 60)  # new tables
    command: Rate = Rate(200, 10)
    chat: Rate = Rate(8, 10)
    hint: Rate = Rate(20, 10)
    work: Rate = Rate(1500, 10)  # positions worked out: of replays, previews, odds and uploaded texts
    review: Rate = Rate(30, 600)  # reviews asked for
    deep: Rate = Rate(3, 86_400)  # those of the highest level
    frame: Rate = Rate(300, 10)  # frames on one socket
    socket: Rate = Rate(60, 10)  # new sockets


UNLIMITED = Rates(*[Rate(1_000_000, 1)] * len(fields(Rates)))  # for load and tests


LOOPBACK = ("127.0.0.0/8", "::1/128")  # the networks of a proxy on the same machine


@dataclass(frozen=True)
class Settings:
    database: Path | str  # a file of SQLite, or the address of a database of PostgreSQL
    bot_threads: int = max(1, (os.cpu_count() or 2) - 1)
    compilers: int = (
        usable_cores()
    )  # processes that compile what is not in the cache; 0: it compiles at first use
    study_workers: int = 1  # processes of low priority that review and analyse; 0: none
    study_addresses: tuple[str, ...] = ()  # of such that serve several processes and that another one started
    bot_limit_s: float = 20.0  # a bot that thinks longer is given up
    bot_pause_s: float = 0.4  # so that people see what a bot does
    away_s: float = 300.0  # without a clock: who keeps the others waiting and is gone so long may be replaced
    open_h: float = 24.0  # an open table nobody joins leaves the list after so long; its link goes on working
    idle_s: float = 60.0  # a table nobody looks at leaves memory after so long
    most_loaded: int = 2000  # tables in memory that nobody looks at
    silent_s: float = 30.0  # a socket that says nothing for so long is closed
    slow_s: float = 20.0  # a frame that takes so long to send ends its socket
    most_sockets: int = 5000
    most_sockets_per_address: int = 500
    most_cards: int = 100  # pictures beside links, of some 150 kB each
    most_connections_per_address: int = 200  # besides sockets; behind a proxy requests under way
    most_watched: int = 64  # tables per socket
    host: str = "127.0.0.1"  # the address it listens at
    public: tuple[str, ...] = ()  # addresses by which others reach it, as the operator wrote them
    https: bool = False  # pages are reached by https, through a proxy
    names: frozenset[str] = frozenset()  # under which the server is reached, besides those of its own machine
    origins: frozenset[str] = frozenset()  # pages of other sites that may talk to this server
    proxies: tuple[str, ...] = ()  # networks of the proxies whose X-Forwarded-For is believed
    admin: str = ""  # host:port, where the operator reaches the first process of this machine
    rates: Rates = field(default_factory=Rates)

    @property
    def is_behind_proxy(self) -> bool:
        return bool(self.proxies)

    @property
    def scheme(self) -> str:
        return "https" if self.https else "http"
