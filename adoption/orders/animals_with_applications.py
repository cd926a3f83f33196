"""The animals of a project that have applications."""

from collections.abc import Iterable
from typing import NamedTuple

from sqlalchemy import func, or_, select
from sqlalchemy.orm import Session

from adoption.animals.models import Animal
from adoption.orders.application_states import OPEN, held_clause
from adoption.orders.models import Application, Order
from adoption.search_words import fold_text
from adoption.storage.database import reading


class AnimalWithApplications(NamedTuple):
    id: int
    name: str
    code: str | None
    category_id: int
    open: int
    """The number of undecided applications."""

    @property
    def found_by(self) -> str:
        return fold_text(f"{self.name} {self.code or ''}")


def list_animals(session: Session, project_id: int) -> list[AnimalWithApplications]:
    """Return all animals of a project that have applications, sorted by name."""
    case = func.coalesce(Order.application_id, -Order.id)
    of_project = select(Order.animal_id).where(Order.project_id == project_id)
    counted = (
        select(Order.animal_id, func.count(case.distinct()).label("open"))
        .where(Order.project_id == project_id, Order.status.in_(OPEN))
        .group_by(Order.animal_id)
        .subquery()
    )
    rows = session.execute(
        select(Animal.id, Animal.name, Animal.code, Animal.category_id, func.coalesce(counted.c.open, 0))
        .outerjoin(counted, counted.c.animal_id == Animal.id)
        .where(Animal.project_id == project_id)
        .where(
            or_(
                Animal.id.in_(of_project),
                Animal.id.in_(select(Application.animal_id).where(held_clause(project_id))),
            )
        )
    )
    found = [AnimalWithApplications(*row) for row in rows]
    return sorted(found, key=lambda each: (each.name.casefold(), each.code or "", each.id))


def match_animals(animals: Iterable[AnimalWithApplications], text: str) -> list[AnimalWithApplications]:
    """Return the animals whose name or code has every word of a text. A complete match comes first."""
    words = fold_text(text).strip()
    found = [each for each in animals if all(word in each.found_by for word in words.split())]
    return sorted(found, key=lambda each: words not in (fold_text(each.name), fold_text(each.code or "")))


def search_animals(project_id: int, text: str) -> list[AnimalWithApplications]:
    """Return the animals with applications whose name or code contains all words of ``text``."""
    with reading() as session:
        return match_animals(list_animals(session, project_id), text)


def find_animal_with_applications(project_id: int, animal_id: int) -> AnimalWithApplications | None:
    with reading() as session:
        found = list_animals(session, project_id)
    return next((each for each in found if each.id == animal_id), None)
