"""What each import changed, so that it can be undone."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"


def upgrade():
    op.create_table(
        "import_changes",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("import_id", sa.BigInteger(), nullable=False),
        sa.Column("record", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["import_id"],
            ["imports.id"],
            name=op.f("fk_import_changes_import_id_imports"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_import_changes")),
    )
    op.create_index("ix_import_changes_import_id_id", "import_changes", ["import_id", "id"])
    op.add_column("import_photos", sa.Column("photo_id", sa.BigInteger(), nullable=True))
    op.add_column("imports", sa.Column("undo_asked_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("imports", sa.Column("undone", sa.Text(), nullable=False, server_default=""))


def downgrade():
    op.drop_column("imports", "undone")
    op.drop_column("imports", "undo_asked_at")
    op.drop_column("import_photos", "photo_id")
    op.drop_index("ix_import_changes_import_id_id", "import_changes")
    op.drop_table("import_changes")
