"""Sign-ins, members, the audit log, histories, imports, and changes that can be undone."""

import sqlalchemy as sa
from alembic import op

from adoption.migrations.losses import refuse_loss
from adoption.search_words import fold_text

revision = "0003"
down_revision = "0002"

IDENTITY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
INSTANT = sa.DateTime(timezone=True)


def owned_by(table, column, owner, ondelete="CASCADE"):
    return sa.ForeignKeyConstraint(
        [column], [f"{owner}.id"], name=op.f(f"fk_{table}_{column}_{owner}"), ondelete=ondelete
    )


def keyed(table):
    return sa.PrimaryKeyConstraint("id", name=op.f(f"pk_{table}"))


def upgrade():
    add_columns()
    create_people()
    create_records()
    create_work()
    fill_histories()
    fill_search()


def add_columns():
    op.add_column("users", sa.Column("name", sa.String(200), nullable=False, server_default=""))
    op.add_column("accounts", sa.Column("requested_plan", sa.String(20), nullable=True))
    op.add_column("accounts", sa.Column("requested_at", INSTANT, nullable=True))
    op.add_column("deploys", sa.Column("restores", sa.Integer(), nullable=True))
    op.add_column("deploys", sa.Column("published_by", sa.String(254), nullable=False, server_default=""))
    op.add_column("orders", sa.Column("returned_at", INSTANT, nullable=True))
    op.add_column("applications", sa.Column("forgotten_at", INSTANT, nullable=True))
    op.add_column("applications", sa.Column("found_by", sa.Text(), nullable=False, server_default=""))
    op.add_column("letters", sa.Column("application_id", sa.BigInteger(), nullable=True))
    op.create_index("ix_letters_application_id", "letters", ["application_id"])


