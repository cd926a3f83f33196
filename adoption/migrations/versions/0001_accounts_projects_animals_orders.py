"""Accounts, projects, animals and orders."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


CATEGORIES = [
    (1, "Dog"),
    (2, "Cat"),
    (3, "Rabbit"),
    (4, "Small & furry"),
    (5, "Bird"),
    (6, "Horse"),
    (7, "Barnyard"),
    (8, "Reptile"),
    (9, "Fish"),
    (10, "Other"),
]


def upgrade():
    op.create_table(
        "accounts",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("plan", sa.String(length=20), nullable=False),
        sa.Column("per_minute", sa.Integer(), nullable=True),
        sa.Column("per_day", sa.Integer(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "plan IN ('free', 'pro', 'business', 'enterprise')", name=op.f("ck_accounts_plan_known")
        ),
        sa.CheckConstraint("per_minute > 0 AND per_day > 0", name=op.f("ck_accounts_quota_positive")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_accounts")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "categories",
        sa.Column(
            "id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=False, nullable=False
        ),
        sa.Column("name", sa.String(length=50), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_categories")),
        sa.UniqueConstraint("name", name=op.f("uq_categories_name")),
    )
    op.bulk_insert(
        sa.table("categories", sa.column("id", sa.BigInteger), sa.column("name", sa.String)),
        [{"id": id_, "name": name} for id_, name in CATEGORIES],
    )
    op.create_table(
        "users",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("email", sa.String(length=254), nullable=False),
        sa.Column("password_hash", sa.String(length=200), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_users")),
        sa.UniqueConstraint("email", name=op.f("uq_users_email")),
    )
    op.create_table(
        "members",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("role", sa.String(length=10), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("role IN ('owner', 'staff')", name=op.f("ck_members_role_known")),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_members_account_id_accounts"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_members_user_id_users"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_members")),
        sa.UniqueConstraint("account_id", "user_id", name=op.f("uq_members_account_id_user_id")),
    )
    with op.batch_alter_table("members", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_members_user_id"), ["user_id"], unique=False)

    op.create_table(
        "projects",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("slug", sa.String(length=63), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("about", sa.Text(), nullable=False),
        sa.Column("place", sa.String(length=200), nullable=False),
        sa.Column("contact_email", sa.String(length=254), nullable=False),
        sa.Column("contact_phone", sa.String(length=50), nullable=False),
        sa.Column("live_deploy", sa.Integer(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_projects_account_id_accounts"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_projects")),
        sa.UniqueConstraint("slug", name=op.f("uq_projects_slug")),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("projects", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_projects_account_id"), ["account_id"], unique=False)

    op.create_table(
        "api_keys",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("project_id", sa.BigInteger(), nullable=False),
        sa.Column("public_id", sa.String(length=20), nullable=False),
        sa.Column("secret_hash", sa.String(length=64), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("scopes", sa.String(length=100), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_used_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_api_keys_project_id_projects"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_api_keys")),
        sa.UniqueConstraint("public_id", name=op.f("uq_api_keys_public_id")),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("api_keys", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_api_keys_project_id"), ["project_id"], unique=False)

    op.create_table(
        "bonds",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("project_id", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_bonds_project_id_projects"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_bonds")),
    )
    with op.batch_alter_table("bonds", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_bonds_project_id"), ["project_id"], unique=False)

    op.create_table(
        "deploys",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("project_id", sa.BigInteger(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("succeeded", sa.Boolean(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_deploys_project_id_projects"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_deploys")),
        sa.UniqueConstraint("project_id", "number", name=op.f("uq_deploys_project_id_number")),
    )
    op.create_table(
        "idempotency_keys",
        sa.Column("project_id", sa.BigInteger(), nullable=False),
        sa.Column("key", sa.String(length=255), nullable=False),
        sa.Column("fingerprint", sa.String(length=64), nullable=False),
        sa.Column("animal_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("category_id", sa.BigInteger(), nullable=False),
        sa.Column("status", sa.String(length=20), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"],
            ["projects.id"],
            name=op.f("fk_idempotency_keys_project_id_projects"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("project_id", "key", name=op.f("pk_idempotency_keys")),
    )
    with op.batch_alter_table("idempotency_keys", schema=None) as batch_op:
        batch_op.create_index(
            "ix_idempotency_keys_project_id_created_at", ["project_id", "created_at"], unique=False
        )

    op.create_table(
        "animals",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("project_id", sa.BigInteger(), nullable=False),
        sa.Column("category_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("status", sa.String(length=20), nullable=False),
        sa.Column("listed", sa.Boolean(), server_default=sa.true(), nullable=False),
        sa.Column("code", sa.String(length=100), nullable=True),
        sa.Column("breed_primary", sa.String(length=100), nullable=True),
        sa.Column("breed_secondary", sa.String(length=100), nullable=True),
        sa.Column("breed_mixed", sa.Boolean(), nullable=False),
        sa.Column("breed_unknown", sa.Boolean(), nullable=False),
        sa.Column("sex", sa.String(length=10), nullable=True),
        sa.Column("altered", sa.Boolean(), nullable=True),
        sa.Column("birth_date", sa.Date(), nullable=True),
        sa.Column("birth_date_estimated", sa.Boolean(), nullable=False),
        sa.Column("size", sa.String(length=10), nullable=True),
        sa.Column("coat", sa.String(length=10), nullable=True),
        sa.Column("colours", sa.String(length=200), nullable=True),
        sa.Column("good_with_children", sa.Boolean(), nullable=True),
        sa.Column("good_with_dogs", sa.Boolean(), nullable=True),
        sa.Column("good_with_cats", sa.Boolean(), nullable=True),
        sa.Column("house_trained", sa.Boolean(), nullable=True),
        sa.Column("special_needs", sa.Boolean(), nullable=False),
        sa.Column("special_needs_note", sa.Text(), nullable=False),
        sa.Column("fee_cents", sa.Integer(), nullable=True),
        sa.Column("bond_id", sa.BigInteger(), nullable=True),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("arrival_date", sa.Date(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "coat IN ('hairless', 'short', 'medium', 'long', 'wire', 'curly')",
            name=op.f("ck_animals_coat_known"),
        ),
        sa.CheckConstraint("sex IN ('female', 'male')", name=op.f("ck_animals_sex_known")),
        sa.CheckConstraint(
            "size IN ('small', 'medium', 'large', 'xlarge')", name=op.f("ck_animals_size_known")
        ),
        sa.CheckConstraint(
            "status IN ('available', 'pending', 'sold')", name=op.f("ck_animals_status_known")
        ),
        sa.CheckConstraint("fee_cents >= 0", name=op.f("ck_animals_fee_not_negative")),
        sa.ForeignKeyConstraint(
            ["bond_id"], ["bonds.id"], name=op.f("fk_animals_bond_id_bonds"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["category_id"], ["categories.id"], name=op.f("fk_animals_category_id_categories")
        ),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_animals_project_id_projects"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_animals")),
        sa.UniqueConstraint("project_id", "code", name=op.f("uq_animals_project_id_code")),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("animals", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_animals_bond_id"), ["bond_id"], unique=False)
        batch_op.create_index(
            "ix_animals_category_id_id_listed",
            ["category_id", "id"],
            unique=False,
            sqlite_where=sa.text("listed = 1"),
            postgresql_where=sa.text("listed"),
        )
        batch_op.create_index(
            "ix_animals_project_id_id_name_category_id_status_listed",
            ["project_id", "id", "name", "category_id", "status"],
            unique=False,
            sqlite_where=sa.text("listed = 1"),
            postgresql_where=sa.text("listed"),
        )
        batch_op.create_index(
            "ix_animals_project_id_status_id_name_category_id_listed",
            ["project_id", "status", "id", "name", "category_id"],
            unique=False,
            sqlite_where=sa.text("listed = 1"),
            postgresql_where=sa.text("listed"),
        )

    op.create_table(
        "care_records",
        sa.Column("animal_id", sa.BigInteger(), nullable=False),
        sa.Column("microchip", sa.String(length=50), nullable=True),
        sa.Column("on_hold", sa.Boolean(), nullable=False),
        sa.Column("in_quarantine", sa.Boolean(), nullable=False),
        sa.Column("internal_notes", sa.Text(), nullable=False),
        sa.Column("surrenderer", sa.Text(), nullable=False),
        sa.Column("foster_address", sa.Text(), nullable=False),
        sa.Column("arrival_details", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["animal_id"], ["animals.id"], name=op.f("fk_care_records_animal_id_animals"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("animal_id", name=op.f("pk_care_records")),
    )
    op.create_table(
        "orders",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("project_id", sa.BigInteger(), nullable=False),
        sa.Column("animal_id", sa.BigInteger(), nullable=False),
        sa.Column("status", sa.String(length=20), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "status IN ('placed', 'approved', 'completed', 'declined', 'withdrawn')",
            name=op.f("ck_orders_status_known"),
        ),
        sa.ForeignKeyConstraint(
            ["animal_id"], ["animals.id"], name=op.f("fk_orders_animal_id_animals"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_orders_project_id_projects"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_orders")),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("orders", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_orders_animal_id"), ["animal_id"], unique=False)
        batch_op.create_index("ix_orders_project_id_id", ["project_id", "id"], unique=False)
        batch_op.create_index("ix_orders_project_id_status_id", ["project_id", "status", "id"], unique=False)


def downgrade():
    with op.batch_alter_table("orders", schema=None) as batch_op:
        batch_op.drop_index("ix_orders_project_id_status_id")
        batch_op.drop_index("ix_orders_project_id_id")
        batch_op.drop_index(batch_op.f("ix_orders_animal_id"))

    op.drop_table("orders")
    op.drop_table("care_records")
    with op.batch_alter_table("animals", schema=None) as batch_op:
        batch_op.drop_index(
            "ix_animals_project_id_status_id_name_category_id_listed",
            sqlite_where=sa.text("listed = 1"),
            postgresql_where=sa.text("listed"),
        )
        batch_op.drop_index(
            "ix_animals_project_id_id_name_category_id_status_listed",
            sqlite_where=sa.text("listed = 1"),
            postgresql_where=sa.text("listed"),
        )
        batch_op.drop_index(
            "ix_animals_category_id_id_listed",
            sqlite_where=sa.text("listed = 1"),
            postgresql_where=sa.text("listed"),
        )
        batch_op.drop_index(batch_op.f("ix_animals_bond_id"))

    op.drop_table("animals")
    with op.batch_alter_table("idempotency_keys", schema=None) as batch_op:
        batch_op.drop_index("ix_idempotency_keys_project_id_created_at")

    op.drop_table("idempotency_keys")
    op.drop_table("deploys")
    with op.batch_alter_table("bonds", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_bonds_project_id"))

    op.drop_table("bonds")
    with op.batch_alter_table("api_keys", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_api_keys_project_id"))

    op.drop_table("api_keys")
    with op.batch_alter_table("projects", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_projects_account_id"))

    op.drop_table("projects")
    with op.batch_alter_table("members", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_members_user_id"))

    op.drop_table("members")
    op.drop_table("users")
    op.drop_table("categories")
    op.drop_table("accounts")
