from sqlalchemy import bindparam, select

from adoption.animals.models import Animal
from adoption.prepared import Prepared

PET = (Animal.id, Animal.name, Animal.category_id, Animal.status)

PetRow = tuple[int, str, int, str]
"""An animal as the API shows it: id, name, category id, status."""

_listed = select(*PET).where(Animal.project_id == bindparam("project_id"), Animal.listed)
_page = _listed.where(Animal.id > bindparam("after")).order_by(Animal.id).limit(bindparam("limit"))
PAGE = Prepared(_page)
PAGE_BY_STATUS = Prepared(_page.where(Animal.status == bindparam("status")))
ONE = Prepared(_listed.where(Animal.id == bindparam("animal_id")))


def page_of_animals(project_id: int, status: str | None, after: int, limit: int) -> list[PetRow]:
    """A project's listed animals with an id above ``after``, by id, ``limit`` at most."""
    if status is None:
        return PAGE.rows(project_id=project_id, after=after, limit=limit)
    return PAGE_BY_STATUS.rows(project_id=project_id, status=status, after=after, limit=limit)


def listed_animal(project_id: int, animal_id: int) -> PetRow | None:
    """A listed animal of this project, or None: another project's is not found either."""
    return ONE.first(project_id=project_id, animal_id=animal_id)
