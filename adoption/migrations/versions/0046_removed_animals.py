"""An index of removed animals, so that counting an account's animals reads no animal."""

import sqlalchemy as sa
from alembic import op

revision = "0046"
down_revision = "0045"


def upgrade():
    op.create_index(
        "ix_animals_project_id_removed_at",
        "animals",
        ["project_id", "removed_at"],
        sqlite_where=sa.text("removed_at IS NOT NULL"),
        postgresql_where=sa.text("removed_at IS NOT NULL"),
    )


def downgrade():
    op.drop_index("ix_animals_project_id_removed_at", "animals")
