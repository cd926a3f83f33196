"""Keys for web pages: the origins of the pages, and whether programs can use the key too."""

import sqlalchemy as sa
from alembic import op

revision = "0051"
down_revision = "0050"


def upgrade():
    op.add_column("api_keys", sa.Column("origins", sa.Text(), nullable=False, server_default=""))
    op.add_column(
        "api_keys", sa.Column("from_programs", sa.Boolean(), nullable=False, server_default=sa.false())
    )


def downgrade():
    for column in ("from_programs", "origins"):
        op.drop_column("api_keys", column)
