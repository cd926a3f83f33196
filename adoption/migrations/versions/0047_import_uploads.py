"""The upload of each photo that an import downloads. With it, another job finds the result of the upload."""

import sqlalchemy as sa
from alembic import op

revision = "0047"
down_revision = "0046"


def upgrade():
    op.add_column("import_photos", sa.Column("upload_id", sa.BigInteger(), nullable=True))


def downgrade():
    op.drop_column("import_photos", "upload_id")
