"""TXT records that were set for orders by DNS-01."""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"


def upgrade():
    op.create_table(
        "challenge_records",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("order_address", sa.Text(), nullable=False),
        sa.Column("name", sa.String(253), nullable=False),
        sa.Column("value", sa.String(100), nullable=False),
        sa.Column("set_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("remove_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("removals", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_challenge_records")),
    )
    for table in ("platform_certificates", "certificate_orders"):
        op.add_column(table, sa.Column("method", sa.String(10), nullable=False, server_default="http-01"))


def downgrade():
    for table in ("platform_certificates", "certificate_orders"):
        op.drop_column(table, "method")
    op.drop_table("challenge_records")
