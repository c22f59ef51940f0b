"""Several processes: which of them live, when nobody could play, and who is at which table."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "workers",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("host", sa.String, nullable=False),
        sa.Column("version", sa.String, nullable=False),
        sa.Column("started_ms", sa.BigInteger, nullable=False),
        sa.Column("beat_ms", sa.BigInteger, nullable=False),
        sa.Column("next_ms", sa.BigInteger, nullable=False),
        sa.Column("is_leaving", sa.Boolean, nullable=False),
    )
    op.create_table(
        "outages",
        sa.Column("from_ms", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("to_ms", sa.BigInteger, nullable=False),
    )
    is_postgres = op.get_bind().dialect.name == "postgresql"
    op.create_table(
        "presence",
        sa.Column("worker", sa.String, primary_key=True),
        sa.Column("table_id", sa.String, primary_key=True),
        sa.Column("player", sa.String, primary_key=True),
        sa.Column("sockets", sa.Integer, nullable=False),
        sa.Column("seen_ms", sa.BigInteger, nullable=False),
        prefixes=["UNLOGGED"] if is_postgres else [],  # empty after a crash, when nobody is there anyway
    )
    op.create_index("presence_by_table", "presence", ["table_id"])


def downgrade() -> None:
    for table in ("presence", "outages", "workers"):
        op.drop_table(table)
