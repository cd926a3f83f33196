"""The bytes of each photo's files, which a plan limits. Photos that were stored earlier have no value."""

import sqlalchemy as sa
from alembic import op

revision = "0038"
down_revision = "0037"


def upgrade():
    op.add_column("photos", sa.Column("bytes", sa.BigInteger(), nullable=True))


def downgrade():
    op.drop_column("photos", "bytes")
