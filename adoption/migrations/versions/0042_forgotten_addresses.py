"""Allow the removal of network and email addresses from the audit log. Nothing else can be changed.

If the actor of an entry is an email address, ``a member`` replaces the address. If the thing of an entry
about the team is an email address, the thing becomes empty.
"""

from alembic import op

revision = "0042"
down_revision = "0041"

DROP = "DROP TRIGGER audit_entries_kept_before_update"

TRIGGERS = {
    "sqlite": [
        DROP,
        """
        CREATE TRIGGER audit_entries_kept_before_update BEFORE UPDATE ON audit_entries
        WHEN NOT (
            NEW.id = OLD.id AND NEW.account_id = OLD.account_id AND NEW.action = OLD.action
            AND NEW.detail = OLD.detail AND NEW.created_at = OLD.created_at
            AND (NEW.address = OLD.address OR NEW.address = '')
            AND (NEW.actor = OLD.actor OR (NEW.actor = 'a member' AND instr(OLD.actor, '@') > 0))
            AND (NEW.thing = OLD.thing OR (NEW.thing = '' AND instr(OLD.thing, '@') > 0 AND (
                substr(OLD.action, 1, 7) = 'member.' OR substr(OLD.action, 1, 11) = 'invitation.')))
            AND (NEW.user_id IS OLD.user_id OR (
                NEW.user_id IS NULL AND NOT EXISTS (SELECT 1 FROM users WHERE id = OLD.user_id)))
            AND (NEW.project_id IS OLD.project_id OR (
                NEW.project_id IS NULL AND NOT EXISTS (SELECT 1 FROM projects WHERE id = OLD.project_id)))
        )
        BEGIN SELECT RAISE(ABORT, 'entries of the audit log are not changed'); END
        """,
    ],
    "postgresql": [
        """
        CREATE OR REPLACE FUNCTION audit_entries_kept() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            IF TG_OP = 'UPDATE'
                AND to_jsonb(NEW) - '{user_id,project_id,address,actor,thing}'::text[]
                    = to_jsonb(OLD) - '{user_id,project_id,address,actor,thing}'::text[]
                AND (NEW.address = OLD.address OR NEW.address = '')
                AND (NEW.actor = OLD.actor OR (NEW.actor = 'a member' AND strpos(OLD.actor, '@') > 0))
                AND (NEW.thing = OLD.thing OR (NEW.thing = '' AND strpos(OLD.thing, '@') > 0 AND (
                    starts_with(OLD.action, 'member.') OR starts_with(OLD.action, 'invitation.'))))
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
    ],
}
EARLIER = {
    "sqlite": [
        DROP,
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
    ],
    "postgresql": [
        """
        CREATE OR REPLACE FUNCTION audit_entries_kept() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
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
    ],
}


def upgrade():
    for statement in TRIGGERS[op.get_bind().dialect.name]:
        op.execute(statement)


def downgrade():
    for statement in EARLIER[op.get_bind().dialect.name]:
        op.execute(statement)
