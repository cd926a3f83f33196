"""When a visit last started a DNS check of a domain."""

import sqlalchemy as sa
from alembic import op

revision = "0034"
down_revision = "0033"


def upgrade():
    op.add_column("domains", sa.Column("visited_at", sa.DateTime(timezone=True), nullable=True))


def downgrade():
    op.drop_column("domains", "visited_at")
