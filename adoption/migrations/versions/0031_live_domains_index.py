"""An index that finds domains without a certificate."""

from alembic import op

revision = "0031"
down_revision = "0030"


def upgrade():
    op.create_index(op.f("ix_domains_live_until"), "domains", ["live_until"])


def downgrade():
    op.drop_index(op.f("ix_domains_live_until"), "domains")
