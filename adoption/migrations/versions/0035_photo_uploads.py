"""Photos that wait for processing."""

import sqlalchemy as sa
from alembic import op

revision = "0035"
down_revision = "0034"

IDENTITY = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade():
    op.create_table(
        "photo_uploads",
        sa.Column("id", IDENTITY, nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("animal_id", sa.BigInteger(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=True),
        sa.Column("file_name", sa.String(100), nullable=False),
        sa.Column("file_key", sa.String(100), nullable=False),
        sa.Column("alt", sa.String(300), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("claimed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("photo_id", sa.BigInteger(), nullable=True),
        sa.Column("is_repeat", sa.Boolean(), nullable=False),
        sa.Column("failure", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name="fk_photo_uploads_account_id_accounts", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["animal_id"], ["animals.id"], name="fk_photo_uploads_animal_id_animals", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name="fk_photo_uploads_user_id_users", ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_photo_uploads"),
        sqlite_autoincrement=True,
    )
    op.create_index(
        "ix_photo_uploads_account_id_finished_at_id", "photo_uploads", ["account_id", "finished_at", "id"]
    )
    op.create_index("ix_photo_uploads_animal_id", "photo_uploads", ["animal_id"])
    op.create_index("ix_photo_uploads_user_id", "photo_uploads", ["user_id"])


def downgrade():
    op.drop_table("photo_uploads")
