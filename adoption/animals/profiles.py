"""An animal's public page, and similar animals."""

from datetime import UTC, date, datetime
from typing import NamedTuple

from sqlalchemy import BindParameter, String, Subquery, bindparam, case, cast, or_, select, union

from adoption.animals.age_groups import age_group, birth_dates
from adoption.animals.catalogue import iso_date
from adoption.animals.catalogue_cards import LISTINGS, Listing
from adoption.animals.models import PUBLISHED, SHOWN_CLAUSE, Animal, Photo
from adoption.errors import Gone, NotFound
from adoption.projects.adoption_forms import DEFAULT, Questions, parse_questions
from adoption.projects.models import AdoptionForm, Deploy, Project
from adoption.projects.queries import LIVE, OF_SITE, Site
from adoption.storage.prepared_statements import Prepared


class ProfilePhoto(NamedTuple):
    """A photo for ``components/photo.html``."""

    digest: str
    width: int
    height: int
    alt: str
    blur: str


class Profile(NamedTuple):
    """The public fields of an animal. None means "not known"."""

    id: int
    project_id: int
    category_id: int
    name: str
    status: str
    code: str | None
    breed_primary: str | None
    breed_secondary: str | None
    breed_mixed: bool
    breed_unknown: bool
    sex: str | None
    altered: bool | None
    birth_date: str | None
    """The birth date in ISO 8601, such as 2026-11-28."""
    birth_date_estimated: bool
    age_group: str | None
    """The age group; None if the birth date is known."""
    size: str | None
    coat: str | None
    colours: str | None
    good_with_children: bool | None
    good_with_dogs: bool | None
    good_with_cats: bool | None
    house_trained: bool | None
    special_needs: bool
    special_needs_note: str
    fee_cents: int | None
    """The adoption fee in hundredths of the shelter's currency. 0 means waived, None means not shown."""
    bond_id: int | None
    description: str
    """The description in Markdown, as the shelter wrote it."""
    arrival_date: str | None
    description_html: str | None
    description_beginning: str | None
    needs_html: str | None
    shelter: Site
    photos: tuple[ProfilePhoto, ...]
    mates: tuple[Listing, ...]
    """The other animals in the bond, without animals that the public cannot see."""

    questions: Questions = DEFAULT
    """The questions of the shelter's adoption form."""

    @property
    def is_open(self) -> bool:
        """Whether people can apply.

        They can also apply for a pending animal, because its adoption may fail.
        """
        return self.status != "sold"


OF_ANIMAL = Profile._fields[: Profile._fields.index("shelter")]
DATES = ("birth_date", "arrival_date")
_columns = [
    cast(getattr(Animal, name), String) if name in DATES else getattr(Animal, name) for name in OF_ANIMAL
]
ONE = Prepared(
    select(Animal.listed, Animal.listed_before_removal, *_columns, *OF_SITE, AdoptionForm.questions)
    .join(Project, Project.id == Animal.project_id)
    .join(Deploy, LIVE)
    .outerjoin(AdoptionForm, AdoptionForm.project_id == Animal.project_id)
    .where(Animal.id == bindparam("animal_id"), PUBLISHED)
)
PHOTOS = Prepared(
    select(*(getattr(Photo, name) for name in ProfilePhoto._fields))
    .where(Photo.animal_id == bindparam("animal_id"))
    .order_by(Photo.position)
)
MATES = Prepared(
    LISTINGS.where(
        Animal.bond_id == bindparam("bond_id"),
        Animal.project_id == bindparam("project_id"),
        Animal.id != bindparam("animal_id"),
    ).order_by(Animal.id)
)


def profile_of(animal_id: int, project_id: int | None = None) -> Profile:
    """Return a public animal of any project, or only of ``project_id``.

    Raises Gone for a removed animal that was public before. Raises NotFound for any other animal that is
    unknown, hidden, unpublished or of another project.
    """
    row = ONE.first(animal_id=animal_id)
    known = len(OF_ANIMAL) + 2
    animal = dict(zip(OF_ANIMAL, row[2:known], strict=True)) if row else {}
    if row is None or project_id not in (None, animal["project_id"]):
        raise NotFound("There is no such animal here.")
    listed, was_listed, *_ = row
    if not listed:
        if was_listed:
            raise Gone("This animal is no longer listed.", animal["category_id"])
        raise NotFound("There is no such animal here.")
    bond = animal["bond_id"]
    same = {"animal_id": animal_id, "project_id": animal["project_id"], "bond_id": bond}
    return Profile(
        **animal,
        shelter=Site._make(row[known:-1]),
        questions=parse_questions(row[-1]),
        photos=tuple(map(ProfilePhoto._make, PHOTOS.rows(animal_id=animal_id))),
        mates=() if bond is None else tuple(map(Listing._make, MATES.rows(**same))),
    )


LOOKED_AT = 40
"""Limit of candidates of each kind that are compared. This many can be read in less than a millisecond."""
OWN_LOOKED_THROUGH = 500
"""Limit of the shelter's waiting animals whose species is checked. The check reads only the index."""
NEVER = "9999-12-31"


def candidates() -> Subquery:
    """Return the ids of the newest animals of the species, both overall and of the shelter."""
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
