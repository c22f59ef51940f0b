"""The first schema: players, tokens, tables, seats, events."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "players",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("secret_hash", sa.LargeBinary, nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "tokens",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("player", sa.String, sa.ForeignKey("players.id"), nullable=False),
        sa.Column("label", sa.String, nullable=False),
        sa.Column("secret_hash", sa.LargeBinary, nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
    )
    op.create_index("ix_tokens_player", "tokens", ["player"])
    op.create_table(
        "tables",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("status", sa.String, nullable=False),
        sa.Column("is_public", sa.Boolean, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("updated_ms", sa.BigInteger, nullable=False),
        sa.Column("summary", sa.LargeBinary, nullable=False),
        sa.Column("deadline_ms", sa.BigInteger),
        sa.Column("bot_due", sa.Boolean, nullable=False),
        sa.Column("outcome", sa.LargeBinary),
    )
    op.create_index("tables_by_status", "tables", ["status", "is_public", "updated_ms", "id"])
    op.create_index(
        "tables_waiting",
        "tables",
        ["status"],
        sqlite_where=sa.text("bot_due OR deadline_ms IS NOT NULL"),
        postgresql_where=sa.text("bot_due OR deadline_ms IS NOT NULL"),
    )
    op.create_table(
        "seats",
        sa.Column("table_id", sa.String, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("player", sa.String, nullable=False),
    )
    op.create_index("seats_by_player", "seats", ["player", "table_id"])
    op.create_table(
        "events",
        sa.Column("match", sa.String, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.Column("seat", sa.Integer),
        sa.Column("command", sa.String),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "events_once",
        "events",
        ["match", "seat", "command"],
        unique=True,
        sqlite_where=sa.text("command IS NOT NULL"),
        postgresql_where=sa.text("command IS NOT NULL"),
    )


def downgrade() -> None:
    for table in ("events", "seats", "tables", "tokens", "players"):
        op.drop_table(table)
