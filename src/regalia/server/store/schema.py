"""The tables of the database. The migrations in `migrations/` lead to exactly this.

Conditions of indexes are named for SQLite alone: for PostgreSQL only migrations need them, and naming them here would
load its dialect at every start.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    text,
)

metadata = MetaData()

players = Table(
    "players",
    metadata,
    Column("id", String, primary_key=True),  # public
    Column("name", String, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Column("name_key", String),  # of an account: no other name looks like it; null: a guest
    Index("players_by_name", "name_key", unique=True),
)

# How the player of an account shows who it is. `people.accounts` says what the ids are.
credentials = Table(
    "credentials",
    metadata,
    Column("id", String, primary_key=True),
    Column("player", ForeignKey("players.id"), nullable=False, index=True),
    Column("kind", String, nullable=False),  # passkey, password or recovery
    Column("data", LargeBinary, nullable=False),  # public key, slow hash, or SHA-256
    Column("created_ms", BigInteger, nullable=False),
    Column("used_ms", BigInteger),
    Column("label", String, nullable=False),
)

# Questions that are answered once: what a passkey shall sign, and the account to be.
challenges = Table(
    "challenges",
    metadata,
    Column("id", String, primary_key=True),
    Column("kind", String, nullable=False),
    Column("player", String, nullable=False),  # empty: nobody yet
    Column("data", LargeBinary, nullable=False),
    Column("expires_ms", BigInteger, nullable=False, index=True),
)

# Attempts to sign in, register or recover, as fingerprints, for an hour.
attempts = Table(
    "attempts",
    metadata,
    Column("id", String, primary_key=True),
    Column("kind", String, nullable=False),
    Column("key", String, nullable=False),
    Column("at_ms", BigInteger, nullable=False, index=True),
    Index("attempts_by_key", "kind", "key"),
)

# Browsers in which somebody has signed in: strangers cannot use up their budget.
browsers = Table(
    "browsers",
    metadata,
    Column("id", String, primary_key=True),
    Column("player", ForeignKey("players.id"), nullable=False, index=True),
    Column("secret_hash", LargeBinary, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
)

# Guests whose matches were brought along: the account is known by their ids where they sat.
aliases = Table(
    "aliases",
    metadata,
    Column("old_player", ForeignKey("players.id"), primary_key=True),
    Column("player", ForeignKey("players.id"), nullable=False, index=True),
)

# A browser in which somebody is that player. What it keeps is `id.secret`.
sessions = Table(
    "sessions",
    metadata,
    Column("id", String, primary_key=True),
    Column("player", ForeignKey("players.id"), nullable=False, index=True),
    Column("secret_hash", LargeBinary, nullable=False),  # SHA-256 of a 256-bit secret
    Column("created_ms", BigInteger, nullable=False),
    Column("seen_ms", BigInteger, nullable=False),  # written once an hour at most
    Column("expires_ms", BigInteger, nullable=False),  # at the latest, however often it is used
    Column("fresh_ms", BigInteger, nullable=False),  # when it was last shown who is there
    Column("label", String, nullable=False),  # the families of browser and system
    Column("via", String, nullable=False),  # how it began: `people.sessions.Via`
)

tokens = Table(
    "tokens",
    metadata,
    Column("id", String, primary_key=True),
    Column("player", ForeignKey("players.id"), nullable=False, index=True),
    Column("label", String, nullable=False),
    Column("secret_hash", LargeBinary, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
)

# A row per table for lists and for the start of the server; what is true of a table is in its events.
tables = Table(
    "tables",
    metadata,
    Column("id", String, primary_key=True),
    Column("game", String, nullable=False),
    Column("status", String, nullable=False),
    Column("is_public", Boolean, nullable=False),
    Column("seq", Integer, nullable=False),  # of its last event
    Column("updated_ms", BigInteger, nullable=False),
    Column("summary", LargeBinary, nullable=False),  # `model.summary`, as JSON
    Column("deadline_ms", BigInteger),  # wall time at which a clock runs out; null without a running clock
    Column("bot_due", Boolean, nullable=False),
    Column(
        "final_views", LargeBinary
    ),  # when it has ended, and then unchanged, whatever becomes of the rules
    Index("tables_by_status", "status", "is_public", "updated_ms", "id"),
    Index(
        "tables_waiting",
        "status",
        sqlite_where=text("bot_due OR deadline_ms IS NOT NULL"),
    ),
)

seats = Table(
    "seats",
    metadata,
    Column("table_id", ForeignKey("tables.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("player", String, nullable=False),  # empty: nobody, or a bot
    Index("seats_by_player", "player", "table_id"),
)

# The processes that serve, dead ones too: without any beat for a while nobody could play.
workers = Table(
    "workers",
    metadata,
    Column("id", String, primary_key=True),
    Column("host", String, nullable=False),
    Column("version", String, nullable=False),
    Column("started_ms", BigInteger, nullable=False),
    Column("beat_ms", BigInteger, nullable=False),  # its last sign of life
    Column("next_ms", BigInteger, nullable=False),  # when the next one is promised
    Column("is_leaving", Boolean, nullable=False),
)

# When nobody could play, since nothing served: no clock counts then.
outages = Table(
    "outages",
    metadata,
    Column("from_ms", BigInteger, primary_key=True, autoincrement=False),
    Column("to_ms", BigInteger, nullable=False),
)

# Who is at which table, as each process knows it.
presence = Table(
    "presence",
    metadata,
    Column("worker", String, primary_key=True),
    Column("table_id", String, primary_key=True),
    Column("player", String, primary_key=True),  # empty: spectators without a name
    Column("sockets", Integer, nullable=False),
    Column("seen_ms", BigInteger, nullable=False),
    Index("presence_by_table", "table_id"),
)

events = Table(
    "events",
    metadata,
    Column("table_id", ForeignKey("tables.id"), primary_key=True),
    Column("seq", Integer, primary_key=True),
    Column("at_ms", BigInteger, nullable=False),
    Column("player", String, nullable=False),  # who did it; empty: the server itself
    Column("command", String),  # the name of the command that led to this event and those behind it
    Column("fingerprint", LargeBinary),  # of what was commanded; unknown for commands of the first version
    Column("body", LargeBinary, nullable=False),
    Index(
        "events_once",
        "table_id",
        "player",
        "command",
        unique=True,
        sqlite_where=text("command IS NOT NULL"),
    ),
    sqlite_with_rowid=False,
)
