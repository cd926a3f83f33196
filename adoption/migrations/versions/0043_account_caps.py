"""An enterprise account's own caps of animals, photos and imports."""

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
