"""Animals that are similar to a given animal, for the animal's page."""

from datetime import UTC, date, datetime

from sqlalchemy import BindParameter, Subquery, bindparam, case, or_, select, union

from adoption.animals.age_groups import age_group, birth_dates
from adoption.animals.catalogue import iso_date
from adoption.animals.catalogue_cards import LISTINGS, Listing
from adoption.animals.models import SHOWN_CLAUSE, Animal
from adoption.animals.public_profiles import Profile
from adoption.storage.prepared_statements import Prepared

LOOKED_AT = 40
"""Limit of candidates from all shelters, and also of candidates from the same shelter.

A query reads 40 candidates in less than a millisecond.
"""
OWN_LOOKED_THROUGH = 500
"""Largest number of the shelter's waiting animals whose species is checked. The check reads only an index."""
NEVER = "9999-12-31"


def candidates() -> Subquery:
    """Return the ids of the newest animals of the species in all shelters, and in the same shelter."""
    category_id: BindParameter[int] = bindparam("category_id")
    newest = (
        select(Animal.id)
        .where(SHOWN_CLAUSE, Animal.category_id == category_id)
        .order_by(Animal.id.desc())
        .limit(bindparam("elsewhere"))
        .subquery()
    )
    own = (
        select(Animal.id, Animal.category_id)
        .where(SHOWN_CLAUSE, Animal.status == "available", Animal.project_id == bindparam("project_id"))
        .order_by(Animal.id.desc())
        .limit(OWN_LOOKED_THROUGH)
        .subquery()
    )
    own_kind = select(own.c.id).where(own.c.category_id == category_id).limit(LOOKED_AT).subquery()
    return union(select(newest.c.id), select(own_kind.c.id)).subquery()


def most_similar_ids() -> Subquery:
    """Return the ids and scores of the most similar animals."""
    found = candidates()
    same_age = or_(
        Animal.birth_date.between(iso_date("born_from"), iso_date("born_to")),
        Animal.age_group == bindparam("age_group"),
    )
    likeness = (
        case((Animal.project_id == bindparam("project_id"), 2), else_=0)
        + case((Animal.size == bindparam("size"), 1), else_=0)
        + case((same_age, 1), else_=0)
    )
    return (
        select(Animal.id, likeness.label("likeness"))
        .join(found, found.c.id == Animal.id)
        .where(
            Animal.status == "available",
            Animal.id != bindparam("animal_id"),
            or_(Animal.bond_id.is_(None), Animal.bond_id != bindparam("bond_id")),
        )
        .order_by(likeness.desc(), Animal.id.desc())
        .limit(bindparam("limit"))
        .subquery()
    )


_nearest = most_similar_ids()
SIMILAR = Prepared(
    LISTINGS.join(_nearest, _nearest.c.id == Animal.id).order_by(_nearest.c.likeness.desc(), Animal.id.desc())
)


def similar_to(
    animal: Profile, limit: int = 4, project_id: int | None = None, today: date | None = None
) -> list[Listing]:
    """Return waiting animals of the same species, the most similar first.

    The same shelter counts most, then the same size and age group. Candidates are the newest animals of the
    species, from all shelters or only from ``project_id``.
    """
    born_from, born_to = NEVER, NEVER
    today = today or datetime.now(UTC).date()
    group = age_group(date.fromisoformat(animal.birth_date), today) if animal.birth_date else animal.age_group
    if group:
        born_from, born_to = (day.isoformat() for day in birth_dates(group, today))
    rows = SIMILAR.rows(
        animal_id=animal.id,
        project_id=animal.project_id,
        category_id=animal.category_id,
        bond_id=animal.bond_id or 0,
        size=animal.size,
        born_from=born_from,
        born_to=born_to,
        age_group=group,
        elsewhere=LOOKED_AT if project_id is None else 0,
        limit=limit,
    )
    return [Listing._make(row) for row in rows]
