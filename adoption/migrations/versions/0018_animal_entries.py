"""Which animals each entry of the audit log is about."""

import re

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"

BATCH = 2_000
NAMED = re.compile(r"\((\d{1,18})\)(?=, | and |$)")
"""The id after each name, as in "Juno (17), Moss (18) and 3 more"."""


def upgrade():
    op.create_table(
        "animal_entries",
        sa.Column("animal_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("entry_id", sa.BigInteger(), autoincrement=False, nullable=False),
        refers_to("animal_id", "animals"),
        refers_to("entry_id", "audit_entries"),
        sa.PrimaryKeyConstraint("animal_id", "entry_id", name=op.f("pk_animal_entries")),
    )
    op.create_index("ix_animal_entries_entry_id", "animal_entries", ["entry_id"])
    fill_entries()


def refers_to(column, table):
    name = op.f(f"fk_animal_entries_{column}_{table}")
    return sa.ForeignKeyConstraint([column], [f"{table}.id"], name=name, ondelete="CASCADE")


def fill_entries():
    """Link earlier entries to the animals that they name: up to five each."""
    connection = op.get_bind()
    page = sa.text(
        "SELECT id, project_id, thing, detail FROM audit_entries WHERE id > :after"
        " AND (action LIKE 'animal.%' OR action LIKE 'photo.%') AND project_id IS NOT NULL"
        f" ORDER BY id LIMIT {BATCH}"
    )
    add = sa.text(
        "INSERT INTO animal_entries (animal_id, entry_id)"
        " SELECT id, :entry_id FROM animals WHERE id = :animal_id AND project_id = :project_id"
    )
    after = 0
    while rows := connection.execute(page, {"after": after}).all():
        named = [
            {"animal_id": animal_id, "entry_id": row.id, "project_id": row.project_id}
            for row in rows
            for animal_id in animals_in(row.thing, row.detail)
        ]
        if named:
            connection.execute(add, named)
        after = rows[-1].id


def animals_in(thing, detail):
    text = detail if thing.endswith(" animals") else thing
    return sorted({int(id_) for id_ in NAMED.findall(text)})


def downgrade():
    op.drop_table("animal_entries")
