"""Breeds that a form suggests."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from adoption.animals.models import Animal

BREEDS_MOST = 200


def suggest_breeds(session: Session, project_id: int) -> list[str]:
    """Return the breeds of the shelter's animals, sorted by name: the first ``BREEDS_MOST``."""
    breed = Animal.breed_primary
    used = select(breed).where(Animal.project_id == project_id, breed.is_not(None)).distinct()
    return [str(each) for each in session.scalars(used.order_by(breed).limit(BREEDS_MOST))]
