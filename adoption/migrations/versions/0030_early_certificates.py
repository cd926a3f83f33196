"""Whether a domain's certificates may be ordered by DNS-01."""

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"


def upgrade():
    op.add_column("domains", sa.Column("challenge_found", sa.Text(), nullable=False, server_default=""))
    op.add_column(
        "domains", sa.Column("challenge_ready", sa.Boolean(), nullable=False, server_default=sa.false())
    )


def downgrade():
    op.drop_column("domains", "challenge_ready")
    op.drop_column("domains", "challenge_found")
