"""Undo of a whole import, within 30 days.

Updated values are restored, unless somebody changed them after the import. New animals are deleted, with two
exceptions. An animal with an application stays. An animal that was changed after the import is moved to the
removed animals.
"""

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

from sqlalchemy import delete, func, select, union
from sqlalchemy.orm import Session

from adoption.animals.default_values import CARE_BLANK
from adoption.animals.indexed_words import FOUND_BY, words_to_index
from adoption.animals.models import Animal
from adoption.animals.photo_models import Photo
from adoption.animals.removals import removal, update_project_animals
from adoption.audit.actors import Actor
from adoption.batches import id_batches
from adoption.errors import Conflict
from adoption.imports.import_audit import audit_import
from adoption.imports.models import Import, ImportChange, ImportPhoto
from adoption.imports.queries import import_of, lock_import
from adoption.imports.undo_records import Changes, animal_digest, unpack_changes, value_mark
from adoption.markdown import rendered_columns
from adoption.orders.models import Application, Order
from adoption.spreadsheets.stored_animals import ANIMALS, CARE, select_stored
from adoption.spreadsheets.upsert import HOLDS, AnimalUpdate, update_animals
from adoption.storage import queue
from adoption.storage.database import reading, transaction
from adoption.translations import gettext

KEPT_FOR = timedelta(days=30)
"""How long an import can be undone."""
ENDED = ("done", "cancelled", "failed")


@dataclass
class UndoCounts:
    """The counts of an undo that has run, or the expected counts of an undo."""

    deleted: int = 0
    """New animals that are deleted."""
    removed: int = 0
    """New animals that were changed after the import.

    Such animals are moved to the removed animals, so staff can restore them.
    """
    with_applications: int = 0
    """New animals that stay because they have an application."""
    restored: int = 0
    """Updated animals whose values are restored."""
    kept: int = 0
    """Updated animals that keep some value, because the value was changed after the import."""
    photos: int = 0
    """Photos that are removed. The import added these photos to existing animals."""

    def add(self, other: "UndoCounts") -> None:
        for key, value in asdict(other).items():
            setattr(self, key, getattr(self, key) + value)

    def as_text(self) -> str:
        return (
            f"{self.deleted:,} deleted, {self.removed:,} removed, {self.restored:,} restored, "
            f"{self.with_applications:,} kept because of applications"
        )


def can_undo(each: Import, now: datetime) -> bool:
    """Return whether an import has ended within 30 days and has saved changes."""
    ended = each.finished_at is not None and each.finished_at > now - KEPT_FOR
    return each.state in ENDED and ended and bool(each.has_changes)  # type: ignore[attr-defined]


def refuse_undo(each: Import, now: datetime) -> None:
    """Raise Conflict if the import cannot be undone."""
    if each.state == "undone":
        raise Conflict(gettext("This import was undone already."))
    if each.finished_at is not None and each.finished_at <= now - KEPT_FOR:
        raise Conflict(gettext("This import is too old to be undone. An import can be undone for 30 days."))
    if not can_undo(each, now):
        raise Conflict(
            gettext("There is nothing to undo: this import is still running, or it saved nothing.")
        )


def count_undo(project_id: int, import_id: int, now: datetime | None = None) -> UndoCounts:
    """Return what an undo would do.

    Raises NotFound if the project has no such import, and Conflict if the import cannot be undone.
    """
    now, total = now or datetime.now(UTC), UndoCounts()
    with reading() as session:
        refuse_undo(import_of(session, project_id, import_id), now)
        records = select(ImportChange.id).where(ImportChange.import_id == import_id)
        for id_ in session.scalars(records.order_by(ImportChange.id.desc())).all():
            done = unpack_changes(
                session.scalars(select(ImportChange.record).where(ImportChange.id == id_)).one()
            )
            total.add(Undoing(session, project_id, import_id, done).counts)
        total.photos = len(photos_to_remove(session, import_id))
    return total


def request_undo(project_id: int, import_id: int, by: Actor, now: datetime | None = None) -> Import:
    """Queue the undo of an import.

    Raises NotFound if the project has no such import, and Conflict if the import cannot be undone.
    """
    each = claim_undo(project_id, import_id, by, now)
    queue.start_job("run_imports")
    return each


def claim_undo(project_id: int, import_id: int, by: Actor, now: datetime | None = None) -> Import:
    now = now or datetime.now(UTC)
    with transaction() as session:
        each = lock_import(session, project_id, import_id)
        refuse_undo(each, now)
        each.state, each.undo_asked_at, each.user_id = "waiting", now, by.user_id
        each.beat_at, each.cancelled_at, each.attempts, each.rows_done = None, None, 0, 0
        records = select(func.count()).where(ImportChange.import_id == import_id)
        each.rows_total = session.scalar(records)
        audit_import(session, by, "import.undo-started", each, now=now)
    return each


def undo_next_chunk(session: Session, project_id: int, import_id: int, now: datetime) -> "UndoneChunk | None":
    """Undo the newest remaining chunk, in the caller's transaction. Return None if no chunk is left."""
    newest = select(ImportChange).where(ImportChange.import_id == import_id).order_by(ImportChange.id.desc())
    chunk = session.scalar(newest.limit(1))
    if chunk is None:
        return None
    undoing = Undoing(session, project_id, import_id, unpack_changes(chunk.record))
    files = undoing.write(now)
    session.delete(chunk)
    return UndoneChunk(undoing.counts, files)


@dataclass
class UndoneChunk:
    counts: UndoCounts
    files: list[tuple[str, int]]
    """Digest and width of each removed photo.

    The photo's files are deleted if no other photo uses the files.
    """


