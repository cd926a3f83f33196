"""The HTML and the beginning of animals' texts, and indexes to find a shelter's colour.

Earlier rows have no HTML until they are saved again. Until then, pages render the texts.
"""

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"

COLUMNS = ("description_html", "description_beginning", "needs_html")


def upgrade():
    for column in COLUMNS:
        op.add_column("animals", sa.Column(column, sa.Text(), nullable=True))
    for table in ("projects", "deploys"):
        op.create_index(f"ix_{table}_colour", table, ["colour"])


def downgrade():
    for table in ("projects", "deploys"):
        op.drop_index(f"ix_{table}_colour", table)
    for column in COLUMNS:
        op.drop_column("animals", column)
