"""Export of listed animals in the format of Petfinder's import, which other services accept too.

1 means yes, 0 means no, and blank means unknown. In ``NoDogs``, 1 means "not good with dogs". The export has
no unlisted animals and no private columns.
"""

import csv
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import date, datetime
from typing import IO, NamedTuple

from sqlalchemy import func, select

from adoption.animals.age_groups import age_group
from adoption.animals.allowed_values import CATEGORIES
from adoption.animals.models import Animal
from adoption.animals.photo_models import Photo
from adoption.animals.photo_variants import photo_widths, variant_file_name
from adoption.animals.tags import tags_text
from adoption.projects.queries import find_project_by_slug
from adoption.spreadsheets.exports.own_format import ANIMALS_AT_ONCE, FORMULA_STARTS, write_fee
from adoption.storage.database import reading
from adoption.time_zones import zone_info

HEADER = (
    "ID", "Internal", "AnimalName", "PrimaryBreed", "SecondaryBreed", "Sex", "Size", "Age", "Desc", "Type",
    "Status", "Shots", "Altered", "NoDogs", "NoCats", "NoKids", "Housetrained", "Declawed", "specialNeeds",
    "Mix", "photo1", "photo2", "photo3", "photo4", "photo5", "photo6", "arrival_date", "birth_date",
    "primaryColor", "secondaryColor", "tertiaryColor", "coat_length", "adoption_fee", "display_adoption_fee",
    "adoption_fee_waived", "special_needs_notes", "no_other", "no_other_note", "tags",
)  # fmt: skip
PHOTOS_MOST, COLOURS_MOST = 6, 3
PHOTO_WIDEST = 800
OTHERS = "Scales, Fins & Other"
TYPES = CATEGORIES | {4: "Small & Furry", 8: OTHERS, 9: OTHERS, 10: OTHERS}
STATUSES = {"available": "A", "pending": "H", "sold": "X"}
"""Petfinder's statuses (adoptable, hold, adopted) by our status.

A pending animal is exported as on hold, because Petfinder has no status for a pending adoption.
"""
SIZES = {"small": "S", "medium": "M", "large": "L", "xlarge": "XL"}
SEXES = {"female": "F", "male": "M"}


def write_petfinder(slug: str, file: IO[str], media: str, today: date | None = None) -> int:
    """Write a project's listed animals, sorted by id. Return the number of animals.

    ``file`` must not translate line ends. ``media`` is the base URL of photos and ends with a slash. Raises
    NotFound for an unknown project.
    """
    with reading() as session:
        project = find_project_by_slug(session, slug)
    today, count = today or datetime.now(zone_info(project.time_zone)).date(), 0
    writer = csv.writer(file, lineterminator="\r\n")
    writer.writerow(HEADER)
    for animal, photos in listed_with_photos(project.id):
        values = petfinder_row(animal, [media + each for each in photos], today)
        writer.writerow([harmless(values.get(name, "")) for name in HEADER])
        count += 1
    return count


def harmless(text: str) -> str:
    """Return the text in a form that no spreadsheet program reads as a formula.

    In our own format, the text gets an apostrophe. But other programs publish the cells of this export, so
    the text gets a no-break space, which is invisible on a page.
    """
    return "\u00a0" + text if text.startswith(FORMULA_STARTS) else text


class Incomplete(NamedTuple):
    """Listed animals that Petfinder's import would reject."""

    number: int
    first: list[tuple[int, str, str]]
    """Id, name and missing fields of the first incomplete animals."""


INCOMPLETE_SHOWN = 10


