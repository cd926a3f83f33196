"""The public fields of an animal, for its page."""

from typing import NamedTuple

from sqlalchemy import String, bindparam, cast, select

from adoption.animals.catalogue_cards import LISTINGS, Listing
from adoption.animals.models import PUBLISHED, Animal
from adoption.animals.photo_models import Photo
from adoption.errors import Gone, NotFound
from adoption.projects.adoption_forms import DEFAULT, Questions, parse_questions
from adoption.projects.models import AdoptionForm, Deploy, Project
from adoption.projects.published_sites import LIVE, OF_SITE, Site
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
    declawed: bool | None
    shots_current: bool | None
    special_needs: bool
    special_needs_note: str
    fee_cents: int | None
    """The adoption fee in hundredths of the shelter's currency. 0 means waived, None means not shown."""
    bond_id: int | None
    description: str
    """The description in Markdown, as the shelter wrote it."""
    tags: str
    """The tags as a JSON array."""
    video_url: str | None
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

        A pending animal is also open, because its adoption can fail.
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
