"""Projects whose animals are being published or hidden in portions.

A project with more than 1,000 animals gets a row instead of one statement that changes all of them.
"""

import sqlalchemy as sa
from alembic import op

revision = "0036"
down_revision = "0035"

TRIGGERS = {
    "sqlite": [
        "DROP TRIGGER projects_published_after_update",
        """
        CREATE TRIGGER projects_published_after_update AFTER UPDATE OF live_deploy ON projects
        WHEN (OLD.live_deploy IS NULL) <> (NEW.live_deploy IS NULL) BEGIN
            INSERT OR REPLACE INTO visibility_changes (project_id, after_id)
            SELECT NEW.id, 0 WHERE EXISTS (
                SELECT 1 FROM animals WHERE project_id = NEW.id LIMIT 1 OFFSET 1000
            );
            UPDATE animals SET published = NEW.live_deploy IS NOT NULL WHERE project_id = NEW.id
            AND NOT EXISTS (SELECT 1 FROM visibility_changes WHERE project_id = NEW.id);
        END
        """,
    ],
    "postgresql": [
        """
        CREATE OR REPLACE FUNCTION projects_published() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            INSERT INTO visibility_changes (project_id, after_id)
            SELECT NEW.id, 0 WHERE EXISTS (
                SELECT 1 FROM animals WHERE project_id = NEW.id LIMIT 1 OFFSET 1000
            )
            ON CONFLICT (project_id) DO UPDATE SET after_id = 0;
            IF NOT FOUND THEN
                UPDATE animals SET published = NEW.live_deploy IS NOT NULL WHERE project_id = NEW.id;
            END IF;
            RETURN NULL;
        END $$
        """,
    ],
}
EARLIER = {
    "sqlite": [
        "DROP TRIGGER projects_published_after_update",
        """
        CREATE TRIGGER projects_published_after_update AFTER UPDATE OF live_deploy ON projects
        WHEN (OLD.live_deploy IS NULL) <> (NEW.live_deploy IS NULL) BEGIN
            UPDATE animals SET published = NEW.live_deploy IS NOT NULL WHERE project_id = NEW.id;
        END
        """,
    ],
    "postgresql": [
        """
        CREATE OR REPLACE FUNCTION projects_published() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            UPDATE animals SET published = NEW.live_deploy IS NOT NULL WHERE project_id = NEW.id;
            RETURN NULL;
        END $$
        """,
    ],
}
CATCH_UP = """
UPDATE animals SET published = (SELECT live_deploy IS NOT NULL FROM projects WHERE id = animals.project_id)
WHERE project_id IN (SELECT project_id FROM visibility_changes)
"""


def upgrade():
    op.create_table(
        "visibility_changes",
        sa.Column("project_id", sa.BigInteger().with_variant(sa.Integer, "sqlite"), autoincrement=False),
        sa.Column("after_id", sa.BigInteger(), nullable=False, server_default="0"),
        sa.ForeignKeyConstraint(
            ["project_id"],
            ["projects.id"],
            name="fk_visibility_changes_project_id_projects",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("project_id", name="pk_visibility_changes"),
    )
    for statement in TRIGGERS[op.get_bind().dialect.name]:
        op.execute(statement)


def downgrade():
    for statement in EARLIER[op.get_bind().dialect.name]:
        op.execute(statement)
    op.execute(CATCH_UP)
    op.drop_table("visibility_changes")
