"""Additions and edits of animals by staff, with a merge of concurrent edits."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import NamedTuple

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from adoption import three_way_merge
from adoption.animals import animal_and_photo_limits
from adoption.animals.allowed_values import ID_LARGEST
from adoption.animals.animal_audit import Editor
from adoption.animals.bonds import mates_of, set_mates
from adoption.animals.default_values import ANIMAL_BLANK, CARE_BLANK
from adoption.animals.form_fields import Values, settled, visibility_of
from adoption.animals.models import Animal, CareRecord
from adoption.animals.taken_codes import refuse_taken_code, unique_code
from adoption.errors import Gone, NotFound
from adoption.storage.database import transaction
from adoption.translations import gettext

PUBLIC = ("name", "category_id", *ANIMAL_BLANK)
"""Columns of ``Animal`` that staff edit."""
PRIVATE = tuple(CARE_BLANK)


class OpenedAnimal(NamedTuple):
    """An animal with its current values."""

    id: int
    values: Values
    mates: list[tuple[int, str]]
    published: bool
    updated_at: datetime

    @property
    def name(self) -> str:
        return str(self.values["name"])

    @property
    def fields(self) -> Values:
        """The values by form field. Two editors can change different form fields at the same time."""
        return values_by_field(self.values)

    @property
    def fingerprints(self) -> dict[str, str]:
        """A hash of each form field, to detect concurrent edits.

        Photos and applications are not form fields.
        """
        return three_way_merge.fingerprints(self.fields)


TOGETHER = {
    "birth_date": ("birth_date", "birth_date_estimated", "age_group"),
    "visibility": ("listed", "on_hold", "in_quarantine"),
}
"""The columns of each form field that has several columns."""
COLUMNS = {
    field: columns
    for columns in ((key,) for key in (*PUBLIC, *PRIVATE, "bonded_with"))
    for field in columns
    if not any(field in group for group in TOGETHER.values())
} | TOGETHER
"""The columns of each form field."""


def values_by_field(values: Values) -> Values:
    fields = {field: [values[key] for key in columns] for field, columns in COLUMNS.items()}
    # An animal on hold counts as hidden, whatever ``listed`` says.
    return fields | {"visibility": visibility_of(values)}


class SavedAnimal(NamedTuple):
    animal: OpenedAnimal
    """The animal after saving, or the unchanged animal if there are clashes."""
    theirs: list[str]
    """Form fields that only another user has changed. The other user's values are kept."""
    clashes: list[str]
    """Form fields that both editors have changed. If there are any, nothing was saved."""


def open_animal(session: Session, project_id: int, animal_id: int) -> OpenedAnimal:
    """Return an animal for the form.

    Raises NotFound if the animal is unknown, and Gone if the animal was removed.
    """
    return load_opened(session, *find_with_care(session, select_with_care(project_id, animal_id)))


def select_with_care(project_id: int, animal_id: int) -> Select[Animal, CareRecord]:
    known = min(animal_id, ID_LARGEST)
    return (
        select(Animal, CareRecord)
        .outerjoin(CareRecord, CareRecord.animal_id == Animal.id)
        .where(Animal.project_id == project_id, Animal.id == known)
    )


def find_with_care(session: Session, query: Select[Animal, CareRecord]) -> tuple[Animal, CareRecord | None]:
    row = session.execute(query).first()
    if row is None:
        raise NotFound(gettext("There is no such animal in this project."))
    if row[0].removed_at is not None:
        raise Gone(gettext("%(name)s was removed.", name=row[0].name), row[0].category_id)
    return row[0], row[1]


def load_opened(session: Session, animal: Animal, care: CareRecord | None) -> OpenedAnimal:
    mates = mates_of(session, animal.project_id, animal.id, animal.bond_id)
    values = {key: getattr(animal, key) for key in PUBLIC}
    values |= {key: getattr(care, key) if care else blank for key, blank in CARE_BLANK.items()}
    values["bonded_with"] = [id_ for id_, _ in mates]
    return OpenedAnimal(animal.id, values, mates, animal.published, animal.updated_at)