class Undoing:
    """The undo of one chunk of rows: the changes by the import, compared with the current animals."""

    def __init__(self, session: Session, project_id: int, import_id: int, done: Changes) -> None:
        self.session, self.project_id = session, project_id
        now = self.animals({*done.created, *done.updated})
        applied = find_applied_for(session, done.created)
        added = with_other_photos(session, import_id, done.created)
        there = {id_: digest for id_, digest in done.created.items() if id_ in now}
        self.with_applications = sorted(applied & there.keys())
        free = there.keys() - applied
        same = {id_ for id_ in free if animal_digest(now[id_]) == there[id_] and id_ not in added}
        self.deleted = sorted(id_ for id_ in same if now[id_]["bond_id"] is None)
        self.removed = sorted(id_ for id_ in free - set(self.deleted) if now[id_]["removed_at"] is None)
        self.changes = [restoring(now[id_], values) for id_, values in done.updated.items() if id_ in now]
        self.kept = sum(
            any(value_mark(now[id_][key]) != new for key, (_, new) in values.items())
            for id_, values in done.updated.items()
            if id_ in now
        )

    @property
    def counts(self) -> UndoCounts:
        restored = sum(bool(each.animal or each.care) for each in self.changes)
        return UndoCounts(
            len(self.deleted), len(self.removed), len(self.with_applications), restored, self.kept
        )

    def animals(self, ids: Collection[int]) -> dict[int, dict[str, Any]]:
        """Return the current values of animals and of their care records, by animal id. Lock the animals."""
        found = {}
        for some in id_batches(sorted(ids)):
            rows = select_stored(self.project_id).where(ANIMALS.c.id.in_(some)).with_for_update(of=ANIMALS)
            for row in self.session.execute(rows).mappings():
                has_care = row["care_animal_id"] is not None
                care = {key: row[f"care_{key}"] if has_care else blank for key, blank in CARE_BLANK.items()}
                found[row["id"]] = {**row, **care}
        return found

    def write(self, now: datetime) -> list[tuple[str, int]]:
        """Save the undo. Return the digest and width of each deleted photo."""
        files: list[tuple[str, int]] = []
        for some in id_batches(self.deleted):
            photos = select(Photo.digest, Photo.width).where(Photo.animal_id.in_(some))
            files += [(digest, width) for digest, width in self.session.execute(photos)]
            self.session.execute(delete(Animal).where(Animal.id.in_(some)))
        update_project_animals(self.session, self.project_id, self.removed, *removal(now))
        update_animals(self.session, [each for each in self.changes if each.animal or each.care], now)
        return files


def find_applied_for(session: Session, ids: Collection[int]) -> set[int]:
    found: set[int] = set()
    for some in id_batches(sorted(ids)):
        orders = select(Order.animal_id).where(Order.animal_id.in_(some))
        applications = select(Application.animal_id).where(Application.animal_id.in_(some))
        found.update(session.scalars(union(orders, applications)))
    return found


def with_other_photos(session: Session, import_id: int, ids: Collection[int]) -> set[int]:
    """Return the animals that have a photo from outside the import."""
    found: set[int] = set()
    mine = select(ImportPhoto.photo_id).where(
        ImportPhoto.import_id == import_id, ImportPhoto.photo_id.is_not(None)
    )
    for some in id_batches(sorted(ids)):
        others = select(Photo.animal_id).where(Photo.animal_id.in_(some), Photo.id.not_in(mine))
        found.update(session.scalars(others))
    return found


def restoring(now: Mapping[str, Any], values: Mapping[str, list[Any]]) -> AnimalUpdate:
    """Return the old values to restore, without the values that were changed after the import."""
    back = {
        key: stored_value(key, old, now) for key, (old, new) in values.items() if value_mark(now[key]) == new
    }
    if must_stay_hidden({**now, **back}):
        back.pop("listed", None)
    animal = {key: value for key, value in back.items() if key not in CARE_BLANK}
    if not animal.keys().isdisjoint(FOUND_BY):
        animal["words"] = words_to_index({**now, **animal})
    animal |= rendered_columns(animal)
    care = {key: value for key, value in back.items() if key in CARE_BLANK}
    return AnimalUpdate(now["id"], animal, care, now["care_animal_id"] is not None)


def must_stay_hidden(animal: Mapping[str, Any]) -> bool:
    """Return whether an animal is removed, on hold or in quarantine. An undo must not list such an animal."""
    return animal["removed_at"] is not None or any(animal[each] for each in HOLDS)


def stored_value(key: str, old: Any, now: Mapping[str, Any]) -> Any:
    """Convert an old value from JSON to the value for its column."""
    if old is None:
        return "" if is_required(key) else None
    return date.fromisoformat(old) if key.endswith("_date") else old


def is_required(key: str) -> bool:
    column = (CARE if key in CARE_BLANK else ANIMALS).c[key]
    return not column.nullable


def photos_to_remove(session: Session, import_id: int) -> list[tuple[int, int]]:
    """Return the animal id and photo id of each photo that an import added to an existing animal."""
    records = session.scalars(select(ImportChange.record).where(ImportChange.import_id == import_id))
    created = {id_ for record in records for id_ in unpack_changes(record).created}
    rows = session.execute(
        select(Photo.animal_id, Photo.id)
        .join(ImportPhoto, ImportPhoto.photo_id == Photo.id)
        .where(ImportPhoto.import_id == import_id)
        .order_by(Photo.id)
    )
    return [(animal_id, photo_id) for animal_id, photo_id in rows if animal_id not in created]


def forget_undo_records(now: datetime | None = None) -> None:
    """Delete the records of imports that are too old to be undone."""
    before = (now or datetime.now(UTC)) - KEPT_FOR
    old = select(Import.id).where(Import.finished_at <= before)
    with transaction() as session:
        session.execute(delete(ImportChange).where(ImportChange.import_id.in_(old)))
