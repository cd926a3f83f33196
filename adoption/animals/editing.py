"""An animal as the staff write it: opened with all that is known of it, and saved whole."""

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import NamedTuple

from sqlalchemy import Select, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from adoption.animals.bonds import bind, mates_of
from adoption.animals.catalogue import ID_LARGEST
from adoption.animals.editors import Editor, named
from adoption.animals.entries import Values
from adoption.animals.models import Animal, CareRecord
from adoption.animals.spreadsheets.arrivals import ANIMAL_BLANK, CARE_BLANK
from adoption.audit.models import AuditEntry
from adoption.database import transaction
from adoption.errors import Gone, Invalid, NotFound

PUBLIC = ("name", "category_id", *ANIMAL_BLANK)
"""The columns of an animal that are written by hand."""
PRIVATE = tuple(CARE_BLANK)
ENTRIES_LOOKED_AT = 200


class Opened(NamedTuple):
    """An animal as it is at this moment."""

    id: int
    values: Values
    mates: list[tuple[int, str]]
    published: bool
    updated_at: datetime

    @property
    def name(self) -> str:
        return str(self.values["name"])

    @property
    def fingerprint(self) -> str:
        """Changes when anything changes that a form shows; photos and the status of an order do not count."""
        told = json.dumps(self.values, sort_keys=True, default=str)
        return hashlib.sha256(told.encode()).hexdigest()[:32]


class LastChange(NamedTuple):
    who: str
    at: datetime


def open_animal(session: Session, project_id: int, animal_id: int) -> Opened:
    """Raises NotFound, and Gone for one that was removed."""
    return opened(session, *found(session, mine(project_id, animal_id)))


def mine(project_id: int, animal_id: int) -> Select[Animal, CareRecord]:
    known = min(animal_id, ID_LARGEST)
    return (
        select(Animal, CareRecord)
        .outerjoin(CareRecord, CareRecord.animal_id == Animal.id)
        .where(Animal.project_id == project_id, Animal.id == known)
    )


def found(session: Session, query: Select[Animal, CareRecord]) -> tuple[Animal, CareRecord | None]:
    row = session.execute(query).first()
    if row is None:
        raise NotFound("There is no such animal in this project.")
    if row[0].removed_at is not None:
        raise Gone(f"{row[0].name} was removed.", row[0].category_id)
    return row[0], row[1]


def opened(session: Session, animal: Animal, care: CareRecord | None) -> Opened:
    mates = mates_of(session, animal.project_id, animal.id, animal.bond_id)
    values = {key: getattr(animal, key) for key in PUBLIC}
    values |= {key: getattr(care, key) if care else blank for key, blank in CARE_BLANK.items()}
    values["bonded_with"] = [id_ for id_, _ in mates]
    return Opened(animal.id, values, mates, animal.published, animal.updated_at)


def enter_animal(by: Editor, values: Values, now: datetime | None = None) -> int:
    """Add an animal of which these values are known; gives its id. Raises Invalid for a taken code."""
    now = now or datetime.now(UTC)
    with unique_code(), transaction() as session:
        refuse_taken(session, by.project_id, values.get("code"), None)
        animal = Animal(project_id=by.project_id, created_at=now, updated_at=now)
        put(animal, ANIMAL_BLANK | {key: values[key] for key in PUBLIC if key in values})
        session.add(animal)
        session.flush()
        keep_care(session, animal.id, None, values)
        bind(session, animal, values.get("bonded_with", ()), now)
        by.note(session, "animal.added", named(animal.id, animal.name), "", now)
        return animal.id


def save_animal(
    by: Editor, animal_id: int, values: Values, fingerprint: str, now: datetime | None = None
) -> Opened | None:
    """Write these values, if the animal is still as ``fingerprint`` says that it was opened.

    Otherwise nothing is written, and what it is now is given back. Raises NotFound, Gone, and Invalid for a
    code that is taken.
    """
    now = now or datetime.now(UTC)
    with unique_code(), transaction() as session:
        locked = mine(by.project_id, animal_id).with_for_update(of=Animal)
        animal, care = found(session, locked)
        before = opened(session, animal, care)
        if before.fingerprint != fingerprint:
            return before
        differing = [key for key, value in values.items() if value != before.values.get(key)]
        if not differing:
            return None
        refuse_taken(session, by.project_id, values.get("code"), animal_id)
        put(animal, {key: values[key] for key in PUBLIC if key in values})
        keep_care(session, animal.id, care, values)
        if "bonded_with" in differing:
            bind(session, animal, values["bonded_with"], now)
        animal.updated_at = now
        detail = ", ".join(key.replace("_", " ") for key in sorted(differing))
        by.note(session, "animal.edited", named(animal.id, animal.name), detail, now)
        return None


def put(row: Animal | CareRecord, values: Values) -> None:
    for key, value in values.items():
        setattr(row, key, value)


def keep_care(session: Session, animal_id: int, care: CareRecord | None, values: Values) -> None:
    """A record is made where there is something to keep."""
    told = {key: values[key] for key in PRIVATE if key in values}
    if care is None and any(told.values()):
        care = CareRecord(animal_id=animal_id, **CARE_BLANK)
        session.add(care)
    if care is not None:
        put(care, told)


def code_holder(session: Session, project_id: int, code: str | None, animal_id: int | None) -> str | None:
    """The name of another animal of the project that has this code."""
    if not code:
        return None
    theirs = select(Animal.name).where(Animal.project_id == project_id, Animal.code == code)
    return session.scalar(theirs.where(Animal.id != animal_id) if animal_id else theirs)


def refuse_taken(session: Session, project_id: int, code: str | None, animal_id: int | None) -> None:
    holder = code_holder(session, project_id, code, animal_id)
    if holder is not None:
        raise Invalid([("code", taken_by(holder))])


def taken_by(holder: str) -> str:
    return f"{holder} has this code already. Write another, or leave it empty"


@contextmanager
def unique_code() -> Iterator[None]:
    """Two who write one code at the same moment: the second is told as if the first had come long before."""
    try:
        yield
    except IntegrityError as error:
        raise Invalid([("code", taken_by("Another animal"))]) from error


def last_change(session: Session, project_id: int, animal_id: int) -> LastChange | None:
    """Who changed the animal last and when, as far as the newest entries of the audit log tell."""
    newest = session.execute(
        select(AuditEntry.thing, AuditEntry.detail, AuditEntry.actor, AuditEntry.created_at)
        .where(AuditEntry.project_id == project_id)
        .order_by(AuditEntry.id.desc())
        .limit(ENTRIES_LOOKED_AT)
    )
    sign = f"({animal_id})"
    for thing, detail, actor, at in newest:
        if thing.endswith(sign) or sign in detail:
            return LastChange(actor, at)
    return None


BREEDS_MOST = 200


def breeds_used(session: Session, project_id: int) -> list[str]:
    """Breeds that the shelter has written before, by name."""
    breed = Animal.breed_primary
    used = select(breed).where(Animal.project_id == project_id, breed.is_not(None)).distinct()
    return [str(each) for each in session.scalars(used.order_by(breed).limit(BREEDS_MOST))]
