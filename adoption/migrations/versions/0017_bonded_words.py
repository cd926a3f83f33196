"""A word in the search index for animals that are adopted together."""

import sqlalchemy as sa
from alembic import op

from adoption.animals.indexed_words import FOUND_BY, words_to_index

revision = "0017"
down_revision = "0016"

BATCH = 5_000


def upgrade():
    """Write the words of bonded animals again. Triggers and generated columns index them."""
    connection = op.get_bind()
    columns = ", ".join(("id", "project_id", *FOUND_BY))
    page = sa.text(
        f"SELECT {columns} FROM animals WHERE bond_id IS NOT NULL AND id > :after ORDER BY id LIMIT {BATCH}"
    )
    change = sa.text("UPDATE animals SET words = :words WHERE id = :id")
    after = 0
    while rows := connection.execute(page, {"after": after}).all():
        connection.execute(change, [{"id": row.id, "words": words_to_index(row._mapping)} for row in rows])
        after = rows[-1].id


def downgrade():
    # The words stay, because the previous version finds its own words among them.
    pass
