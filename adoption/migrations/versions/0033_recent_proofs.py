"""When a password or a passkey last proved a user's identity. Earlier sign-ins have no such time."""

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0032"


def upgrade():
    op.add_column("sign_ins", sa.Column("proved_at", sa.DateTime(timezone=True), nullable=True))


def downgrade():
    op.drop_column("sign_ins", "proved_at")
