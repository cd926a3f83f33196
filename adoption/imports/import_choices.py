"""Changes of the user's choices for an uploaded spreadsheet."""

import json
from dataclasses import replace

from sqlalchemy import delete, or_
from sqlalchemy.orm import Session

from adoption.errors import Conflict
from adoption.imports.models import NOT_READ, UNDER_WAY, Import, ImportPhoto
from adoption.imports.queries import import_of, lock_import, options_of, reload_import
from adoption.imports.remembered_choices import forget_remembered_choices
from adoption.spreadsheets.import_options import ImportOptions
from adoption.storage import queue
from adoption.storage.database import reading, transaction
from adoption.translations import gettext


def store_choices(project_id: int, import_id: int, chosen: ImportOptions) -> Import:
    """Save the user's choices. If the choices change the preview, the file is read again.

    Raises NotFound if the project has no such import, and Conflict if the import is running or done.
    """
    with transaction() as session:
        each = lock_import(session, project_id, import_id)
        refuse_settled(each)
        if each.look == NOT_READ:
            raise Conflict(gettext("The file is still being read. Choose its columns once they are shown."))
        if needs_other_sheets_or_encoding(each, chosen):
            chosen = replace(chosen, columns={}, values={})  # other sheets have other columns
        is_same = each.state in ("uploaded", "reading") and is_same_preview(each, chosen)
        each.options = chosen.to_json()
        if is_same:
            return each
        if each.state not in ("uploaded", "reading"):  # the stored result is for other columns
            forget_outcome(session, each)
        # A worker may be reading the file with the earlier choices. With the empty claim, the worker's
        # preview is rejected.
        each.state, each.run_next, each.claim, each.beat_at, each.attempts = "reading", "", "", None, 0
    queue.start_job("read_imports")
    return reload_import(each)


def is_same_preview(before: Import, chosen: ImportOptions) -> bool:
    """Return whether the preview stays the same with these choices."""
    stored = options_of(before)
    same = replace(stored, photos=chosen.photos, sheets=chosen.sheets)
    return same == chosen and "errors" not in json.loads(before.look)


def needs_other_sheets_or_encoding(before: Import, chosen: ImportOptions) -> bool:
    """Return whether the choices need other sheets, or another encoding, than the current preview."""
    file = json.loads(before.look).get("file", {"sheets": []})
    read = [each["name"] for each in file["sheets"] if each["is_read"]]
    is_other_sheet = bool(chosen.sheets) and list(chosen.sheets) != read
    return is_other_sheet or chosen.encoding != options_of(before).encoding


def forget_choices(project_id: int, import_id: int) -> Import:
    """Delete the choices that are remembered for this file's header.

    The columns are then shown as recognised.

    Raises NotFound if the project has no such import, and Conflict if the import is running or done.
    """
    with reading() as session:
        each = import_of(session, project_id, import_id)
    refuse_settled(each)
    look = json.loads(each.look)
    forget_remembered_choices(project_id, look)
    guess = {int(place): choice for place, choice in look.get("guess", {}).items()}
    with transaction() as session:
        lock_import(session, project_id, import_id).look = json.dumps(look | {"is_remembered": False})
    stored = options_of(each)
    return store_choices(
        project_id, import_id, replace(stored, columns=guess, values={}, category=None, day_first=None)
    )


def refuse_settled(each: Import) -> None:
    if each.state in UNDER_WAY:
        raise Conflict(gettext("This import is running. Stop the import first, then change its columns."))
    if each.state == "undone":
        raise Conflict(gettext("This import was undone. Upload the file again to import it."))
    if each.state == "done" and not each.dry_run:
        raise Conflict(gettext("This import is done. Upload the file to import it again."))
    if not each.file_key:
        raise Conflict(gettext("The file is no longer here. Upload it again."))


def forget_outcome(session: Session, each: Import) -> None:
    each.result = each.failure = each.claim = each.run_next = ""
    each.rows_done = each.photos_done = each.created = each.updated = each.attempts = 0
    each.undo_asked_at, each.undone = None, ""
    each.rows_total = each.photos_total = each.cancelled_at = each.finished_at = None
    session.execute(
        delete(ImportPhoto).where(
            ImportPhoto.import_id == each.id, or_(ImportPhoto.done_at.is_(None), ImportPhoto.failure != "")
        )
    )
