"""When an order was last postponed, so that Verify can retry it while the authority is unreachable."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade():
    with op.batch_alter_table("certificate_orders") as table:
        table.add_column(sa.Column("postponed_at", sa.DateTime(timezone=True), nullable=True))


def downgrade():
    with op.batch_alter_table("certificate_orders") as table:
        table.drop_column("postponed_at")
