"""Age groups of animals whose birth date is not known."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade():
    op.add_column("animals", sa.Column("age_group", sa.String(10), nullable=True))


def downgrade():
    op.drop_column("animals", "age_group")
