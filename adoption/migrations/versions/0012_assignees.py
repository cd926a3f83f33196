"""Which member handles an application."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade():
    op.create_table(
        "assignments",
        sa.Column("order_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("member_id", sa.BigInteger(), nullable=False),
        refers_to("order_id", "orders"),
        refers_to("member_id", "members"),
        sa.PrimaryKeyConstraint("order_id", name=op.f("pk_assignments")),
    )
    op.create_index("ix_assignments_member_id", "assignments", ["member_id"])
    op.add_column("order_events", sa.Column("detail", sa.String(254), server_default="", nullable=False))


def refers_to(column, table):
    name = op.f(f"fk_assignments_{column}_{table}")
    return sa.ForeignKeyConstraint([column], [f"{table}.id"], name=name, ondelete="CASCADE")


def downgrade():
    with op.batch_alter_table("order_events") as table:
        table.drop_column("detail")
    op.drop_table("assignments")
