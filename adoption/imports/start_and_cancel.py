"""Start and cancellation of an import or its dry run by staff."""

import json
from datetime import UTC, datetime
from typing import Any

from sqlalchemy.orm import Session

from adoption.audit.actors import Actor
from adoption.errors import Conflict, Invalid
from adoption.imports.dry_run_questions import add_questions
from adoption.imports.import_audit import audit_import
from adoption.imports.import_choices import forget_outcome, refuse_settled, store_choices
from adoption.imports.models import UNDER_WAY, Import
from adoption.imports.queries import STALE_AFTER, lock_import, options_of
from adoption.imports.remembered_choices import remember_choices
from adoption.spreadsheets.import_options import ImportOptions
from adoption.storage import queue
from adoption.storage.database import transaction
from adoption.translations import gettext


def request_run(
    project_id: int,
    import_id: int,
    dry_run: bool,
    by: Actor,
    chosen: ImportOptions | None = None,
    now: datetime | None = None,
) -> Import:
    """Queue an import or its dry run. ``chosen`` replaces the saved choices.

    If the file must be read first, the import is queued after the reading. The import is not queued if the
    reading finds open questions. Raises NotFound if the project has no such import, Conflict if the import is
    running or done, and Invalid if questions are open.
    """
    if chosen is not None:
        store_choices(project_id, import_id, chosen)
    with transaction() as session:
        each = lock_import(session, project_id, import_id)
        refuse_settled(each)
        each.user_id = by.user_id
        if each.state == "reading":
            each.run_next = "try" if dry_run else "import"
            return each
        queue_run(session, each, dry_run, by, now or datetime.now(UTC))
    queue.start_job("run_imports")
    return each


def queue_run(session: Session, each: Import, dry_run: bool, by: Actor, now: datetime) -> None:
    """Queue the import or dry run of a file that has been read. Raises Invalid if questions are open."""
    refuse_unanswered(each, dry_run)
    remember_choices(session, each.project_id, json.loads(each.look), options_of(each), now)
    forget_outcome(session, each)
    each.state, each.dry_run, each.beat_at = "waiting", dry_run, None
    audit_import(session, by, "import.tried" if dry_run else "import.started", each, now=now)


def refuse_unanswered(each: Import, dry_run: bool) -> None:
    """Raise Invalid if questions are open. The error lists all open questions."""
    options = options_of(each)
    look = add_questions(json.loads(each.look), options)
    wrong = [(name, sentence) for name, sentence in look.get("errors", [])]
    if look["file"]["asks_encoding"]:
        wrong.append(("encoding", gettext("Choose the line whose letters look right")))
    if look["nameless"]:
        wrong.append(
            (
                "columns",
                gettext("Choose the column with the animals' names, or the column with the shelter's codes"),
            )
        )
    has_species = any(column["choice"] in ("species", "code") for column in look["columns"])
    if not has_species and options.category is None:
        wrong.append(
            ("category", gettext("Choose the species of the animals, because no column has the species"))
        )
    if look["open_date"] and options.day_first is None:
        wrong.append(("day_first", gettext("Choose whether the day or the month comes first")))
    if not dry_run and has_open_clashes(look, options):
        wrong.append(("clash", gettext("Choose what to do with the codes that belong to two animals")))
    if wrong:
        raise Invalid(wrong)


def has_open_clashes(look: dict[str, Any], options: ImportOptions) -> bool:
    """Return whether a code belongs to two animals, and the user has not decided about this code."""
    if options.clash or not look.get("clash_count"):
        return False
    codes = [each["code"] for each in look["clashes"]]
    return look["clash_count"] > len(codes) or any(not options.clash_of(code) for code in codes)


def cancel_import(project_id: int, import_id: int, by: Actor, now: datetime | None = None) -> Import:
    """Cancel an import. A running job stops at its next step. Without a living job, the import ends at once.

    Raises NotFound if the project has no such import, and Conflict if the import is not running.
    """
    now = now or datetime.now(UTC)
    with transaction() as session:
        each = lock_import(session, project_id, import_id)
        if each.state not in UNDER_WAY:
            raise Conflict(gettext("This import is not running any more."))
        if each.undo_asked_at is not None:
            raise Conflict(
                gettext("An undo cannot be stopped. Import the file again if you need the animals.")
            )
        if each.cancelled_at is None:
            each.cancelled_at = now
            audit_import(session, by, "import.cancelled", each, now=now)
        dead = each.beat_at is None or each.beat_at < now - STALE_AFTER
        if each.state == "waiting" or dead:
            each.state, each.claim, each.finished_at = "cancelled", "", now
        return each
