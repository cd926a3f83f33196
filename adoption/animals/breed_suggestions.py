"""Breeds that a form suggests."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from adoption.animals.models import Animal

BREEDS_MOST = 200


def suggest_breeds(session: Session, project_id: int) -> list[str]:
    """Return up to ``BREEDS_MOST`` breeds of the shelter's animals, sorted by name."""
    breed = Animal.breed_primary
    used = select(breed).where(Animal.project_id == project_id, breed.is_not(None)).distinct()
    return [str(each) for each in session.scalars(used.order_by(breed).limit(BREEDS_MOST))]
