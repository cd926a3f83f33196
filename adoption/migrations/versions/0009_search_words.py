"""Words of shelters and towns, and more words of each animal."""

import sqlalchemy as sa
from alembic import op

from adoption.animals.indexed_words import FOUND_BY, words_to_index
from adoption.projects.shelter_search_index import words_of_site

revision = "0009"
down_revision = "0008"

BATCH = 5_000


def upgrade():
    op.create_table(
        "site_words",
        sa.Column(
            "word",
            sa.String(40).with_variant(sa.String(40, collation="C"), "postgresql"),
            nullable=False,
        ),
        sa.Column("project_id", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"],
            ["projects.id"],
            name=op.f("fk_site_words_project_id_projects"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("word", "project_id", name=op.f("pk_site_words")),
    )
    op.create_index(op.f("ix_site_words_project_id"), "site_words", ["project_id"])
    fill_sites()
    fill_animals()


def fill_sites():
    """Index the published shelters by the texts of their newest successful deploy."""
    connection = op.get_bind()
    live = connection.execute(
        sa.text(
            "SELECT project_id, name, place FROM deploys AS one WHERE number = "
            "(SELECT max(number) FROM deploys WHERE project_id = one.project_id AND succeeded)"
        )
    )
    add = sa.text("INSERT INTO site_words (word, project_id) VALUES (:word, :project_id)")
    for project_id, name, place in live.all():
        rows = [{"word": word, "project_id": project_id} for word in words_of_site(name, place)]
        if rows:
            connection.execute(add, rows)


def fill_animals():
    """Write the words of all animals again. Triggers and generated columns update the search index."""
    connection = op.get_bind()
    columns = ", ".join(("id", "project_id", "words", *FOUND_BY))
    page = sa.text(f"SELECT {columns} FROM animals WHERE id > :after ORDER BY id LIMIT {BATCH}")
    change = sa.text("UPDATE animals SET words = :words WHERE id = :id")
    after = 0
    while rows := connection.execute(page, {"after": after}).all():
        words = [{"id": row.id, "words": words_to_index(row._mapping)} for row in rows]
        changed = [new for new, row in zip(words, rows, strict=True) if new["words"] != row.words]
        if changed:
            connection.execute(change, changed)
        after = rows[-1].id


def downgrade():
    # The words stay, because the previous version finds its own words among them.
    op.drop_table("site_words")
