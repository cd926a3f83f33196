"""Our own format: an export of a project's animals as CSV, from which an import restores the animals.

The format is RFC 4180 in UTF-8. A cell that a spreadsheet program would read as a formula gets an apostrophe
at its start (OWASP, "CSV Injection"). A cell that already starts with an apostrophe gets another apostrophe,
so that the importer can always remove one.
"""

import csv
import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from typing import IO, Any, NamedTuple

from sqlalchemy import select

from adoption.animals.age_groups import AGE_GROUPS
from adoption.animals.allowed_values import CATEGORIES, animal_name
from adoption.animals.form_fields import video_field
from adoption.animals.models import Animal, CareRecord
from adoption.animals.parsing import cell_parsers
from adoption.animals.parsing.date_parser import parse_date_time
from adoption.animals.parsing.sex_parser import parse_sex
from adoption.animals.tags import parse_tags, tags_text
from adoption.links_in_names import has_web_address, without_web_addresses
from adoption.projects.queries import find_project_by_slug
from adoption.spreadsheets.columns.program_formats import OWN, OWN_FIELDS
from adoption.spreadsheets.statuses import status_parsers
from adoption.storage.database import reading

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")  # noqa: RUF001 - wide forms count too
ANIMALS_AT_ONCE = 500

# The format of dates in our export. An import reads such dates in our export exactly, although the format is
# ambiguous in other files.
ISO = re.compile(r"\d{4}-\d\d-\d\d")
CENTS = re.compile(r"\d{1,10}\.\d\d")


def shield_formula(text: str) -> str:
    return "'" + text if text.startswith((*FORMULA_STARTS, "'")) else text


def unshield_formula(text: str) -> str:
    return text[1:] if text.startswith("'") else text


class OwnColumn(NamedTuple):
    """A column of the export: the column's field, and the functions that write and read a cell."""

    field: str
    write: Callable[[Any], str]
    read: Callable[[str], Any]
    private: bool = False


def write_yes_no(value: bool | None) -> str:
    return {True: "yes", False: "no", None: ""}[value]


def write_fee(cents: int | None) -> str:
    return "" if cents is None else f"{cents // 100}.{cents % 100:02d}"


def optional(read: Callable[[str], Any]) -> Callable[[str], Any]:
    def read_bounded(text: str) -> Any:
        text = text.strip()
        return read(cell_parsers.within_length(text, cell_parsers.WORDS_LONGEST)) if text else None

    return read_bounded


def write_no(value: bool | None) -> str:
    return write_yes_no(bool(value))  # an animal without a care record has no hold


def read_date(text: str) -> date:
    if ISO.fullmatch(text):
        return date.fromisoformat(text)
    return parse_date_time(text, None, date.max.year).date()


def read_species(text: str) -> int:
    return cell_parsers.parse_species(text).category_id


def read_status(text: str) -> str:
    return status_parsers.parse_status(text).status or "available"


def read_fee(text: str) -> int | None:
    if CENTS.fullmatch(text) and int(text.replace(".", "")) < 2**31:
        return int(text.replace(".", ""))
    return cell_parsers.parse_fee(text)


def read_letters(longest: int | None) -> Callable[[str], str]:
    """Return a parser that leaves text unchanged.

    The parser raises ValueError if the text is too long for the field.
    """

    def read(text: str) -> str:
        if longest and len(text) > longest:
            raise ValueError(f"has {len(text):,} characters. The limit is {longest}. Shorten it")
        return text

    return read


def read_name(text: str) -> str | None:
    named = without_web_addresses(text) if has_web_address(text) else text
    return animal_name(named) if named.strip() else None


def own_column(name: str) -> OwnColumn:
    """Return the column with this name. The type of the field determines how cells are written and read."""
    field = OWN_FIELDS.get(name, name)
    private = name in CareRecord.__table__.columns
    if name in SPECIAL:
        return OwnColumn("category_id" if name == "species" else field, *SPECIAL[name])
    kind = (CareRecord if private else Animal).__table__.columns[field].type
    match kind.python_type.__name__:
        case "bool":
            return OwnColumn(
                field, write_no if private else write_yes_no, optional(cell_parsers.parse_yes_no), private
            )
        case "date":
            return OwnColumn(field, lambda day: day.isoformat() if day else "", optional(read_date), private)
    return OwnColumn(field, lambda text: text or "", read_letters(getattr(kind, "length", None)), private)


