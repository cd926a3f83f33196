"""The state of reading an import's file."""

import sqlalchemy as sa
from alembic import op

revision = "0039"
down_revision = "0038"


def upgrade():
    op.add_column("imports", sa.Column("run_next", sa.String(10), nullable=False, server_default=""))


def downgrade():
    op.drop_column("imports", "run_next")
