"""Accounts: credentials of players, questions for them, budgets against guessing, and guests brought along."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("players", sa.Column("name_key", sa.String))
    op.create_index("players_by_name", "players", ["name_key"], unique=True)
    op.create_table(
        "credentials",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("player", sa.String, sa.ForeignKey("players.id"), nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.Column("used_ms", sa.BigInteger),
        sa.Column("label", sa.String, nullable=False),
    )
    op.create_index("ix_credentials_player", "credentials", ["player"])
    op.create_table(
        "challenges",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("player", sa.String, nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
        sa.Column("expires_ms", sa.BigInteger, nullable=False),
    )
    op.create_index("ix_challenges_expires_ms", "challenges", ["expires_ms"])
    op.create_table(
        "attempts",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("key", sa.String, nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
    )
    op.create_index("ix_attempts_at_ms", "attempts", ["at_ms"])
    op.create_index("attempts_by_key", "attempts", ["kind", "key"])
    op.create_table(
        "browsers",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("player", sa.String, sa.ForeignKey("players.id"), nullable=False),
        sa.Column("secret_hash", sa.LargeBinary, nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
    )
    op.create_index("ix_browsers_player", "browsers", ["player"])
    op.create_table(
        "aliases",
        sa.Column("old_player", sa.String, sa.ForeignKey("players.id"), primary_key=True),
        sa.Column("player", sa.String, sa.ForeignKey("players.id"), nullable=False),
    )
    op.create_index("ix_aliases_player", "aliases", ["player"])


def downgrade() -> None:
    raise NotImplementedError("an older program does not know accounts: restore a backup instead")