def read_age_group(text: str) -> str:
    if text not in AGE_GROUPS:
        raise ValueError(f"must be one of {', '.join(AGE_GROUPS)}")
    return text


SPECIAL: dict[str, tuple[Callable[[Any], str], Callable[[str], Any]]] = {
    "name": (str, read_name),
    "species": (lambda number: CATEGORIES[number], optional(read_species)),
    "status": (str, optional(read_status)),
    "fee": (write_fee, optional(read_fee)),
    "sex": (lambda word: word or "", optional(lambda text: parse_sex(text).sex)),
    "size": (lambda word: word or "", optional(cell_parsers.parse_size)),
    "age_group": (lambda word: word or "", optional(read_age_group)),
    "coat": (lambda word: word or "", optional(cell_parsers.parse_coat)),
    "tags": (tags_text, optional(parse_tags)),
    "video_url": (lambda text: text or "", optional(video_field)),
    "code": (lambda text: text or "", lambda text: read_letters(100)(text) or None),
}
COLUMNS = {name: own_column(name) for name in OWN}

NEEDED = frozenset(f"own:{name}" for name in ("name", "species"))
KEPT = frozenset(
    name
    for name, each in COLUMNS.items()
    if not (CareRecord if each.private else Animal).__table__.columns[each.field].nullable
)
"""Columns that cannot be empty. A blank cell leaves the stored value unchanged."""


def keeps_stored_value(variant: str, blank: Any) -> bool:
    """Return whether a blank cell, parsed as ``blank``, always leaves the stored value unchanged."""
    return blank is None and variant.removeprefix("own:") in KEPT and variant.startswith("own:")


def columns_for(private: bool) -> dict[str, OwnColumn]:
    """Return the columns of an export by name, with or without the private columns."""
    return {name: each for name, each in COLUMNS.items() if private or not each.private}


def write_csv(slug: str, file: IO[str], private: bool = True) -> int:
    """Write every animal of a project, sorted by id. Return the number of animals.

    ``file`` must not translate line ends. Raises NotFound for an unknown project.
    """
    columns, count = columns_for(private), 0
    writer = csv.writer(file, lineterminator="\r\n")
    animals = exported_animals(slug, columns)
    writer.writerow(columns)
    for _, values in animals:
        writer.writerow(own_cells(columns, values))
        count += 1
    return count


def own_cells(columns: dict[str, OwnColumn], values: Sequence[Any]) -> list[str]:
    """Return an animal's cells as text, in the form that an import reads."""
    return [shield_formula(each.write(value)) for each, value in zip(columns.values(), values, strict=True)]


def exported_animals(slug: str, columns: dict[str, OwnColumn]) -> Iterator[tuple[int, Sequence[Any]]]:
    """Return the id and values of each animal that is not removed, sorted by id.

    Raises NotFound for an unknown project.
    """
    with reading() as session:
        project_id = find_project_by_slug(session, slug).id
    return exported_pages(project_id, columns)


def exported_pages(project_id: int, columns: dict[str, OwnColumn]) -> Iterator[tuple[int, Sequence[Any]]]:
    page = (
        select(Animal.id, *(column_attribute(each) for each in columns.values()))
        .outerjoin(CareRecord, CareRecord.animal_id == Animal.id)
        .where(Animal.project_id == project_id, Animal.removed_at.is_(None))
        .order_by(Animal.id)
        .limit(ANIMALS_AT_ONCE)
    )
    after = 0
    while True:
        with reading() as session:
            rows = session.execute(page.where(Animal.id > after)).all()
        for animal_id, *values in rows:
            after = animal_id
            yield animal_id, values
        if len(rows) < ANIMALS_AT_ONCE:
            return


def column_attribute(each: OwnColumn) -> Any:
    return getattr(CareRecord if each.private else Animal, each.field)
