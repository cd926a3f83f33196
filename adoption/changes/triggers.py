"""Triggers that record every change that readers of an animal's record can see.

The triggers set ``revision``, ``status_changed_at`` and ``shown_at`` of ``Animal``, and write the table
``changes``, whichever code changes the animal. Functions that change photos set ``updated_at``, so that the
triggers record a change.
"""

from sqlalchemy import Connection, inspect, text

UNSEEN = {"id", "project_id", "created_at", "preview_number", "preview_made_at", "listed_before_removal"}
"""Columns of ``animals`` that no reader can see, or that never change."""
DERIVED = {"words", "search", "description_html", "description_beginning", "needs_html"}
"""Columns that are computed from other columns."""
SET_BY_TRIGGERS = {"revision", "status_changed_at", "shown_at"}

PARTS = {
    "status_changed_at": """
        CASE WHEN NEW.status = OLD.status THEN NEW.status_changed_at ELSE NEW.updated_at END""",
    "shown_at": """CASE
        WHEN NEW.shown_at IS NOT NULL OR NOT NEW.listed OR NOT NEW.published THEN NEW.shown_at
        WHEN OLD.published THEN NEW.updated_at
        ELSE coalesce((
            SELECT deploys.created_at FROM deploys JOIN projects ON projects.id = deploys.project_id
            WHERE projects.id = NEW.project_id AND deploys.number = projects.live_deploy
        ), NEW.updated_at) END""",
    # An animal's record contains the animals that it is bonded with, if the reader may see them.
    "mates_change": "NEW.bond_id IS DISTINCT FROM OLD.bond_id OR NEW.listed <> OLD.listed",
    "touch_mates": """
        UPDATE animals SET updated_at = NEW.updated_at
        WHERE bond_id IN (OLD.bond_id, NEW.bond_id) AND id <> NEW.id AND updated_at <> NEW.updated_at""",
    "new_animal": "NEW.id AS id, NEW.project_id AS project_id, 1 AS place",
    "old_animal": "OLD.id AS id, OLD.project_id AS project_id, 1 AS place",
    "shown_animals": """
        id, project_id, row_number() OVER (ORDER BY id) AS place
        FROM animals WHERE project_id = NEW.id AND listed AND published ORDER BY id""",
    "replace": """
        ON CONFLICT (animal_id) DO UPDATE SET
        project_id = excluded.project_id, at = excluded.at, xid = excluded.xid, seq = excluded.seq""",
    # Not max(xid), for which SQLite would read the whole index here.
    "last_xid": "(SELECT xid FROM changes ORDER BY xid DESC LIMIT 1)",
    "this_xid": "pg_current_xact_id()::text::bigint",
    "columns_of_changes": "animal_id, project_id, at, xid, seq",
}
# SQLite has one writer at a time, so the next number is above all committed ones.
SQLITE_RECORD = """
    INSERT INTO changes ({columns_of_changes})
    SELECT one.id, one.project_id, strftime('%Y-%m-%d %H:%M:%f000', 'now'), last.xid + place, last.xid + place
    FROM (SELECT {animals}) AS one, (SELECT coalesce({last_xid}, 0) AS xid) AS last WHERE true {replace};"""
SQLITE = (
    """
    CREATE TRIGGER animals_changed_after_insert AFTER INSERT ON animals BEGIN
        UPDATE animals SET
            published = NEW.published OR live.is_live,
            shown_at = CASE WHEN NEW.listed AND (NEW.published OR live.is_live) THEN NEW.created_at END,
            status_changed_at = NEW.created_at
        FROM (SELECT live_deploy IS NOT NULL AS is_live FROM projects WHERE id = NEW.project_id) AS live
        WHERE id = NEW.id AND NEW.status_changed_at IS NULL;
        {record_new}
    END
    """,
    """
    CREATE TRIGGER animals_changed_after_update AFTER UPDATE OF {columns} ON animals
    WHEN ({new}) IS DISTINCT FROM ({old}) AND OLD.status_changed_at IS NOT NULL BEGIN
        UPDATE animals SET
            revision = OLD.revision + 1, status_changed_at = {status_changed_at}, shown_at = {shown_at}
        WHERE id = NEW.id;
        {record_new}
    END
    """,
    """
    CREATE TRIGGER animals_mates_after_update AFTER UPDATE OF bond_id, listed ON animals
    WHEN {mates_change} BEGIN {touch_mates}; END
    """,
    "CREATE TRIGGER animals_changed_after_delete AFTER DELETE ON animals BEGIN {record_old} END",
    """
    CREATE TRIGGER projects_changed_after_update AFTER UPDATE OF in_directory ON projects
    WHEN NEW.in_directory <> OLD.in_directory BEGIN {record_shown} END
    """,
)
POSTGRESQL_RECORD = """
    INSERT INTO changes ({columns_of_changes})
    SELECT one.id, one.project_id, clock_timestamp(), {this_xid}, nextval('changes_seq')
    FROM (SELECT {animals}) AS one {replace};"""
