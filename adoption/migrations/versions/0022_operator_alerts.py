"""Problems that the operator is informed about."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"


def upgrade():
    moments = ("opened_at", "seen_at")
    optional = ("logged_at", "emailed_at", "closed_at")
    op.create_table(
        "operator_alerts",
        sa.Column("cause", sa.String(60), primary_key=True),
        sa.Column("detail", sa.Text(), nullable=False),
        *(sa.Column(name, sa.DateTime(timezone=True), nullable=False) for name in moments),
        *(sa.Column(name, sa.DateTime(timezone=True), nullable=True) for name in optional),
    )


def downgrade():
    op.drop_table("operator_alerts")
