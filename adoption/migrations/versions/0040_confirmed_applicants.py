"""When applicants opened the link in an email, and the messages that wait on their private page."""

import sqlalchemy as sa
from alembic import op

from adoption.migrations.losses import refuse_loss

revision = "0040"
down_revision = "0039"

IDENTITY = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade():
    op.add_column("applications", sa.Column("confirmed_at", sa.DateTime(timezone=True), nullable=True))
    op.create_table(
        "application_messages",
        sa.Column("id", IDENTITY, nullable=False),
        sa.Column("application_id", sa.BigInteger(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["application_id"],
            ["applications.id"],
            name="fk_application_messages_application_id_applications",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name="pk_application_messages"),
    )
    op.create_index("ix_application_messages_application_id", "application_messages", ["application_id"])


def downgrade():
    refuse_loss("application_messages")
    op.drop_table("application_messages")
    op.drop_column("applications", "confirmed_at")