def create_people():
    op.create_table(
        "sign_ins",
        sa.Column("id", IDENTITY, nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("token_hash", sa.String(64), nullable=False),
        sa.Column("address", sa.String(50), nullable=False),
        sa.Column("browser", sa.String(300), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("seen_at", INSTANT, nullable=False),
        sa.Column("expires_at", INSTANT, nullable=False),
        owned_by("sign_ins", "user_id", "users"),
        keyed("sign_ins"),
        sa.UniqueConstraint("token_hash", name=op.f("uq_sign_ins_token_hash")),
    )
    op.create_index("ix_sign_ins_user_id", "sign_ins", ["user_id"])
    op.create_table(
        "invitations",
        sa.Column("id", IDENTITY, nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("email", sa.String(254), nullable=False),
        sa.Column("role", sa.String(10), nullable=False),
        sa.Column("token_hash", sa.String(64), nullable=False),
        sa.Column("invited_by", sa.String(254), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("expires_at", INSTANT, nullable=False),
        sa.CheckConstraint("role IN ('owner', 'staff')", name=op.f("ck_invitations_role_known")),
        owned_by("invitations", "account_id", "accounts"),
        keyed("invitations"),
        sa.UniqueConstraint("token_hash", name=op.f("uq_invitations_token_hash")),
    )
    op.create_index("ix_invitations_account_id", "invitations", ["account_id"])
    op.create_table(
        "passkeys",
        sa.Column("id", IDENTITY, nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("credential_id", sa.LargeBinary(), nullable=False),
        sa.Column("public_key", sa.LargeBinary(), nullable=False),
        sa.Column("sign_count", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("used_at", INSTANT, nullable=True),
        owned_by("passkeys", "user_id", "users"),
        keyed("passkeys"),
        sa.UniqueConstraint("credential_id", name=op.f("uq_passkeys_credential_id")),
    )
    op.create_index("ix_passkeys_user_id", "passkeys", ["user_id"])


def create_records():
    op.create_table(
        "audit_entries",
        sa.Column("id", IDENTITY, nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("project_id", sa.BigInteger(), nullable=True),
        sa.Column("user_id", sa.BigInteger(), nullable=True),
        sa.Column("actor", sa.String(254), nullable=False),
        sa.Column("address", sa.String(50), nullable=False),
        sa.Column("action", sa.String(50), nullable=False),
        sa.Column("thing", sa.String(300), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        owned_by("audit_entries", "account_id", "accounts"),
        owned_by("audit_entries", "project_id", "projects", ondelete="SET NULL"),
        owned_by("audit_entries", "user_id", "users", ondelete="SET NULL"),
        keyed("audit_entries"),
    )
    op.create_index("ix_audit_entries_account_id_id", "audit_entries", ["account_id", "id"])
    op.create_index("ix_audit_entries_project_id_id", "audit_entries", ["project_id", "id"])
    op.create_index("ix_audit_entries_user_id", "audit_entries", ["user_id"])
    op.create_index("ix_audit_entries_account_id_actor_id", "audit_entries", ["account_id", "actor", "id"])
    for statement in KEPT[op.get_bind().dialect.name]:
        op.execute(statement)
    op.create_table(
        "usage_days",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("requests", sa.BigInteger(), nullable=False),
        sa.Column("refusals", sa.BigInteger(), nullable=False),
        sa.Column("errors", sa.BigInteger(), nullable=False),
        owned_by("usage_days", "account_id", "accounts"),
        sa.PrimaryKeyConstraint("account_id", "day", name=op.f("pk_usage_days")),
    )
    op.create_table(
        "order_events",
        sa.Column("id", IDENTITY, nullable=False),
        sa.Column("order_id", sa.BigInteger(), nullable=False),
        sa.Column("event", sa.String(20), nullable=False),
        sa.Column("actor", sa.String(254), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        owned_by("order_events", "order_id", "orders"),
        keyed("order_events"),
    )
    op.create_index("ix_order_events_order_id", "order_events", ["order_id"])
    op.create_table(
        "application_notes",
        sa.Column("id", IDENTITY, nullable=False),
        sa.Column("application_id", sa.BigInteger(), nullable=False),
        sa.Column("author", sa.String(254), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        owned_by("application_notes", "application_id", "applications"),
        keyed("application_notes"),
    )
    op.create_index("ix_application_notes_application_id", "application_notes", ["application_id"])


# An entry of the audit log stays unchanged as long as its account exists. Only the ids of a deleted person or
# project may become NULL.
KEPT = {
    "sqlite": [
        """
        CREATE TRIGGER audit_entries_kept_before_update BEFORE UPDATE ON audit_entries
        WHEN NOT (
            NEW.id = OLD.id AND NEW.account_id = OLD.account_id AND NEW.actor = OLD.actor
            AND NEW.address = OLD.address AND NEW.action = OLD.action AND NEW.thing = OLD.thing
            AND NEW.detail = OLD.detail AND NEW.created_at = OLD.created_at
            AND (NEW.user_id IS OLD.user_id OR (
                NEW.user_id IS NULL AND NOT EXISTS (SELECT 1 FROM users WHERE id = OLD.user_id)))
            AND (NEW.project_id IS OLD.project_id OR (
                NEW.project_id IS NULL AND NOT EXISTS (SELECT 1 FROM projects WHERE id = OLD.project_id)))
        )
        BEGIN SELECT RAISE(ABORT, 'entries of the audit log are not changed'); END
        """,
        """
        CREATE TRIGGER audit_entries_kept_before_delete BEFORE DELETE ON audit_entries
        WHEN EXISTS (SELECT 1 FROM accounts WHERE id = OLD.account_id)
        BEGIN SELECT RAISE(ABORT, 'entries of the audit log are not removed'); END
        """,
    ],
    "postgresql": [
        """
        CREATE FUNCTION audit_entries_kept() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            IF TG_OP = 'UPDATE'
                AND to_jsonb(NEW) - 'user_id' - 'project_id' = to_jsonb(OLD) - 'user_id' - 'project_id'
                AND (NEW.user_id IS NOT DISTINCT FROM OLD.user_id OR (
                    NEW.user_id IS NULL AND NOT EXISTS (SELECT 1 FROM users WHERE id = OLD.user_id)))
                AND (NEW.project_id IS NOT DISTINCT FROM OLD.project_id OR (
                    NEW.project_id IS NULL AND NOT EXISTS (SELECT 1 FROM projects WHERE id = OLD.project_id)))
            THEN RETURN NEW;
            END IF;
            IF TG_OP = 'DELETE' AND NOT EXISTS (SELECT 1 FROM accounts WHERE id = OLD.account_id) THEN
                RETURN OLD;
            END IF;
            RAISE EXCEPTION 'entries of the audit log are not changed or removed'
                USING ERRCODE = 'integrity_constraint_violation';
        END $$
        """,
        """
        CREATE TRIGGER audit_entries_kept BEFORE UPDATE OR DELETE ON audit_entries
        FOR EACH ROW EXECUTE FUNCTION audit_entries_kept()
        """,
        """
        CREATE TRIGGER audit_entries_kept_whole BEFORE TRUNCATE ON audit_entries
        FOR EACH STATEMENT EXECUTE FUNCTION audit_entries_kept()
        """,
    ],
}


def create_work():
    op.create_table(
        "bulk_changes",
        sa.Column("id", IDENTITY, nullable=False),
        sa.Column("project_id", sa.BigInteger(), nullable=False),
        sa.Column("change", sa.String(20), nullable=False),
        sa.Column("value", sa.String(20), nullable=False),
        sa.Column("before", sa.Text(), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("undone_at", INSTANT, nullable=True),
        owned_by("bulk_changes", "project_id", "projects"),
        keyed("bulk_changes"),
    )
    op.create_index("ix_bulk_changes_project_id", "bulk_changes", ["project_id"])
    op.create_table(
        "imports",
        sa.Column("id", IDENTITY, nullable=False),
        sa.Column("project_id", sa.BigInteger(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=True),
        sa.Column("file_name", sa.String(300), nullable=False),
        sa.Column("file_key", sa.String(200), nullable=False),
        sa.Column("state", sa.String(20), nullable=False),
        sa.Column("dry_run", sa.Boolean(), nullable=False),
        sa.Column("options", sa.Text(), nullable=False),
        sa.Column("look", sa.Text(), nullable=False),
        sa.Column("rows_done", sa.Integer(), nullable=False),
        sa.Column("rows_total", sa.Integer(), nullable=True),
        sa.Column("photos_done", sa.Integer(), nullable=False),
        sa.Column("photos_total", sa.Integer(), nullable=True),
        sa.Column("result", sa.Text(), nullable=False),
        sa.Column("created", sa.Integer(), nullable=False),
        sa.Column("updated", sa.Integer(), nullable=False),
        sa.Column("failure", sa.Text(), nullable=False),
        sa.Column("cancelled_at", INSTANT, nullable=True),
        sa.Column("beat_at", INSTANT, nullable=True),
        sa.Column("claim", sa.String(40), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("finished_at", INSTANT, nullable=True),
        owned_by("imports", "project_id", "projects"),
        owned_by("imports", "user_id", "users", ondelete="SET NULL"),
        keyed("imports"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_imports_project_id_id", "imports", ["project_id", "id"])
    op.create_index("ix_imports_user_id", "imports", ["user_id"])
    op.create_index(
        "uq_imports_project_id_running",
        "imports",
        ["project_id"],
        unique=True,
        sqlite_where=sa.text("state = 'running'"),
        postgresql_where=sa.text("state = 'running'"),
    )
    op.create_table(
        "import_photos",
        sa.Column("id", IDENTITY, nullable=False),
        sa.Column("import_id", sa.BigInteger(), nullable=False),
        sa.Column("animal_id", sa.BigInteger(), nullable=False),
        sa.Column("row", sa.Integer(), nullable=False),
        sa.Column("header", sa.String(300), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("done_at", INSTANT, nullable=True),
        sa.Column("failure", sa.Text(), nullable=False),
        owned_by("import_photos", "import_id", "imports"),
        owned_by("import_photos", "animal_id", "animals"),
        keyed("import_photos"),
    )
    op.create_index("ix_import_photos_import_id_id", "import_photos", ["import_id", "id"])
    op.create_index("ix_import_photos_animal_id", "import_photos", ["animal_id"])


def fill_histories():
    """Write the history of existing orders: when they were placed, and last changed."""
    into = "INSERT INTO order_events (order_id, event, actor, created_at) "
    op.execute(into + "SELECT id, 'placed', 'the applicant', created_at FROM orders")
    op.execute(
        into + "SELECT id, status, CASE WHEN status = 'withdrawn' THEN 'the applicant' ELSE '' END, "
        "updated_at FROM orders WHERE status <> 'placed'"
    )


def fill_search():
    connection = op.get_bind()
    applications = sa.table("applications", *map(sa.column, ("id", "name", "email", "found_by")))
    rows = connection.execute(sa.select(applications.c.id, applications.c.name, applications.c.email)).all()
    for id_, name, email in rows:
        values = {"found_by": fold_text(f"{name} {email}")}
        connection.execute(sa.update(applications).where(applications.c.id == id_).values(values))


TABLES = (
    "import_photos",
    "imports",
    "bulk_changes",
    "application_notes",
    "order_events",
    "usage_days",
    "audit_entries",
    "passkeys",
    "invitations",
    "sign_ins",
)
COLUMNS = (
    ("letters", "application_id"),
    ("applications", "found_by"),
    ("applications", "forgotten_at"),
    ("orders", "returned_at"),
    ("deploys", "published_by"),
    ("deploys", "restores"),
    ("accounts", "requested_at"),
    ("accounts", "requested_plan"),
    ("users", "name"),
)


def downgrade():
    refuse_loss("audit_entries", "imports", "application_notes")
    op.drop_index("ix_letters_application_id", "letters")
    for table in TABLES:
        op.drop_table(table)
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP FUNCTION audit_entries_kept()")
    for table, column in COLUMNS:
        op.drop_column(table, column)