def incomplete_animals(project_id: int) -> Incomplete:
    """Return the listed animals without a sex or an age. Petfinder's import rejects such animals."""
    has_no_age = Animal.birth_date.is_(None) & Animal.age_group.is_(None)
    lacking = (
        Animal.project_id == project_id,
        Animal.listed,
        Animal.removed_at.is_(None),
        Animal.sex.is_(None) | has_no_age,
    )
    columns = (Animal.id, Animal.name, Animal.sex.is_(None), has_no_age)
    with reading() as session:
        count = session.scalar(select(func.count()).where(*lacking)) or 0
        rows = session.execute(select(*columns).where(*lacking).order_by(Animal.id).limit(INCOMPLETE_SHOWN))
        words = {(True, True): "sex and age", (True, False): "sex", (False, True): "age"}
        first = [(number, name, words[bool(sex), bool(age)]) for number, name, sex, age in rows]
    return Incomplete(count, first)


def listed_with_photos(project_id: int) -> Iterator[tuple[Animal, list[str]]]:
    """Yield each listed animal with the file names of its photos."""
    page = (
        select(Animal)
        .where(Animal.project_id == project_id, Animal.listed, Animal.removed_at.is_(None))
        .order_by(Animal.id)
        .limit(ANIMALS_AT_ONCE)
    )
    after = 0
    while True:
        with reading() as session:
            animals = session.scalars(page.where(Animal.id > after)).all()
            session.expunge_all()
            photos = defaultdict(list)
            wanted = select(Photo).where(Photo.animal_id.in_([each.id for each in animals]))
            for photo in session.scalars(wanted.order_by(Photo.animal_id, Photo.position, Photo.id)):
                photos[photo.animal_id].append(photo_file_name(photo))
        for animal in animals:
            after = animal.id
            yield animal, photos[animal.id][:PHOTOS_MOST]
        if len(animals) < ANIMALS_AT_ONCE:
            return


def photo_file_name(photo: Photo) -> str:
    widths = photo_widths(photo.width)
    width = next((each for each in widths if each >= PHOTO_WIDEST), widths[-1])
    return variant_file_name(photo.digest, width, "webp")


def petfinder_row(animal: Animal, photos: Sequence[str], today: date) -> dict[str, str]:
    fee, born = animal.fee_cents, animal.birth_date
    colours = [each.strip() for each in (animal.colours or "").split(",") if each.strip()][:COLOURS_MOST]
    names = ("primaryColor", "secondaryColor", "tertiaryColor")
    return {
        "ID": animal.code or str(animal.id),
        "AnimalName": animal.name,
        "PrimaryBreed": animal.breed_primary or "",
        "SecondaryBreed": animal.breed_secondary or "",
        "Sex": SEXES.get(animal.sex or "", ""),
        "Size": SIZES.get(animal.size or "", ""),
        "Age": (age_group(born, today) if born else animal.age_group or "").capitalize(),
        "Desc": animal.description,
        "Type": TYPES[animal.category_id],
        "Status": STATUSES[animal.status],
        "Altered": one_or_zero(animal.altered),
        "NoDogs": negated(animal.good_with_dogs),
        "NoCats": negated(animal.good_with_cats),
        "NoKids": negated(animal.good_with_children),
        "Housetrained": one_or_zero(animal.house_trained),
        "Shots": one_or_zero(animal.shots_current),
        "Declawed": one_or_zero(animal.declawed),
        "tags": tags_text(animal.tags),
        "specialNeeds": one_or_zero(animal.special_needs),
        "Mix": one_or_zero(animal.breed_mixed),
        "arrival_date": animal.arrival_date.isoformat() if animal.arrival_date else "",
        "birth_date": born.isoformat() if born else "",
        "coat_length": (animal.coat or "").capitalize(),
        "adoption_fee": write_fee(fee or None),
        "display_adoption_fee": one_or_zero(None if fee is None else fee > 0),
        "adoption_fee_waived": one_or_zero(None if fee is None else fee == 0),
        "special_needs_notes": animal.special_needs_note,
        **dict(zip(names, colours, strict=False)),
        **{f"photo{number}": address for number, address in enumerate(photos, start=1)},
    }


def one_or_zero(value: bool | None) -> str:
    return {True: "1", False: "0", None: ""}[value]


def negated(value: bool | None) -> str:
    return one_or_zero(None if value is None else not value)