def enter_animal(by: Editor, values: Values, now: datetime | None = None) -> int:
    """Add an animal and return its id.

    Raises PlanLimit if the plan allows no more animals, and Invalid if the code is taken.
    """
    now = now or datetime.now(UTC)
    with unique_code(), transaction() as session:
        animal_and_photo_limits.take_animals(session, by.project_id)
        refuse_taken_code(session, by.project_id, values.get("code"), None)
        animal = Animal(project_id=by.project_id, created_at=now, updated_at=now)
        set_columns(animal, ANIMAL_BLANK | {key: values[key] for key in PUBLIC if key in values})
        session.add(animal)
        session.flush()
        save_care_record(session, animal.id, None, values)
        set_mates(session, animal, values.get("bonded_with", ()), now)
        by.note(session, "animal.added", [(animal.id, animal.name)], "", now)
        return animal.id


class AnimalEdit(NamedTuple):
    """A submitted animal form."""

    values: Values
    opened: Mapping[str, str] = {}
    """``OpenedAnimal.fingerprints`` of the animal when the form was loaded."""
    choices: Mapping[str, str] = {}
    """The chosen value of each clashing field, as returned by ``three_way_merge.choice_text``."""


def save_animal(by: Editor, animal_id: int, edit: AnimalEdit, now: datetime | None = None) -> SavedAnimal:
    """Save the form, merged with changes that were made since the form was loaded.

    Raises NotFound for an unknown animal, Gone for a removed animal, and Invalid for a code that is taken.
    """
    now = now or datetime.now(UTC)
    with unique_code(), transaction() as session:
        return save_within(session, by, animal_id, edit, now)


def save_within(session: Session, by: Editor, animal_id: int, edit: AnimalEdit, now: datetime) -> SavedAnimal:
    """Do ``save_animal`` within the caller's transaction."""
    animal, care = find_with_care(
        session, select_with_care(by.project_id, animal_id).with_for_update(of=Animal)
    )
    before = load_opened(session, animal, care)
    merged = three_way_merge.merge_values(
        edit.opened, values_by_field(edit.values), before.fields, edit.choices
    )
    if merged.clashes:
        return SavedAnimal(before, merged.theirs, merged.clashes)
    values = before.values | {
        key: edit.values[key]
        for field, columns in COLUMNS.items()
        if merged.values[field] != before.fields[field]
        for key in columns
    }
    values = settled(values)
    differing = [key for key, value in values.items() if value != before.values[key]]
    if not differing:
        return SavedAnimal(before, merged.theirs, [])
    refuse_taken_code(session, by.project_id, values["code"], animal_id)
    set_columns(animal, {key: values[key] for key in PUBLIC} | {"updated_at": now})
    save_care_record(session, animal.id, care, values)
    if "bonded_with" in differing:
        set_mates(session, animal, values["bonded_with"], now)
    detail = ", ".join(key.replace("_", " ") for key in sorted(differing))
    by.note(session, "animal.edited", [(animal.id, animal.name)], detail, now)
    session.flush()
    return SavedAnimal(
        load_opened(session, *find_with_care(session, select_with_care(by.project_id, animal_id))),
        merged.theirs,
        [],
    )


def set_columns(row: Animal | CareRecord, values: Values) -> None:
    for key, value in values.items():
        setattr(row, key, value)


def save_care_record(session: Session, animal_id: int, care: CareRecord | None, values: Values) -> None:
    """Save the private fields. Create a care record only if there is something to store."""
    private = {key: values[key] for key in PRIVATE if key in values}
    if care is None and any(private.values()):
        care = CareRecord(animal_id=animal_id, **CARE_BLANK)
        session.add(care)
    if care is not None:
        set_columns(care, private)
