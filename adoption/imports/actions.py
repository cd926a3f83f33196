"""What staff do with a spreadsheet: upload it, say what its columns are, start it, stop it."""

import dataclasses
import json
import unicodedata
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import IO, Any

from sqlalchemy import delete, or_, select, update
from sqlalchemy.orm import Session

from adoption import queue
from adoption.accounts.models import User
from adoption.animals.spreadsheets.import_options import ImportOptions
from adoption.animals.spreadsheets.preview import Preview, preview_file
from adoption.audit import trail
from adoption.audit.trail import Actor
from adoption.database import reading, transaction
from adoption.errors import Conflict, FileRefused, Invalid
from adoption.imports import files
from adoption.imports.checks import with_questions
from adoption.imports.mappings import forget_mapping, preview_remembered, remember
from adoption.imports.models import Import, ImportPhoto
from adoption.imports.plan_caps import refuse_one_too_many
from adoption.imports.queries import KEPT_FOR, STALE_AFTER, import_of, options_of
from adoption.projects.models import Project

BYTES_MOST = 20_000_000
NAME_LONGEST = 200
UNDER_WAY = ("waiting", "running")


def upload(project_id: int, name: str, file: IO[bytes], by: Actor, now: datetime | None = None) -> Import:
    """Keep a spreadsheet and look at it. Raises FileRefused with what to do about it, and Unavailable."""
    now = now or datetime.now(UTC)
    refuse_one_too_many(project_id, now)
    content = file.read(BYTES_MOST + 1)
    if len(content) > BYTES_MOST:
        raise FileRefused(
            f"The file has more than {BYTES_MOST // 1_000_000} MB. "
            "Delete the columns that are not needed, or split it into several files."
        )
    file.seek(0)
    look = preview_file(project_id, file, now=now)
    guess = chosen_in(look)
    remembered = preview_remembered(project_id, file, look, now)
    look, chosen = remembered or (look, ImportOptions(columns=guess, photos=True))
    key = files.new_key()
    files.keep(key, content)
    with transaction() as session:
        made = Import(
            project_id=project_id,
            user_id=by.user_id,
            file_name=plain_name(name),
            file_key=key,
            state="uploaded",
            look=told(look, guess, remembered is not None),
            options=chosen.to_json(),
            created_at=now,
        )
        session.add(made)
    return made


def plain_name(name: str) -> str:
    """The file's own name, without folders and without what cannot be shown."""
    last = name.replace("\\", "/").rpartition("/")[2]
    shown = "".join(letter for letter in last if unicodedata.category(letter)[0] != "C")
    return " ".join(shown.split())[-NAME_LONGEST:] or "spreadsheet"


def told(look: Preview, guess: Mapping[int, str], is_remembered: bool = False) -> str:
    """Return a preview as it is stored, with what was recognised before the user changed anything."""
    return json.dumps(dataclasses.asdict(look) | {"guess": guess, "is_remembered": is_remembered})


def chosen_in(look: Preview) -> dict[int, str]:
    return {column["place"]: column["choice"] for column in look.columns}


def choose(project_id: int, import_id: int, chosen: ImportOptions, now: datetime | None = None) -> Import:
    """Say what the columns of a file are, and look at it anew.

    Raises NotFound, Conflict while it is under way or done, Invalid by ``column-PLACE``, ``category`` or
    ``day_first``, and Unavailable.
    """
    with reading() as session:
        before = import_of(session, project_id, import_id)
        refuse_settled(before)
        key = before.file_key
        if is_read_otherwise(before, chosen):
            chosen = replace(chosen, columns={}, values={})  # the places are those of other columns
        earlier = json.loads(before.look)
    with files.opened(key) as file:
        look = preview_file(project_id, file, chosen, now)
    with transaction() as session:
        each = locked(session, project_id, import_id)
        refuse_settled(each)
        guess = earlier.get("guess", {}) if chosen.columns else chosen_in(look)
        shown = told(look, guess, earlier.get("is_remembered", False))
        kept = {"checked": earlier["checked"]} if "checked" in earlier and chosen.columns else {}
        each.look, each.options = json.dumps(json.loads(shown) | kept), chosen.to_json()
        if each.state != "uploaded":  # what was tried before was tried with other columns
            forget_outcome(session, each)
            each.state = "uploaded"
        return each


def is_read_otherwise(before: Import, chosen: ImportOptions) -> bool:
    """Return whether other sheets or another encoding are chosen than those that the columns are from."""
    read = [each["name"] for each in json.loads(before.look)["file"]["sheets"] if each["is_read"]]
    is_other_sheet = bool(chosen.sheets) and list(chosen.sheets) != read
    return is_other_sheet or chosen.encoding != options_of(before).encoding


def forget_choices(project_id: int, import_id: int, now: datetime | None = None) -> Import:
    """Forget what is remembered for the header of a file, and show the file as it is recognised.

    Raises NotFound, Conflict and Unavailable.
    """
    with reading() as session:
        each = import_of(session, project_id, import_id)
    refuse_settled(each)
    look = json.loads(each.look)
    forget_mapping(project_id, look)
    guess = {int(place): choice for place, choice in look.get("guess", {}).items()}
    with transaction() as session:
        locked(session, project_id, import_id).look = json.dumps(look | {"is_remembered": False})
    stored = options_of(each)
    return choose(
        project_id,
        import_id,
        replace(stored, columns=guess, values={}, category=None, day_first=None),
        now,
    )


