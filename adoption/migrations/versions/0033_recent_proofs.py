"""When a sign-in was last proved by a password or a passkey. Earlier sign-ins have to prove it first."""

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0032"


def upgrade():
    op.add_column("sign_ins", sa.Column("proved_at", sa.DateTime(timezone=True), nullable=True))


def downgrade():
    op.drop_column("sign_ins", "proved_at")
