"""Preview links that can be stopped."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"

TABLES = ("projects", "animals")


def upgrade():
    for table in TABLES:
        op.add_column(table, sa.Column("preview_number", sa.Integer(), server_default="0", nullable=False))
        op.add_column(table, sa.Column("preview_made_at", sa.DateTime(timezone=True), nullable=True))


def downgrade():
    for table in TABLES:
        for column in ("preview_made_at", "preview_number"):
            op.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
