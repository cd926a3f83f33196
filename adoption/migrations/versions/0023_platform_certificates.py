"""The certificate of the platform's own host."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"


def upgrade():
    op.create_table(
        "platform_certificates",
        sa.Column("host", sa.String(253), nullable=False),
        sa.Column("hosts", sa.Text(), nullable=False),
        sa.Column("chain", sa.Text(), nullable=False),
        sa.Column("private_key", sa.Text(), nullable=False),
        sa.Column("not_after", sa.DateTime(timezone=True), nullable=True),
        sa.Column("order_key", sa.Text(), nullable=False),
        sa.Column("order_address", sa.Text(), nullable=False),
        sa.Column("token", sa.Text(), nullable=False),
        sa.Column("key_authorization", sa.Text(), nullable=False),
        sa.Column("began_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("next_step_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("code", sa.String(60), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("host", name=op.f("pk_platform_certificates")),
    )


def downgrade():
    op.drop_table("platform_certificates")
