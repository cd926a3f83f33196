"""Emails to applicants name their shelter as the sender."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade():
    op.add_column("letters", sa.Column("sender_name", sa.String(200), nullable=False, server_default=""))


def downgrade():
    op.drop_column("letters", "sender_name")