POSTGRESQL = (
    # The function compares the columns, because the type of a column in a trigger's WHEN cannot be changed.
    """
    CREATE FUNCTION animals_revised() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF TG_OP = 'INSERT' THEN
            NEW.status_changed_at := NEW.created_at;
            NEW.shown_at := CASE WHEN NEW.listed AND NEW.published THEN NEW.created_at END;
        ELSIF ({new}) IS DISTINCT FROM ({old}) THEN
            NEW.revision := OLD.revision + 1;
            NEW.status_changed_at := {status_changed_at};
            NEW.shown_at := {shown_at};
        END IF;
        RETURN NEW;
    END $$
    """,
    # Triggers run in the order of their names: this one after animals_published_before_insert.
    """
    CREATE TRIGGER animals_revised_before_insert BEFORE INSERT ON animals
    FOR EACH ROW WHEN (NEW.status_changed_at IS NULL) EXECUTE FUNCTION animals_revised()
    """,
    """
    CREATE TRIGGER animals_revised_before_update BEFORE UPDATE ON animals
    FOR EACH ROW EXECUTE FUNCTION animals_revised()
    """,
    """
    CREATE FUNCTION animals_changed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF TG_OP = 'DELETE' THEN {record_old} RETURN NULL; END IF;
        {record_new}
        IF TG_OP = 'UPDATE' AND ({mates_change}) THEN {touch_mates}; END IF;
        RETURN NULL;
    END $$
    """,
    """
    CREATE TRIGGER animals_changed_after_insert_or_delete AFTER INSERT OR DELETE ON animals
    FOR EACH ROW EXECUTE FUNCTION animals_changed()
    """,
    """
    CREATE TRIGGER animals_changed_after_update AFTER UPDATE ON animals
    FOR EACH ROW WHEN (NEW.revision <> OLD.revision) EXECUTE FUNCTION animals_changed()
    """,
    """
    CREATE FUNCTION projects_changed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        {record_shown} RETURN NULL;
    END $$
    """,
    """
    CREATE TRIGGER projects_changed_after_update AFTER UPDATE OF in_directory ON projects
    FOR EACH ROW WHEN (NEW.in_directory <> OLD.in_directory) EXECUTE FUNCTION projects_changed()
    """,
)
DROP = {
    "sqlite": (
        "DROP TRIGGER IF EXISTS animals_changed_after_insert",
        "DROP TRIGGER IF EXISTS animals_changed_after_update",
        "DROP TRIGGER IF EXISTS animals_mates_after_update",
        "DROP TRIGGER IF EXISTS animals_changed_after_delete",
        "DROP TRIGGER IF EXISTS projects_changed_after_update",
    ),
    "postgresql": (
        "DROP FUNCTION IF EXISTS animals_revised() CASCADE",
        "DROP FUNCTION IF EXISTS animals_changed() CASCADE",
        "DROP FUNCTION IF EXISTS projects_changed() CASCADE",
    ),
}


def create_triggers(connection: Connection) -> None:
    """Create the triggers for the current columns of ``animals``, in place of earlier triggers.

    A migration that adds a column to ``animals`` calls this function afterwards.
    """
    drop_triggers(connection)
    is_sqlite = connection.dialect.name == "sqlite"
    record = SQLITE_RECORD if is_sqlite else POSTGRESQL_RECORD
    names = seen_columns(connection)
    parts = PARTS | {"columns": ", ".join(names)}
    for row in ("old", "new"):
        parts[row] = ", ".join(f"{row.upper()}.{name}" for name in names)
        parts[f"record_{row}"] = record.format(animals=PARTS[f"{row}_animal"], **PARTS)
    parts["record_shown"] = record.format(animals=PARTS["shown_animals"], **PARTS)
    for statement in SQLITE if is_sqlite else POSTGRESQL:
        connection.execute(text(statement.format_map(parts)))


def drop_triggers(connection: Connection) -> None:
    for statement in DROP[connection.dialect.name]:
        connection.execute(text(statement))


def seen_columns(connection: Connection) -> list[str]:
    """Return the columns of ``animals`` whose changes a reader can see."""
    every = [column["name"] for column in inspect(connection).get_columns("animals")]
    return [name for name in every if name not in UNSEEN | DERIVED | SET_BY_TRIGGERS]
