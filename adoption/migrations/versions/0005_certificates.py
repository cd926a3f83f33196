"""Certificates of domains, their orders, and our accounts at authorities."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

IDENTITY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
INSTANT = sa.DateTime(timezone=True)
UNDER_WAY = sa.text("state <> 'failed'")


def upgrade():
    with op.batch_alter_table("domains") as table:
        table.add_column(sa.Column("caa_allows", sa.Boolean(), nullable=False, server_default=sa.false()))
        table.add_column(sa.Column("pressed_at", INSTANT, nullable=True))
    with op.batch_alter_table("domains") as table:
        table.alter_column("caa_allows", server_default=None)
    op.create_table(
        "certificates",
        sa.Column("domain_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("chain", sa.Text(), nullable=False),
        sa.Column("private_key", sa.Text(), nullable=False),
        sa.Column("serial", sa.String(40), nullable=False),
        sa.Column("issued_at", INSTANT, nullable=False),
        sa.Column("not_after", INSTANT, nullable=False),
        sa.Column("renew_at", INSTANT, nullable=False),
        sa.Column("ask_renewal_at", INSTANT, nullable=False),
        sa.Column("live_since", INSTANT, nullable=True),
        sa.Column("seen_at", INSTANT, nullable=True),
        sa.Column("looked_at", INSTANT, nullable=True),
        sa.Column("next_look_at", INSTANT, nullable=True),
        sa.Column("unseen_why", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["domain_id"],
            ["domains.id"],
            name=op.f("fk_certificates_domain_id_domains"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("domain_id", name=op.f("pk_certificates")),
    )
    for column in ("renew_at", "ask_renewal_at", "next_look_at"):
        op.create_index(op.f(f"ix_certificates_{column}"), "certificates", [column])
    op.create_table(
        "certificate_orders",
        sa.Column("id", IDENTITY, nullable=False),
        sa.Column("domain_id", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("private_key", sa.Text(), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("token", sa.Text(), nullable=False),
        sa.Column("key_authorization", sa.Text(), nullable=False),
        sa.Column("began_at", INSTANT, nullable=False),
        sa.Column("next_step_at", INSTANT, nullable=True),
        sa.Column("unreached", sa.Integer(), nullable=False),
        sa.Column("unreached_why", sa.Text(), nullable=False),
        sa.Column("code", sa.String(60), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.Column("failed_at", INSTANT, nullable=True),
        sa.Column("next_try_at", INSTANT, nullable=True),
        sa.CheckConstraint(
            "state IN ('ordering', 'validating', 'failed')", name=op.f("ck_certificate_orders_state_known")
        ),
        sa.ForeignKeyConstraint(
            ["domain_id"],
            ["domains.id"],
            name=op.f("fk_certificate_orders_domain_id_domains"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_certificate_orders")),
    )
    for column in ("domain_id", "next_step_at"):
        op.create_index(op.f(f"ix_certificate_orders_{column}"), "certificate_orders", [column])
    op.create_index(
        "uq_certificate_orders_under_way",
        "certificate_orders",
        ["domain_id"],
        unique=True,
        sqlite_where=UNDER_WAY,
        postgresql_where=UNDER_WAY,
    )
    op.create_table(
        "authority_accounts",
        sa.Column("directory", sa.String(500), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("private_key", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("directory", name=op.f("pk_authority_accounts")),
    )


def downgrade():
    op.drop_table("authority_accounts")
    op.drop_table("certificate_orders")
    op.drop_table("certificates")
    with op.batch_alter_table("domains") as table:
        table.drop_column("pressed_at")
        table.drop_column("caa_allows")
