"""What whoever runs the server may choose."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, fields
from pathlib import Path

import platformdirs


def data_folder() -> Path:
    """Where matches are kept: `REGALIA_DATA`, else the platform's place for a user's data."""
    named = os.environ.get("REGALIA_DATA")
    return Path(named) if named else Path(platformdirs.user_data_dir("regalia", appauthor=False))


def default_database() -> Path:
    return data_folder() / "regalia.sqlite3"


@dataclass(frozen=True)
class Rates:
    """How often one caller may do what, in the words of `limits` ("5 per 10 seconds")."""

    request: str = "300 per 10 seconds"  # any HTTP request, per address
    guest: str = "30 per minute"  # new guests, per address
    refused: str = "60 per minute"  # wrong cookies and tokens, per address
    create: str = "30 per minute"  # new tables, per player
    command: str = "200 per 10 seconds"  # per player
    chat: str = "8 per 10 seconds"  # per player
    hint: str = "20 per 10 seconds"  # per player
    look: str = "200 per 10 seconds"  # previews, odds and replays, per player or address
    frame: str = "300 per 10 seconds"  # frames on one socket
    socket: str = "60 per 10 seconds"  # new sockets, per address


UNLIMITED = Rates(*["1000000 per second"] * len(fields(Rates)))  # for load and tests


@dataclass(frozen=True)
class Settings:
    database: Path
    bot_threads: int = max(1, (os.cpu_count() or 2) - 1)
    bot_limit_s: float = 20.0  # a bot that thinks longer is given up
    bot_pause_s: float = 0.4  # so that people see what a bot does
    away_s: float = 60.0  # someone gone so long may be replaced by a bot
    open_h: float = 24.0  # an open table nobody joins leaves the list after so long; its link goes on working
    idle_s: float = 60.0  # a table nobody looks at leaves memory after so long
    most_loaded: int = 2000  # tables in memory that nobody looks at
    silent_s: float = 30.0  # a socket that says nothing for so long is closed
    slow_s: float = 20.0  # a frame that takes so long to send ends its socket
    most_sockets: int = 5000
    most_sockets_per_address: int = 2500
    most_watched: int = 64  # tables per socket
    secure_cookies: bool = False  # behind https
    origins: frozenset[str] = frozenset()  # pages of other sites that may talk to this server
    forwarded: bool = False  # trust X-Forwarded-For from a proxy on the same machine
    rates: Rates = field(default_factory=Rates)
