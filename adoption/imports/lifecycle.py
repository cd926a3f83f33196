"""Staff actions on an uploaded spreadsheet: upload, choose columns, start and cancel."""

import json
import unicodedata
from dataclasses import replace
from datetime import UTC, datetime
from typing import IO, Any

from sqlalchemy import delete, or_, select, update
from sqlalchemy.orm import Session

from adoption.accounts.models import User
from adoption.audit import trail
from adoption.audit.actors import OPERATOR, Actor
from adoption.errors import Conflict, FileRefused, Invalid
from adoption.imports import file_storage
from adoption.imports.daily_limit import refuse_extra_import
from adoption.imports.dry_run_questions import with_questions
from adoption.imports.models import Import, ImportPhoto
from adoption.imports.queries import KEPT_FOR, STALE_AFTER, import_of, options_of
from adoption.imports.remembered_choices import forget_mapping, remember
from adoption.projects.models import Project
from adoption.spreadsheets.files.file_kinds import START, detect_kind_by_start
from adoption.spreadsheets.files.header_search import EMPTY
from adoption.spreadsheets.import_options import ImportOptions
from adoption.storage import queue
from adoption.storage.database import reading, transaction
from adoption.storage.media_store import the_store
from adoption.translations import gettext

BYTES_MOST = 20_000_000
NAME_LONGEST = 200
NOT_READ = "{}"
"""The preview of a file that has not been read yet."""
UNDER_WAY = ("waiting", "running")


def upload(project_id: int, name: str, file: IO[bytes], by: Actor, now: datetime | None = None) -> Import:
    """Store a spreadsheet and queue it for reading.

    Raises FileRefused if the file's size or first bytes show that it cannot be read, PlanLimit if the account
    has reached its daily limit, and Unavailable if the file cannot be stored.
    """
    now = now or datetime.now(UTC)
    with reading() as session:
        refuse_extra_import(session, project_id, now)
    content = file.read(BYTES_MOST + 1)
    if len(content) > BYTES_MOST:
        raise FileRefused(
            gettext(
                "The file has more than %(limit)s MB. "
                "Delete the columns that are not needed, or split it into several files.",
                limit=BYTES_MOST // 1_000_000,
            )
        )
    if not detect_kind_by_start(content[:START]):
        raise FileRefused(gettext(EMPTY))
    key = file_storage.new_file_key()
    file_storage.store_import_file(key, content)
    try:
        with transaction() as session:
            refuse_extra_import(session, project_id, now)
            made = Import(
                project_id=project_id,
                user_id=by.user_id,
                file_name=plain_name(name),
                file_key=key,
                state="reading",
                created_at=now,
            )
            session.add(made)
    except BaseException:
        file_storage.drop_unreferenced([key])
        raise
    queue.start("read_imports")
    return current(made)


def current(each: Import) -> Import:
    """Return an import in its current state."""
    with reading() as session:
        return session.get_one(Import, each.id)


def plain_name(name: str) -> str:
    """Return the file's name without folders and control characters."""
    last = name.replace("\\", "/").rpartition("/")[2]
    shown = "".join(letter for letter in last if unicodedata.category(letter)[0] != "C")
    return " ".join(shown.split())[-NAME_LONGEST:] or "spreadsheet"


def store_choices(project_id: int, import_id: int, chosen: ImportOptions) -> Import:
    """Save the user's choices. If they change the preview, the file is read again.

    Raises NotFound for an unknown import, and Conflict if the import is running or done.
    """
    with transaction() as session:
        each = lock_import(session, project_id, import_id)
        refuse_settled(each)
        if each.look == NOT_READ:
            raise Conflict(gettext("The file is being read. Choose its columns once they are shown."))
        if is_read_otherwise(each, chosen):
            chosen = replace(chosen, columns={}, values={})  # the columns of other sheets differ
        is_same = each.state in ("uploaded", "reading") and shows_same(each, chosen)
        each.options = chosen.to_json()
        if is_same:
            return each
        if each.state not in ("uploaded", "reading"):  # the stored result is for other columns
            forget_outcome(session, each)
        # A worker may be reading the file with the earlier choices. This invalidates the worker's claim.
        each.state, each.run_next, each.claim, each.beat_at, each.attempts = "reading", "", "", None, 0
    queue.start("read_imports")
    return current(each)


def shows_same(before: Import, chosen: ImportOptions) -> bool:
    """Return whether these choices belong to the current preview, or to the preview in progress."""
    stored = options_of(before)
    same = replace(stored, photos=chosen.photos, sheets=chosen.sheets)
    return same == chosen and "errors" not in json.loads(before.look)


def is_read_otherwise(before: Import, chosen: ImportOptions) -> bool:
    """Return whether the choices need other sheets or another encoding than the current preview."""
    file = json.loads(before.look).get("file", {"sheets": []})
    read = [each["name"] for each in file["sheets"] if each["is_read"]]
    is_other_sheet = bool(chosen.sheets) and list(chosen.sheets) != read
    return is_other_sheet or chosen.encoding != options_of(before).encoding


