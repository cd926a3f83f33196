"""Outages of the certificate authority."""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"


def upgrade():
    moments = ("failing_since", "down_since", "probed_at", "next_probe_at", "ended_at")
    op.create_table(
        "authority_outages",
        sa.Column("id", sa.BigInteger(), primary_key=True, autoincrement=False),
        sa.Column("probes", sa.Integer(), nullable=False),
        *(sa.Column(name, sa.DateTime(timezone=True), nullable=True) for name in moments),
    )


def downgrade():
    op.drop_table("authority_outages")
