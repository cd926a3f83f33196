"""The time zone in which a shelter's own pages and emails show times."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade():
    op.add_column("projects", sa.Column("time_zone", sa.String(64), nullable=False, server_default="UTC"))


def downgrade():
    op.drop_column("projects", "time_zone")
