"""Photos, applications, emails, texts of deploys, and the search index."""

import sqlalchemy as sa
from alembic import op

from adoption.animals.indexed_words import FOUND_BY, words_to_index
from adoption.migrations.losses import refuse_loss

revision = "0002"
down_revision = "0001"

IDENTITY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
INSTANT = sa.DateTime(timezone=True)
SITE_TEXTS = ("name", "about", "place", "contact_email", "contact_phone")
SHOWN = {
    "sqlite_where": sa.text("listed = 1 AND published = 1"),
    "postgresql_where": sa.text("listed AND published"),
}


def upgrade():
    create_tables()
    add_columns()
    op.drop_index("ix_animals_category_id_id_listed", "animals")
    for columns in (["id"], ["category_id", "id"], ["arrival_date", "id"]):
        op.create_index(f"ix_animals_{'_'.join(columns)}_shown", "animals", columns, **SHOWN)
    for statement in DERIVED[op.get_bind().dialect.name]:
        op.execute(statement)
    fill()


def create_tables():
    op.create_table(
        "photos",
        sa.Column("id", IDENTITY, nullable=False),
        sa.Column("animal_id", sa.BigInteger(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("width", sa.Integer(), nullable=False),
        sa.Column("height", sa.Integer(), nullable=False),
        sa.Column("alt", sa.String(300), nullable=False),
        sa.Column("blur", sa.Text(), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.ForeignKeyConstraint(
            ["animal_id"], ["animals.id"], name=op.f("fk_photos_animal_id_animals"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_photos")),
    )
    op.create_index("ix_photos_animal_id_position", "photos", ["animal_id", "position"])
    op.create_index("ix_photos_digest", "photos", ["digest"])
    op.create_table(
        "applications",
        sa.Column("id", IDENTITY, nullable=False),
        sa.Column("project_id", sa.BigInteger(), nullable=False),
        sa.Column("animal_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("email", sa.String(254), nullable=False),
        sa.Column("phone", sa.String(50), nullable=False),
        sa.Column("home", sa.String(10), nullable=False),
        sa.Column("household", sa.String(100), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("token_hash", sa.String(64), nullable=False),
        sa.Column("submission", sa.String(64), nullable=False),
        sa.Column("held_for", sa.Text(), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.ForeignKeyConstraint(
            ["animal_id"], ["animals.id"], name=op.f("fk_applications_animal_id_animals"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["project_id"],
            ["projects.id"],
            name=op.f("fk_applications_project_id_projects"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_applications")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_applications_token_hash")),
        sa.UniqueConstraint("submission", name=op.f("uq_applications_submission")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_applications_project_id_id", "applications", ["project_id", "id"])
    op.create_index("ix_applications_animal_id", "applications", ["animal_id"])
    op.create_table(
        "letters",
        sa.Column("id", IDENTITY, nullable=False),
        sa.Column("recipient", sa.String(254), nullable=False),
        sa.Column("reply_to", sa.String(254), nullable=False),
        sa.Column("subject", sa.String(300), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("next_try_at", INSTANT, nullable=True),
        sa.Column("failure", sa.Text(), nullable=False),
        sa.Column("sent_at", INSTANT, nullable=True),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_letters")),
    )
    op.create_index("ix_letters_sent_at_next_try_at", "letters", ["sent_at", "next_try_at"])


def add_columns():
    op.add_column("projects", sa.Column("colour", sa.String(7), nullable=False, server_default=""))
    op.add_column("projects", sa.Column("currency", sa.String(3), nullable=False, server_default="USD"))
    op.add_column("deploys", sa.Column("name", sa.String(200), nullable=False, server_default=""))
    op.add_column("deploys", sa.Column("about", sa.Text(), nullable=False, server_default=""))
    op.add_column("deploys", sa.Column("place", sa.String(200), nullable=False, server_default=""))
    op.add_column("deploys", sa.Column("contact_email", sa.String(254), nullable=False, server_default=""))
    op.add_column("deploys", sa.Column("contact_phone", sa.String(50), nullable=False, server_default=""))
    op.add_column("deploys", sa.Column("colour", sa.String(7), nullable=False, server_default=""))
    op.add_column("deploys", sa.Column("currency", sa.String(3), nullable=False, server_default="USD"))
    op.add_column("animals", sa.Column("published", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("animals", sa.Column("removed_at", INSTANT, nullable=True))
    op.add_column("animals", sa.Column("listed_before_removal", sa.Boolean(), nullable=True))
    op.add_column("animals", sa.Column("words", sa.Text(), nullable=False, server_default=""))
    # SQLite has to copy the table to add a foreign key.
    with op.batch_alter_table("orders", table_kwargs={"sqlite_autoincrement": True}) as orders:
        orders.add_column(sa.Column("application_id", sa.BigInteger(), nullable=True))
        orders.create_foreign_key(
            "fk_orders_application_id_applications",
            "applications",
            ["application_id"],
            ["id"],
            ondelete="SET NULL",
        )
    op.create_index("ix_orders_application_id", "orders", ["application_id"])


def fill():
    """Fill the new columns of existing animals for the catalogue and the search."""
    texts = ", ".join(
        f"{column} = (SELECT {column} FROM projects WHERE id = project_id)" for column in SITE_TEXTS
    )
    op.execute(f"UPDATE deploys SET {texts}")
    op.execute(
        "UPDATE animals SET published = (SELECT live_deploy IS NOT NULL FROM projects WHERE id = project_id)"
    )
    connection = op.get_bind()
    told = ", ".join(("id", "project_id", *FOUND_BY))
    page = sa.text(f"SELECT {told} FROM animals WHERE id > :after ORDER BY id LIMIT 5000")
    after = 0
    while rows := connection.execute(page, {"after": after}).all():
        words = [{"id": row[0], "words": words_to_index(row._mapping)} for row in rows]
        connection.execute(sa.text("UPDATE animals SET words = :words WHERE id = :id"), words)
        after = rows[-1].id


# The database itself derives ``published`` and the search index from other columns, so that no code that
# writes an animal can forget them.
DERIVED = {
    "sqlite": [
        # ``words_of`` normalises the words. This tokenizer splits them at spaces, and changes only ASCII
        # letters. The content stays in ``animals``. No query needs positions or counts of words, so they
        # are not stored: an insert then costs a third.
        """
        CREATE VIRTUAL TABLE animal_search USING fts5(
            words, content='animals', content_rowid='id', tokenize='ascii',
            prefix='2 3 4 5', detail='none', columnsize=0
        )
        """,
        """
        CREATE TRIGGER animals_found_after_insert AFTER INSERT ON animals BEGIN
            INSERT INTO animal_search (rowid, words) VALUES (NEW.id, NEW.words);
        END
        """,
        """
        CREATE TRIGGER animals_found_after_delete AFTER DELETE ON animals BEGIN
            INSERT INTO animal_search (animal_search, rowid, words) VALUES ('delete', OLD.id, OLD.words);
        END
        """,
        """
        CREATE TRIGGER animals_found_after_update AFTER UPDATE OF words ON animals
        WHEN OLD.words <> NEW.words BEGIN
            INSERT INTO animal_search (animal_search, rowid, words) VALUES ('delete', OLD.id, OLD.words);
            INSERT INTO animal_search (rowid, words) VALUES (NEW.id, NEW.words);
        END
        """,
        """
        CREATE TRIGGER animals_published_after_insert AFTER INSERT ON animals
        WHEN NEW.published = 0 AND (SELECT live_deploy FROM projects WHERE id = NEW.project_id) IS NOT NULL
        BEGIN
            UPDATE animals SET published = 1 WHERE id = NEW.id;
        END
        """,
        """
        CREATE TRIGGER projects_published_after_update AFTER UPDATE OF live_deploy ON projects
        WHEN (OLD.live_deploy IS NULL) <> (NEW.live_deploy IS NULL) BEGIN
            UPDATE animals SET published = NEW.live_deploy IS NOT NULL WHERE project_id = NEW.id;
        END
        """,
    ],
    "postgresql": [
        """
        ALTER TABLE animals ADD COLUMN search tsvector
        GENERATED ALWAYS AS (array_to_tsvector(string_to_array(words, ' '))) STORED
        """,
        "CREATE INDEX ix_animals_search ON animals USING gin (search)",
        """
        CREATE FUNCTION animals_published() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            -- Waits for a publishing that is under way, which could not see this animal.
            SELECT live_deploy IS NOT NULL INTO NEW.published
            FROM projects WHERE id = NEW.project_id FOR KEY SHARE;
            RETURN NEW;
        END $$
        """,
        """
        CREATE TRIGGER animals_published_before_insert BEFORE INSERT ON animals
        FOR EACH ROW WHEN (NOT NEW.published) EXECUTE FUNCTION animals_published()
        """,
        """
        CREATE FUNCTION projects_published() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            UPDATE animals SET published = NEW.live_deploy IS NOT NULL WHERE project_id = NEW.id;
            RETURN NULL;
        END $$
        """,
        """
        CREATE TRIGGER projects_published_after_update AFTER UPDATE OF live_deploy ON projects
        FOR EACH ROW WHEN ((OLD.live_deploy IS NULL) <> (NEW.live_deploy IS NULL))
        EXECUTE FUNCTION projects_published()
        """,
    ],
}


def downgrade():
    refuse_loss("photos", "applications")
    if op.get_bind().dialect.name == "sqlite":
        for trigger in (
            "animals_found_after_insert",
            "animals_found_after_delete",
            "animals_found_after_update",
            "animals_published_after_insert",
            "projects_published_after_update",
        ):
            op.execute(f"DROP TRIGGER {trigger}")
        op.execute("DROP TABLE animal_search")
    else:
        op.execute("DROP TRIGGER projects_published_after_update ON projects")
        op.execute("DROP TRIGGER animals_published_before_insert ON animals")
        op.execute("DROP FUNCTION projects_published()")
        op.execute("DROP FUNCTION animals_published()")
        op.drop_index("ix_animals_search", "animals")
        op.drop_column("animals", "search")
    for columns in ("id", "category_id_id", "arrival_date_id"):
        op.drop_index(f"ix_animals_{columns}_shown", "animals")
    op.create_index(
        "ix_animals_category_id_id_listed",
        "animals",
        ["category_id", "id"],
        sqlite_where=sa.text("listed = 1"),
        postgresql_where=sa.text("listed"),
    )
    op.drop_index("ix_orders_application_id", "orders")
    with op.batch_alter_table("orders", table_kwargs={"sqlite_autoincrement": True}) as orders:
        orders.drop_constraint("fk_orders_application_id_applications", type_="foreignkey")
        orders.drop_column("application_id")
    for column in ("words", "listed_before_removal", "removed_at", "published"):
        op.drop_column("animals", column)
    for column in (*SITE_TEXTS, "colour", "currency"):
        op.drop_column("deploys", column)
    for column in ("colour", "currency"):
        op.drop_column("projects", column)
    for table in ("letters", "applications", "photos"):
        op.drop_table(table)
