"""The name servers of domains, which show their DNS provider."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"


def upgrade():
    op.add_column("domains", sa.Column("name_servers", sa.Text(), server_default="", nullable=False))


def downgrade():
    op.drop_column("domains", "name_servers")
