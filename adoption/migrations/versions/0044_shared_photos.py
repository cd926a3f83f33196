"""Photos for which the queue still has to make a file for sharing."""

import sqlalchemy as sa
from alembic import op

revision = "0044"
down_revision = "0043"


def upgrade():
    op.add_column(
        "photos", sa.Column("wants_shared", sa.Boolean(), nullable=False, server_default=sa.false())
    )
    op.create_index(
        "ix_photos_id_wants_shared",
        "photos",
        ["id"],
        sqlite_where=sa.text("wants_shared = 1"),
        postgresql_where=sa.text("wants_shared"),
    )


def downgrade():
    op.drop_index("ix_photos_id_wants_shared", "photos")
    op.drop_column("photos", "wants_shared")
