"""The photos and the bonded animals of a page of records."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import select

from adoption.animals.models import Animal
from adoption.animals.photo_models import Photo
from adoption.animals.records.visibility import Visibility
from adoption.storage.json_arrays import is_in_json_array, json_array
from adoption.storage.prepared_statements import Prepared


class RecordPhoto(NamedTuple):
    """A photo of a record."""

    animal_id: int
    id: int
    alt: str
    digest: str
    width: int
    height: int


PHOTOS = Prepared(
    select(*(getattr(Photo, name) for name in RecordPhoto._fields))
    .where(is_in_json_array(Photo.animal_id, "animal_ids"))
    .order_by(Photo.animal_id, Photo.position)
)


def photos_by_animal(animal_ids: Iterable[int]) -> dict[int, list[RecordPhoto]]:
    """Return the photos of these animals, cover first.

    The function does not check whether the reader may see the animals.
    """
    found = defaultdict(list)
    for row in PHOTOS.rows(animal_ids=json_array(animal_ids)):
        found[row[0]].append(RecordPhoto._make(row))
    return found


@cache
def bonded_statement(visibility: Visibility) -> Prepared:
    bonded = select(Animal.bond_id, Animal.id).where(is_in_json_array(Animal.bond_id, "bond_ids"))
    return Prepared(bonded.where(*visibility.conditions).order_by(Animal.id))


def animals_by_bond(
    visibility: Visibility, bond_ids: Iterable[int | None], scope: Mapping[str, Any]
) -> dict[int, list[int]]:
    """Return the ids of the animals in these bonds, except animals that the reader may not see."""
    wanted = set(bond_ids) - {None}
    found = defaultdict(list)
    if wanted:
        for bond_id, animal_id in bonded_statement(visibility).rows(**scope, bond_ids=json_array(wanted)):
            found[bond_id].append(animal_id)
    return found
