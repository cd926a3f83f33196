"""The expiry date of the certificate that visitors of a domain get."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"


def upgrade():
    op.add_column("domains", sa.Column("live_until", sa.DateTime(timezone=True), nullable=True))
    op.execute(
        "UPDATE domains SET live_until = (SELECT not_after FROM certificates"
        " WHERE certificates.domain_id = domains.id AND live_since IS NOT NULL)"
    )


def downgrade():
    op.drop_column("domains", "live_until")
