"""The HTML and the beginning of shelters' descriptions of themselves.

Earlier deploys have no HTML until the nightly job renders it. Until then, pages render the texts.
"""

import sqlalchemy as sa
from alembic import op

revision = "0045"
down_revision = "0044"

COLUMNS = ("about_html", "about_rest_html", "about_beginning")


def upgrade():
    for column in COLUMNS:
        op.add_column("deploys", sa.Column(column, sa.Text(), nullable=True))


def downgrade():
    for column in COLUMNS:
        op.drop_column("deploys", column)
