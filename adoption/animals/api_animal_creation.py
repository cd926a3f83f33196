"""Addition of single animals through the API."""

import hashlib
import json
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import bindparam, insert
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from adoption.animals import animal_and_photo_limits
from adoption.animals.api_reads import PetRow
from adoption.animals.idempotency_keys import find_first_response, store_first_response
from adoption.animals.indexed_words import words_to_index
from adoption.animals.models import Animal
from adoption.storage.database import UTCDateTime, transaction
from adoption.storage.prepared_statements import Prepared

_table = Animal.__table__
_now = bindparam("now", type_=UTCDateTime())
_given = {
    name: bindparam(name, type_=_table.c[name].type)
    for name in ("project_id", "name", "category_id", "status", "words")
}
_blank = {column.name: column.default.arg for column in _table.c if column.default is not None}
ADD = Prepared(
    insert(Animal).values(**_blank | _given, created_at=_now, updated_at=_now).returning(Animal.id)
)
"""A statement that inserts one animal.

The statement is prepared, because a commit through an ORM session takes four times as long.
"""


@dataclass(frozen=True)
class NewAnimal:
    """An animal to add. Its values have passed ``adoption.animals.allowed_values``."""

    name: str
    category_id: int
    status: str

    @property
    def fingerprint(self) -> str:
        return hashlib.sha256(json.dumps([self.name, self.category_id, self.status]).encode()).hexdigest()


def add_animal(
    project_id: int, new: NewAnimal, idempotency_key: str | None = None, now: datetime | None = None
) -> tuple[PetRow, bool]:
    """Add an animal and commit it. Return the animal, and whether the animal is from an earlier request.

    With an idempotency key, a repeated request within 24 hours returns the first response and adds nothing.
    The same applies to concurrent requests. Raises PlanLimit if the plan allows no more animals, and
    IdempotencyConflict if the key was used for another animal.
    """
    now = now or datetime.now(UTC)
    if idempotency_key is None and not animal_and_photo_limits.take_cached_animal(project_id):
        with transaction() as session:
            animal_and_photo_limits.take_animals(session, project_id)
            return insert_animal(session, project_id, new, now), False
    if idempotency_key is None:
        given = {"project_id": project_id, **vars(new)}
        ((id_,),) = ADD.commit(**given, words=words_to_index(given), now=now)
        return (id_, new.name, new.category_id, new.status), False
    try:
        return add_once(project_id, new, idempotency_key, now)
    except IntegrityError:
        # A concurrent request with this key was committed after our lookup. The second lookup finds it.
        return add_once(project_id, new, idempotency_key, now)


def add_once(project_id: int, new: NewAnimal, idempotency_key: str, now: datetime) -> tuple[PetRow, bool]:
    with transaction() as session:
        first = find_first_response(session, project_id, idempotency_key, new.fingerprint, now)
        if first is not None:
            return first, True
        animal_and_photo_limits.take_animals(session, project_id)
        pet = insert_animal(session, project_id, new, now)
        store_first_response(session, project_id, idempotency_key, new.fingerprint, pet, now)
        return pet, False


def insert_animal(session: Session, project_id: int, new: NewAnimal, now: datetime) -> PetRow:
    animal = Animal(project_id=project_id, **vars(new), created_at=now, updated_at=now)
    session.add(animal)
    session.flush()
    return animal.id, animal.name, animal.category_id, animal.status
