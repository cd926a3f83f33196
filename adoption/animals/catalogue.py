"""The public catalogue: the listed animals of every published project, newest first."""

from typing import NamedTuple

from sqlalchemy import String, bindparam, cast, select

from adoption.animals.models import Animal
from adoption.database import Prepared
from adoption.projects.models import Project


class Listing(NamedTuple):
    """What a card in the catalogue shows of an animal, and nothing else of it."""

    id: int
    name: str
    category_id: int
    status: str
    breed_primary: str | None
    breed_secondary: str | None
    breed_mixed: bool
    breed_unknown: bool
    sex: str | None
    size: str | None
    birth_date: str | None
    """As ISO 8601 has it, such as 2026-11-28."""
    birth_date_estimated: bool
    shelter: str
    place: str


_listings = (
    select(
        Animal.id,
        Animal.name,
        Animal.category_id,
        Animal.status,
        Animal.breed_primary,
        Animal.breed_secondary,
        Animal.breed_mixed,
        Animal.breed_unknown,
        Animal.sex,
        Animal.size,
        cast(Animal.birth_date, String),
        Animal.birth_date_estimated,
        Project.name,
        Project.place,
    )
    .join(Project, Project.id == Animal.project_id)
    .where(Animal.listed, Project.live_deploy.is_not(None), Animal.id < bindparam("before"))
    .order_by(Animal.id.desc())
    .limit(bindparam("limit"))
)
NEWEST = Prepared(_listings)
NEWEST_OF_CATEGORY = Prepared(_listings.where(Animal.category_id == bindparam("category_id")))

ID_LARGEST = 2**63 - 1


def newest_listings(category_id: int | None, before: int | None, limit: int) -> list[Listing]:
    """Listed animals by falling id, ``limit`` at most: of one category or all, with ids below ``before``."""
    before = ID_LARGEST if before is None else before
    if category_id is None:
        rows = NEWEST.rows(before=before, limit=limit)
    else:
        rows = NEWEST_OF_CATEGORY.rows(category_id=category_id, before=before, limit=limit)
    return [Listing._make(row) for row in rows]
