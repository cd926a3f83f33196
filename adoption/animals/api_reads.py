"""Queries of the API for one animal and for a page of animals."""

from functools import cache

from sqlalchemy import bindparam, literal_column, select

from adoption.animals.models import Animal
from adoption.storage.prepared_statements import Prepared

PET = (Animal.id, Animal.name, Animal.category_id, Animal.status)

PetRow = tuple[int, str, int, str]
"""An animal as the API shows it: id, name, category id, status."""

_listed = select(*PET).where(Animal.project_id == bindparam("project_id"), Animal.listed)
_after = _listed.where(Animal.id > bindparam("after")).order_by(Animal.id)
_of_status = _after.where(Animal.status == bindparam("status"))
ONE = Prepared(_listed.where(Animal.id == bindparam("animal_id")))


def page_of_animals(project_id: int, status: str | None, after: int, limit: int) -> list[PetRow]:
    """Return up to ``limit`` listed animals of a project, sorted by id, with ids above ``after``."""
    if status is None:
        return pet_page_statement(limit).rows(project_id=project_id, after=after)
    return pages_of_status(limit).rows(project_id=project_id, status=status, after=after)


# The limit is part of the SQL text, so that PostgreSQL reuses one query plan for all pages. With the limit as
# a parameter, PostgreSQL would make a new plan for each page. Planning takes as long as reading the page.
@cache
def pet_page_statement(limit: int) -> Prepared:
    return Prepared(_after.limit(literal_column(str(limit))))


@cache
def pages_of_status(limit: int) -> Prepared:
    return Prepared(_of_status.limit(literal_column(str(limit))))


def listed_animal(project_id: int, animal_id: int) -> PetRow | None:
    """Return a listed animal of this project, or None."""
    return ONE.first(project_id=project_id, animal_id=animal_id)
