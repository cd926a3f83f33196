"""Indexes of animals by the time when the public could first see them: of all, of a species, of a project."""

import sqlalchemy as sa
from alembic import op

revision = "0052"
down_revision = "0051"

SHOWN = {
    "sqlite_where": sa.text("listed = 1 AND published = 1"),
    "postgresql_where": sa.text("listed AND published"),
}
LISTED = {"sqlite_where": sa.text("listed = 1"), "postgresql_where": sa.text("listed")}


def upgrade():
    op.create_index("ix_animals_shown_at_id_shown", "animals", ["shown_at", "id"], **SHOWN)
    op.create_index(
        "ix_animals_category_id_shown_at_id_shown", "animals", ["category_id", "shown_at", "id"], **SHOWN
    )
    op.create_index(
        "ix_animals_project_id_shown_at_id_listed", "animals", ["project_id", "shown_at", "id"], **LISTED
    )


def downgrade():
    op.drop_index("ix_animals_project_id_shown_at_id_listed", "animals")
    op.drop_index("ix_animals_category_id_shown_at_id_shown", "animals")
    op.drop_index("ix_animals_shown_at_id_shown", "animals")
