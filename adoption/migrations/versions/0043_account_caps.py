"""Caps of animals, photos and imports that an enterprise account has of its own."""

import sqlalchemy as sa
from alembic import op

revision = "0043"
down_revision = "0042"

CAPS = ("animals_cap", "photo_bytes_cap", "imports_cap")


def upgrade():
    for name in CAPS:
        op.add_column("accounts", sa.Column(name, sa.BigInteger(), nullable=True))


def downgrade():
    for name in CAPS:
        op.drop_column("accounts", name)
