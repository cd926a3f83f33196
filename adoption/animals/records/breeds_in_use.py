"""The breeds of the animals that every visitor sees."""

from functools import lru_cache

from sqlalchemy import Engine, select, union

from adoption.animals.models import Animal
from adoption.animals.records.visibility import IN_DIRECTORY
from adoption.storage.database import db, reading

HOUR = 3600


def breeds_of_categories(category_ids: tuple[int, ...], now: float) -> list[str]:
    """Return the breeds of these categories, sorted by name. They are up to an hour old."""
    known = breeds_of_hour(db.engine, int(now // HOUR))
    return sorted({breed for id_ in category_ids for breed in known.get(id_, ())}, key=str.casefold)


def all_breeds(now: float) -> set[str]:
    """Return the breeds of all categories in small letters. They are up to an hour old."""
    return {breed.lower() for each in breeds_of_hour(db.engine, int(now // HOUR)).values() for breed in each}


@lru_cache(maxsize=1)
def breeds_of_hour(_engine: Engine, _hour: int) -> dict[int, set[str]]:
    """Return the breeds by category."""
    parts = [
        select(Animal.category_id, column).where(column.is_not(None), *IN_DIRECTORY.conditions)
        for column in (Animal.breed_primary, Animal.breed_secondary)
    ]
    found: dict[int, set[str]] = {}
    with reading() as session:
        for category_id, breed in session.execute(union(*parts)):
            found.setdefault(category_id, set()).add(str(breed))
    return found
