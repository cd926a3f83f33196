"""Held applications are reported to the shelter, and undecided ones are erased after a notice."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade():
    op.add_column(
        "applications", sa.Column("repeats", sa.Boolean(), nullable=False, server_default=sa.false())
    )
    op.add_column("applications", sa.Column("erasure_notice_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("projects", sa.Column("held_digest_at", sa.DateTime(timezone=True), nullable=True))


def downgrade():
    op.drop_column("projects", "held_digest_at")
    op.drop_column("applications", "erasure_notice_at")
    op.drop_column("applications", "repeats")