def locked(session: Session, project_id: int, import_id: int) -> Import:
    """The import, which nobody else changes until the transaction ends. Raises NotFound."""
    session.execute(
        select(Import.id).where(Import.project_id == project_id, Import.id == import_id).with_for_update()
    )
    return import_of(session, project_id, import_id)


def refuse_settled(each: Import) -> None:
    if each.state in UNDER_WAY:
        raise Conflict("This import is running. Stop it first, then change its columns.")
    if each.state == "undone":
        raise Conflict("This import was undone. Upload the file again to import it.")
    if each.state == "done" and not each.dry_run:
        raise Conflict("This import is done. Upload the file to import it again.")
    if not each.file_key:
        raise Conflict("The file is no longer here. Upload it again.")


def start(project_id: int, import_id: int, dry_run: bool, by: Actor, now: datetime | None = None) -> Import:
    """Queue the import of a file, or a test of it.

    Raises NotFound, Conflict while it is under way or done, and Invalid for what is still to be answered.
    """
    now = now or datetime.now(UTC)
    with transaction() as session:
        each = locked(session, project_id, import_id)
        refuse_settled(each)
        refuse_unanswered(each, dry_run)
        remember(session, project_id, json.loads(each.look), options_of(each), now)
        forget_outcome(session, each)
        each.state, each.dry_run, each.beat_at, each.user_id = "waiting", dry_run, None, by.user_id
        note(session, by, "import.tried" if dry_run else "import.started", each, now=now)
    queue.start("run_imports")
    return each


def refuse_unanswered(each: Import, dry_run: bool) -> None:
    """Raises Invalid with every question that the file leaves open."""
    options = options_of(each)
    look = with_questions(json.loads(each.look), options)
    wrong = []
    if look["file"]["asks_encoding"]:
        wrong.append(("encoding", "Choose the line whose letters look right"))
    if look["nameless"]:
        wrong.append(
            ("columns", "Choose the column that holds the name, or the one with the shelter's codes")
        )
    untold = not any(column["choice"] in ("species", "code") for column in look["columns"])
    if untold and options.category is None:
        wrong.append(("category", "Choose the species of the animals, since no column tells it"))
    if look["open_date"] and options.day_first is None:
        wrong.append(("day_first", "Choose whether the day or the month stands first"))
    if not dry_run and has_open_clashes(look, options):
        wrong.append(("clash", "Choose what to do with the codes that belong to two animals"))
    if wrong:
        raise Invalid(wrong)


def has_open_clashes(look: dict[str, Any], options: ImportOptions) -> bool:
    """Whether a code of two animals is found for which nobody has chosen what to do."""
    if options.clash or not look.get("clash_count"):
        return False
    codes = [each["code"] for each in look["clashes"]]
    return look["clash_count"] > len(codes) or any(not options.clash_of(code) for code in codes)


def forget_outcome(session: Session, each: Import) -> None:
    each.result = each.failure = each.claim = ""
    each.rows_done = each.photos_done = each.created = each.updated = each.attempts = 0
    each.undo_asked_at, each.undone = None, ""
    each.rows_total = each.photos_total = each.cancelled_at = each.finished_at = None
    session.execute(
        delete(ImportPhoto).where(
            ImportPhoto.import_id == each.id,
            or_(ImportPhoto.done_at.is_(None), ImportPhoto.failure != ""),
        )
    )


def cancel(project_id: int, import_id: int, by: Actor, now: datetime | None = None) -> Import:
    """Stop an import: at once where it waits or its job has died, else at the job's next step.

    Raises NotFound, and Conflict where it is not under way.
    """
    now = now or datetime.now(UTC)
    with transaction() as session:
        each = locked(session, project_id, import_id)
        if each.state not in UNDER_WAY:
            raise Conflict("This import is not running any more.")
        if each.undo_asked_at is not None:
            raise Conflict("An undo cannot be stopped. Import the file again if you need the animals.")
        if each.cancelled_at is None:
            each.cancelled_at = now
            note(session, by, "import.cancelled", each, now=now)
        dead = each.beat_at is None or each.beat_at < now - STALE_AFTER
        if each.state == "waiting" or dead:
            each.state, each.claim, each.finished_at = "cancelled", "", now
        return each


def note(
    session: Session, by: Actor, action: str, each: Import, detail: str = "", now: datetime | None = None
) -> None:
    account_id = session.scalars(select(Project.account_id).where(Project.id == each.project_id)).one()
    trail.record(session, by, action, account_id, each.project_id, each.file_name, detail, now)


def forget(now: datetime | None = None) -> int:
    """Drop the files of imports that are older than ``KEPT_FOR``; gives how many. Raises Unavailable."""
    now = now or datetime.now(UTC)
    with reading() as session:
        old = session.execute(
            select(Import.id, Import.file_key).where(
                Import.file_key != "", Import.created_at < now - KEPT_FOR, Import.state.not_in(UNDER_WAY)
            )
        ).all()
    for import_id, key in old:
        files.drop([key, *files.reports_of(key).values()])
        with transaction() as session:
            session.execute(update(Import).where(Import.id == import_id).values(file_key=""))
    return len(old)


def as_staff(session: Session, each: Import) -> Actor:
    """Who started an import, for what its job writes into the audit log."""
    user = session.get(User, each.user_id) if each.user_id else None
    return Actor(each.user_id, user.email) if user else trail.OPERATOR
