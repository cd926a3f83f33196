"""Shelters' own domains, and the account that last verified each host."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

IDENTITY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
INSTANT = sa.DateTime(timezone=True)


def upgrade():
    op.create_table(
        "domains",
        sa.Column("id", IDENTITY, nullable=False),
        sa.Column("project_id", sa.BigInteger(), nullable=False),
        sa.Column("host", sa.String(253), nullable=False),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("verified_host", sa.String(253), nullable=True),
        sa.Column("primary_of", sa.BigInteger(), nullable=True),
        sa.Column("wants_primary", sa.Boolean(), nullable=False),
        sa.Column("redirect_status", sa.Integer(), nullable=True),
        sa.Column("redirects_to", sa.BigInteger(), nullable=True),
        sa.Column("token", sa.String(50), nullable=False),
        sa.Column("report", sa.Text(), nullable=False),
        sa.Column("checked_at", INSTANT, nullable=True),
        sa.Column("unanswered_at", INSTANT, nullable=True),
        sa.Column("unanswered_why", sa.Text(), nullable=False),
        sa.Column("watched_since", INSTANT, nullable=False),
        sa.Column("next_check_at", INSTANT, nullable=True),
        sa.Column("verified_at", INSTANT, nullable=True),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.CheckConstraint(
            "state IN ('unverified', 'verified', 'attention')", name=op.f("ck_domains_state_known")
        ),
        sa.CheckConstraint(
            "redirect_status IN (301, 302, 307, 308)", name=op.f("ck_domains_redirect_status_known")
        ),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_domains_project_id_projects"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["redirects_to"],
            ["domains.id"],
            name=op.f("fk_domains_redirects_to_domains"),
            ondelete="SET NULL",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_domains")),
        sa.UniqueConstraint("project_id", "host", name=op.f("uq_domains_project_id_host")),
        sa.UniqueConstraint("verified_host", name=op.f("uq_domains_verified_host")),
        sa.UniqueConstraint("primary_of", name=op.f("uq_domains_primary_of")),
    )
    for column in ("host", "redirects_to", "next_check_at"):
        op.create_index(op.f(f"ix_domains_{column}"), "domains", [column])
    op.create_table(
        "domain_tombstones",
        sa.Column("host", sa.String(253), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("verified_at", INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("host", name=op.f("pk_domain_tombstones")),
    )


def downgrade():
    op.drop_table("domain_tombstones")
    op.drop_table("domains")
