"""The staff's side: sign-ins, members, the audit log, histories, imports and what can be undone."""

import sqlalchemy as sa
from alembic import op

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


def add_columns():
    op.add_column("users", sa.Column("name", sa.String(200), nullable=False, server_default=""))
    op.add_column("accounts", sa.Column("requested_plan", sa.String(20), nullable=True))
    op.add_column("accounts", sa.Column("requested_at", INSTANT, nullable=True))
    op.add_column("deploys", sa.Column("published_by", sa.String(254), nullable=False, server_default=""))
    op.add_column("orders", sa.Column("returned_at", INSTANT, nullable=True))
    op.add_column("applications", sa.Column("forgotten_at", INSTANT, nullable=True))


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
        owned_by("audit_entries", "project_id", "projects"),
        owned_by("audit_entries", "user_id", "users", ondelete="SET NULL"),
        keyed("audit_entries"),
    )
    op.create_index("ix_audit_entries_account_id_id", "audit_entries", ["account_id", "id"])
    op.create_index("ix_audit_entries_project_id_id", "audit_entries", ["project_id", "id"])
    op.create_index("ix_audit_entries_user_id", "audit_entries", ["user_id"])
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
        sa.Column("rows_done", sa.Integer(), nullable=False),
        sa.Column("rows_total", sa.Integer(), nullable=True),
        sa.Column("photos_done", sa.Integer(), nullable=False),
        sa.Column("photos_total", sa.Integer(), nullable=True),
        sa.Column("result", sa.Text(), nullable=False),
        sa.Column("failure", sa.Text(), nullable=False),
        sa.Column("cancelled_at", INSTANT, nullable=True),
        sa.Column("beat_at", INSTANT, nullable=True),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("finished_at", INSTANT, nullable=True),
        owned_by("imports", "project_id", "projects"),
        owned_by("imports", "user_id", "users", ondelete="SET NULL"),
        keyed("imports"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_imports_project_id_id", "imports", ["project_id", "id"])
    op.create_index("ix_imports_user_id", "imports", ["user_id"])


TABLES = (
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
    ("applications", "forgotten_at"),
    ("orders", "returned_at"),
    ("deploys", "published_by"),
    ("accounts", "requested_at"),
    ("accounts", "requested_plan"),
    ("users", "name"),
)


def downgrade():
    for table in TABLES:
        op.drop_table(table)
    for table, column in COLUMNS:
        op.drop_column(table, column)
