"""Fields for programs that read animals: dates, revisions, tags, the shelter's address, and changes.

If the public has ever seen an existing animal, its ``shown_at`` becomes the time when the animal was added.
"""

import sqlalchemy as sa
from alembic import op

revision = "0048"
down_revision = "0047"

INSTANT = sa.DateTime(timezone=True)
ANIMALS = ("shown_at", "status_changed_at", "revision", "declawed", "shots_current", "tags", "video_url")
SITE_TEXTS = (
    ("street", sa.String(200), ""),
    ("city", sa.String(100), ""),
    ("region", sa.String(100), ""),
    ("postcode", sa.String(20), ""),
    ("country", sa.String(2), ""),
    ("website", sa.String(500), ""),
    ("adoption_policy", sa.Text(), ""),
    ("language", sa.String(35), "en"),
)
DATES = """
UPDATE animals SET status_changed_at = coalesce(updated_at, created_at),
shown_at = CASE WHEN EXISTS (
    SELECT 1 FROM deploys WHERE deploys.project_id = animals.project_id AND deploys.succeeded
) AND (listed OR coalesce(listed_before_removal, false) OR EXISTS (
    SELECT 1 FROM animal_entries JOIN audit_entries ON audit_entries.id = animal_entries.entry_id
    WHERE animal_entries.animal_id = animals.id
    AND audit_entries.action IN ('animal.hidden', 'animal.held', 'animal.quarantined')
)) THEN created_at END
"""


def upgrade():
    add_to_animals()
    for table in ("projects", "deploys"):
        for name, kind, default in SITE_TEXTS:
            op.add_column(table, sa.Column(name, kind, nullable=False, server_default=default))
    op.add_column(
        "projects", sa.Column("in_directory", sa.Boolean(), nullable=False, server_default=sa.true())
    )
    op.add_column("projects", sa.Column("petfinder_id", sa.String(7), nullable=True))
    op.create_index("ix_projects_petfinder_id", "projects", ["petfinder_id"], unique=True)
    create_changes()
    op.execute(DATES)


def add_to_animals():
    for name in ("shown_at", "status_changed_at"):
        op.add_column("animals", sa.Column(name, INSTANT, nullable=True))
    op.add_column("animals", sa.Column("revision", sa.Integer(), nullable=False, server_default="1"))
    for name in ("declawed", "shots_current"):
        op.add_column("animals", sa.Column(name, sa.Boolean(), nullable=True))
    op.add_column("animals", sa.Column("tags", sa.Text(), nullable=False, server_default="[]"))
    op.add_column("animals", sa.Column("video_url", sa.String(500), nullable=True))


def create_changes():
    op.create_table(
        "changes",
        sa.Column("animal_id", sa.BigInteger().with_variant(sa.Integer, "sqlite"), autoincrement=False),
        sa.Column("project_id", sa.BigInteger(), nullable=False),
        sa.Column("at", INSTANT, nullable=False),
        sa.Column("xid", sa.BigInteger(), nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("animal_id", name="pk_changes"),
    )
    op.create_index("ix_changes_xid_seq", "changes", ["xid", "seq"])
    op.create_index("ix_changes_project_id_xid_seq", "changes", ["project_id", "xid", "seq"])


def downgrade():
    op.drop_table("changes")
    op.drop_index("ix_projects_petfinder_id", "projects")
    for column in ("petfinder_id", "in_directory"):
        op.drop_column("projects", column)
    for table in ("deploys", "projects"):
        for name, _, _ in reversed(SITE_TEXTS):
            op.drop_column(table, name)
    for column in reversed(ANIMALS):
        op.drop_column("animals", column)
