"""Private links of applicants that can be replaced."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade():
    op.add_column("applications", sa.Column("link_number", sa.Integer(), server_default="0", nullable=False))


def downgrade():
    op.execute("ALTER TABLE applications DROP COLUMN link_number")
