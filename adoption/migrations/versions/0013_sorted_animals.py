"""Indexes for the staff's list of animals by age, arrival and days waiting."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"

WAITING = "arrival_date IS NOT NULL AND status <> 'sold' AND removed_at IS NULL"
INDEXES = {
    "ix_animals_project_id_birth_date_id": ("birth_date", "birth_date IS NOT NULL"),
    "ix_animals_project_id_arrival_date_id": ("arrival_date", "arrival_date IS NOT NULL"),
    "ix_animals_project_id_arrival_date_id_waiting": ("arrival_date", WAITING),
}


def upgrade():
    for name, (column, condition) in INDEXES.items():
        where = sa.text(condition)
        columns = ["project_id", column, "id"]
        op.create_index(name, "animals", columns, sqlite_where=where, postgresql_where=where)


def downgrade():
    for name in INDEXES:
        op.drop_index(name, table_name="animals")
