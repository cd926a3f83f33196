"""The places of published shelters, and the postal codes that the operator loads."""

import sqlalchemy as sa
from alembic import op

revision = "0049"
down_revision = "0048"


def upgrade():
    op.create_table(
        "places",
        sa.Column("project_id", sa.BigInteger(), autoincrement=False, nullable=False),
        *(sa.Column(name, sa.Double(), nullable=False) for name in ("lat", "lng", "x", "y", "z")),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_places_project_id_projects"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("project_id", name=op.f("pk_places")),
    )
    op.create_index("ix_places_lat_lng", "places", ["lat", "lng"])
    op.create_table(
        "postal_codes",
        sa.Column("country", sa.String(2), nullable=False),
        sa.Column("code", sa.String(20), nullable=False),
        sa.Column("name", sa.String(180), nullable=False),
        sa.Column("lat", sa.Double(), nullable=False),
        sa.Column("lng", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("country", "code", name=op.f("pk_postal_codes")),
    )


def downgrade():
    op.drop_table("postal_codes")
    op.drop_table("places")
