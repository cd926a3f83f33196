"""The meaning of columns and values in a project's files, stored by header."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"


def upgrade():
    op.create_table(
        "import_mappings",
        sa.Column("project_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("header", sa.String(64), nullable=False),
        sa.Column("options", sa.Text(), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"],
            ["projects.id"],
            name=op.f("fk_import_mappings_project_id_projects"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("project_id", "header", name=op.f("pk_import_mappings")),
    )


def downgrade():
    op.drop_table("import_mappings")
