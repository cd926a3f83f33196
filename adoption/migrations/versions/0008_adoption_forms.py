"""The questions of each shelter's adoption form, and the answers to its own questions."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"

ASKED = "phone home household why"


def upgrade():
    op.create_table(
        "adoption_forms",
        sa.Column("project_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("questions", sa.Text(), nullable=False),
        sa.Column("last_number", sa.Integer(), server_default="0", nullable=False),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"],
            ["projects.id"],
            name=op.f("fk_adoption_forms_project_id_projects"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("project_id", name=op.f("pk_adoption_forms")),
    )
    # Added in place, because a batch change would copy the whole table.
    op.add_column("applications", sa.Column("asked", sa.String(100), server_default=ASKED, nullable=False))
    op.add_column("applications", sa.Column("own_answers", sa.Text(), server_default="[]", nullable=False))


def downgrade():
    with op.batch_alter_table("applications") as table:
        table.drop_column("own_answers")
        table.drop_column("asked")
    op.drop_table("adoption_forms")
