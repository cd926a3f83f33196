"""Whether browsers keep a domain on https for a year."""

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"


def upgrade():
    op.add_column(
        "domains", sa.Column("keeps_https", sa.Boolean(), server_default=sa.false(), nullable=False)
    )


def downgrade():
    op.drop_column("domains", "keeps_https")
