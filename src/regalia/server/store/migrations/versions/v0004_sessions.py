"""Sessions: who a browser is belongs to the browser and no longer to the player, who may have several.

A cookie of before is `player.secret`: it goes on as a session that bears the player's own id.
"""

from __future__ import annotations

import time

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

LONGEST_MS = 400 * 86_400_000


def upgrade() -> None:
    op.create_table(
        "sessions",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("player", sa.String, sa.ForeignKey("players.id"), nullable=False),
        sa.Column("secret_hash", sa.LargeBinary, nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.Column("seen_ms", sa.BigInteger, nullable=False),
        sa.Column("expires_ms", sa.BigInteger, nullable=False),
        sa.Column("fresh_ms", sa.BigInteger, nullable=False),
        sa.Column("label", sa.String, nullable=False),
        sa.Column("via", sa.String, nullable=False),
    )
    op.create_index("ix_sessions_player", "sessions", ["player"])
    now = time.time_ns() // 1_000_000
    op.get_bind().execute(
        sa.text(
            "INSERT INTO sessions"
            " (id, player, secret_hash, created_ms, seen_ms, expires_ms, fresh_ms, label, via)"
            " SELECT id, id, secret_hash, created_ms, :now, :end, created_ms, '', 'guest' FROM players"
        ),
        {"now": now, "end": now + LONGEST_MS},
    )
    op.drop_column("players", "secret_hash")


def downgrade() -> None:
    raise NotImplementedError("an older program does not know several browsers: restore a backup instead")