def forget_choices(project_id: int, import_id: int) -> Import:
    """Delete the stored choices for this file's header. The columns are then shown as recognised.

    Raises NotFound for an unknown import, Conflict if the import is running or done, and Unavailable if the
    file cannot be opened.
    """
    with reading() as session:
        each = import_of(session, project_id, import_id)
    refuse_settled(each)
    look = json.loads(each.look)
    forget_mapping(project_id, look)
    guess = {int(place): choice for place, choice in look.get("guess", {}).items()}
    with transaction() as session:
        lock_import(session, project_id, import_id).look = json.dumps(look | {"is_remembered": False})
    stored = options_of(each)
    return store_choices(
        project_id, import_id, replace(stored, columns=guess, values={}, category=None, day_first=None)
    )


def lock_import(session: Session, project_id: int, import_id: int) -> Import:
    """Return the import, locked until the transaction ends.

    Raises NotFound if the project has no such import.
    """
    session.execute(
        select(Import.id).where(Import.project_id == project_id, Import.id == import_id).with_for_update()
    )
    return import_of(session, project_id, import_id)


def refuse_settled(each: Import) -> None:
    if each.state in UNDER_WAY:
        raise Conflict(gettext("This import is running. Stop it first, then change its columns."))
    if each.state == "undone":
        raise Conflict(gettext("This import was undone. Upload the file again to import it."))
    if each.state == "done" and not each.dry_run:
        raise Conflict(gettext("This import is done. Upload the file to import it again."))
    if not each.file_key:
        raise Conflict(gettext("The file is no longer here. Upload it again."))


def request_run(
    project_id: int,
    import_id: int,
    dry_run: bool,
    by: Actor,
    chosen: ImportOptions | None = None,
    now: datetime | None = None,
) -> Import:
    """Queue an import or its dry run. ``chosen`` replaces the saved choices.

    If the file must be read first, the import runs after that, unless questions remain open. Raises NotFound
    for an unknown import, Conflict if the import is running or done, and Invalid if questions are open.
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
    queue.start("run_imports")
    return each


def queue_run(session: Session, each: Import, dry_run: bool, by: Actor, now: datetime) -> None:
    """Queue the import or dry run of a file that was read. Raises Invalid if questions are open."""
    refuse_unanswered(each, dry_run)
    remember(session, each.project_id, json.loads(each.look), options_of(each), now)
    forget_outcome(session, each)
    each.state, each.dry_run, each.beat_at = "waiting", dry_run, None
    audit_import(session, by, "import.tried" if dry_run else "import.started", each, now=now)


def refuse_unanswered(each: Import, dry_run: bool) -> None:
    """Raise Invalid with all open questions."""
    options = options_of(each)
    look = with_questions(json.loads(each.look), options)
    wrong = [(name, sentence) for name, sentence in look.get("errors", [])]
    if look["file"]["asks_encoding"]:
        wrong.append(("encoding", gettext("Choose the line whose letters look right")))
    if look["nameless"]:
        wrong.append(
            ("columns", gettext("Choose the column that holds the name, or the one with the shelter's codes"))
        )
    has_species = any(column["choice"] in ("species", "code") for column in look["columns"])
    if not has_species and options.category is None:
        wrong.append(("category", gettext("Choose the species of the animals, because no column has it")))
    if look["open_date"] and options.day_first is None:
        wrong.append(("day_first", gettext("Choose whether the day or the month comes first")))
    if not dry_run and has_open_clashes(look, options):
        wrong.append(("clash", gettext("Choose what to do with the codes that belong to two animals")))
    if wrong:
        raise Invalid(wrong)


def has_open_clashes(look: dict[str, Any], options: ImportOptions) -> bool:
    """Return whether some code belongs to two animals and the user has not chosen what to do with it."""
    if options.clash or not look.get("clash_count"):
        return False
    codes = [each["code"] for each in look["clashes"]]
    return look["clash_count"] > len(codes) or any(not options.clash_of(code) for code in codes)


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


def cancel(project_id: int, import_id: int, by: Actor, now: datetime | None = None) -> Import:
    """Stop an import. It stops at once if it is waiting or its job is dead, otherwise at the job's next step.

    Raises NotFound for an unknown import, and Conflict if the import is not running.
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


def audit_import(
    session: Session, by: Actor, action: str, each: Import, detail: str = "", now: datetime | None = None
) -> None:
    account_id = session.scalars(select(Project.account_id).where(Project.id == each.project_id)).one()
    trail.record(session, by, action, account_id, each.project_id, each.file_name, detail, now)


def forget_old_files(now: datetime | None = None) -> int:
    """Delete the files of imports older than ``KEPT_FOR``. Return the number of these imports.

    Raises Unavailable if the store fails.
    """
    now = now or datetime.now(UTC)
    with reading() as session:
        old = session.execute(
            select(Import.id, Import.file_key).where(
                Import.file_key != "", Import.created_at < now - KEPT_FOR, Import.state.not_in(UNDER_WAY)
            )
        ).all()
    for import_id, key in old:
        the_store().drop([key, *file_storage.reports_of(key).values()])
        with transaction() as session:
            session.execute(update(Import).where(Import.id == import_id).values(file_key=""))
    return len(old)


def as_staff(session: Session, each: Import) -> Actor:
    """Return the user who started an import. The audit entries of the import's job name this user."""
    user = session.get(User, each.user_id) if each.user_id else None
    return Actor(each.user_id, user.email) if user else OPERATOR
