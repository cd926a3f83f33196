"""The query and the columns for the cards of animals in the catalogue."""

from typing import Any, NamedTuple

from sqlalchemy import Select, String, and_, case, cast, literal_column, select
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.orm import aliased
from sqlalchemy.sql.functions import FunctionElement

from adoption.animals.models import SHOWN_CLAUSE, Animal
from adoption.animals.photo_models import Photo
from adoption.projects.models import Deploy, Project
from adoption.projects.published_sites import LIVE

AnySelect = Select[*tuple[Any, ...]]


class Listing(NamedTuple):
    """An animal on a catalogue card."""

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
    """The birth date in ISO 8601, such as 2026-11-28."""
    birth_date_estimated: bool
    age_group: str | None
    """The age group; None if the birth date is known."""
    arrival_date: str | None
    shelter: str
    place: str
    shelter_slug: str
    digest: str | None
    """Digest of the cover photo; None for an animal without photos."""
    photo_width: int | None
    photo_height: int | None
    alt: str | None
    blur: str | None
    mates: str | None = None
    """Names of the other animals in the animal's bond, one per line; None without a bond."""
    project_id: int = 0


class joined_lines(FunctionElement[str]):  # noqa: N801 - named like an SQL function
    """SQL aggregate that joins values with line breaks.

    SQLAlchemy's ``aggregate_strings`` would make the separator a bound parameter.
    """

    type = String()
    inherit_cache = True


@compiles(joined_lines)
def postgresql_lines(element: Any, compiler: Any, **options: Any) -> str:
    return f"string_agg({compiler.process(element.clauses, **options)}, chr(10))"


@compiles(joined_lines, "sqlite")
def sqlite_lines(element: Any, compiler: Any, **options: Any) -> str:
    return f"group_concat({compiler.process(element.clauses, **options)}, char(10))"


MATE = aliased(Animal)

MATES = (
    select(joined_lines(MATE.name))
    .where(
        MATE.bond_id == Animal.bond_id,
        MATE.project_id == Animal.project_id,
        MATE.id != Animal.id,
        MATE.listed,
        MATE.status != literal_column("'sold'"),
    )
    .correlate(Animal)
    .scalar_subquery()
)

LISTINGS: AnySelect = (
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
        Animal.age_group,
        cast(Animal.arrival_date, String),
        Deploy.name,
        Deploy.place,
        Project.slug,
        Photo.digest,
        Photo.width,
        Photo.height,
        Photo.alt,
        Photo.blur,
        case((Animal.bond_id.is_not(None), MATES)),
        Animal.project_id,
    )
    .join(Project, Project.id == Animal.project_id)
    .join(Deploy, LIVE)
    .outerjoin(Photo, and_(Photo.animal_id == Animal.id, Photo.position == 0))
    .where(SHOWN_CLAUSE)
)
"""Every public animal with the columns of ``Listing``. Queries add conditions and an order."""
