"""Triggers that count and record the changes of animals, and the first rows of ``changes``."""

from alembic import op

from adoption.changes.triggers import create_triggers, drop_triggers

revision = "0050"
down_revision = "0049"

DATES = """
UPDATE animals SET status_changed_at = coalesce(updated_at, created_at),
shown_at = coalesce(shown_at, CASE WHEN listed AND published THEN created_at END)
WHERE status_changed_at IS NULL
"""
FIRST_CHANGES = {
    "sqlite": """
        INSERT INTO changes (animal_id, project_id, at, xid, seq)
        SELECT id, project_id, updated_at, row_number() OVER (ORDER BY id), row_number() OVER (ORDER BY id)
        FROM animals WHERE listed
        """,
    "postgresql": """
        INSERT INTO changes (animal_id, project_id, at, xid, seq)
        SELECT id, project_id, updated_at, pg_current_xact_id()::text::bigint, nextval('changes_seq')
        FROM animals WHERE listed ORDER BY id
        """,
}
PUBLISHED_AFTER_INSERT = """
CREATE TRIGGER animals_published_after_insert AFTER INSERT ON animals
WHEN NEW.published = 0 AND (SELECT live_deploy FROM projects WHERE id = NEW.project_id) IS NOT NULL
BEGIN
    UPDATE animals SET published = 1 WHERE id = NEW.id;
END
"""


def upgrade():
    op.execute(DATES)
    if op.get_bind().dialect.name == "sqlite":
        op.execute("DROP TRIGGER animals_published_after_insert")
    else:
        op.execute("CREATE SEQUENCE changes_seq OWNED BY changes.seq")
    op.execute(FIRST_CHANGES[op.get_bind().dialect.name])
    create_triggers(op.get_bind())


def downgrade():
    drop_triggers(op.get_bind())
    op.execute("DELETE FROM changes")
    if op.get_bind().dialect.name == "sqlite":
        op.execute(PUBLISHED_AFTER_INSERT)
    else:
        op.execute("DROP SEQUENCE changes_seq")
