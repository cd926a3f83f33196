"""When a domain's name servers became silent, or resolvers began to refuse the servers' answers."""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"


def upgrade():
    with op.batch_alter_table("domains") as table:
        table.add_column(sa.Column("unanswered_since", sa.DateTime(timezone=True), nullable=True))
        table.add_column(sa.Column("unresolved_since", sa.DateTime(timezone=True), nullable=True))


def downgrade():
    with op.batch_alter_table("domains") as table:
        table.drop_column("unresolved_since")
        table.drop_column("unanswered_since")
