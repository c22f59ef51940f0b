"""Commands belong to players: (table, player, command) exists once, with a fingerprint of what was commanded.

Until now a command was known by its seat, or, without one, by seat -1 and `<player>.<command>`. Whose command it
was is found again by following the log: who sat there, or who was the host. Two commands of one player that now
have the same name were two seats of one device; the first keeps it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

OLD_SPECTATOR = -1


def upgrade() -> None:
    op.execute("ALTER TABLE tables RENAME COLUMN outcome TO final_views")
    op.drop_index("events_once", "events")
    op.rename_table("events", "old_events")
    events = op.create_table(
        "events",
        sa.Column("table_id", sa.String, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.Column("player", sa.String, nullable=False),
        sa.Column("command", sa.String),
        sa.Column("fingerprint", sa.LargeBinary),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sqlite_with_rowid=False,
    )
    connection = op.get_bind()
    tables = connection.execute(sa.text("SELECT DISTINCT match FROM old_events")).scalars().all()
    log = sa.text("SELECT seq, at_ms, seat, command, body FROM old_events WHERE match = :table ORDER BY seq")
    for table in tables:
        rows = connection.execute(log, {"table": table}).mappings()
        connection.execute(events.insert(), [{"table_id": table, **row} for row in with_players(rows)])
    op.drop_table("old_events")
    op.create_index(
        "events_once",
        "events",
        ["table_id", "player", "command"],
        unique=True,
        sqlite_where=sa.text("command IS NOT NULL"),
        postgresql_where=sa.text("command IS NOT NULL"),
    )


def with_players(rows: Any) -> Iterator[dict[str, Any]]:
    """The log of one table, each command with the player it came from."""
    host = ""
    sitting: dict[int, str] = {}
    known: set[tuple[str, str]] = set()
    for row in rows:
        event = msgspec.json.decode(row["body"])
        host = event.get("host", host)
        seat, command = row["seat"], row["command"]
        player = ""
        if event["type"] == "sat":
            sitting[seat] = event.get("player", "")
        if command is not None and seat == OLD_SPECTATOR:
            player, _, command = command.rpartition(".")
        elif command is not None:
            player = sitting.get(seat) or host
        if (player, command) in known:
            player, command = "", None
        elif command is not None:
            known.add((player, command))
        if event["type"] == "left":
            sitting.pop(event["seat"], None)
        yield {
            "seq": row["seq"],
            "at_ms": row["at_ms"],
            "player": player,
            "command": command,
            "fingerprint": None,
            "body": row["body"],
        }


def downgrade() -> None:
    raise NotImplementedError("an older program does not know whose command it was: restore a backup instead")
