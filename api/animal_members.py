"""The members of an animal's record in JSON, with the columns that each member needs."""

from collections.abc import Callable
from datetime import date
from functools import lru_cache
from operator import itemgetter
from typing import Any, NamedTuple

import orjson

from adoption.animals.age_groups import AGE_GROUPS, birth_dates
from adoption.animals.allowed_values import SPECIES
from adoption.animals.page_paths import animal_path
from adoption.animals.photo_addresses import public_photo_files
from adoption.animals.records.photos_and_bonds import RecordPhoto
from adoption.animals.sitemap_and_feed import to_the_second
from adoption.directory.shelters_of_records import RecordShelter
from adoption.markdown import html_of_text, summary_of

ANSWERS = {None: None, 0: False, 1: True}
"""The JSON value of a stored answer. SQLite returns 0 or 1, and PostgreSQL returns False or True."""


class RelatedRows(NamedTuple):
    """Data of other tables for the animals of a page."""

    youngest: tuple[tuple[str, str], ...]
    """Each age group with its earliest birth date, youngest group first."""
    photos: dict[int, list[RecordPhoto]]
    bonded: dict[int, list[int]]
    shelters: dict[int, RecordShelter]
    shelter_json: dict[int, object]
    """The value of the member ``shelter``, by the id of the project."""
    origins: dict[int, str]
    """The origin of animals' pages, such as https://www.example.org, by the id of the project."""


@lru_cache(4)
def earliest_births(today: date) -> tuple[tuple[str, str], ...]:
    """Return each age group with its earliest birth date in ISO 8601, youngest group first."""
    return tuple((group, birth_dates(group, today)[0].isoformat()) for group in AGE_GROUPS)


def age_group_of(youngest: tuple[tuple[str, str], ...], born: str | None, group: str | None) -> str | None:
    if born is None:
        return group
    for name, earliest in youngest:
        if born >= earliest:
            return name
    return None


def instant(when: Any) -> str | None:
    return None if when is None else to_the_second(when)


def text_or_null(text: str) -> str | None:
    return text or None


def breeds(_related: RelatedRows, primary: Any, secondary: Any, mixed: Any, unknown: Any) -> object:
    return {"primary": primary, "secondary": secondary, "mixed": bool(mixed), "unknown": bool(unknown)}


def good_with(_related: RelatedRows, children: Any, dogs: Any, cats: Any) -> object:
    return {"children": ANSWERS[children], "dogs": ANSWERS[dogs], "cats": ANSWERS[cats]}


def colours(text: str | None) -> list[str] | None:
    return [colour for each in text.split(",") if (colour := each.strip())] if text else None


def fee(related: RelatedRows, project_id: int, cents: int | None) -> object:
    return fee_json(cents, related.shelters[project_id].currency)


@lru_cache(1_000)
def fee_json(cents: int | None, currency: str) -> object:
    kind = "hidden" if cents is None else "asked" if cents else "waived"
    amount = f"{cents // 100}.{cents % 100:02}" if cents else None
    return {"kind": kind, "amount": amount, "currency": currency}


def estimated(_related: RelatedRows, born: str | None, is_estimated: Any) -> bool | None:
    return None if born is None else bool(is_estimated)


def bonded_with(related: RelatedRows, animal_id: int, bond_id: int | None) -> list[int]:
    return [] if bond_id is None else [each for each in related.bonded[bond_id] if each != animal_id]


def summary(_related: RelatedRows, text: str, beginning: str | None) -> str | None:
    return summary_of(text, beginning) or None


def description_html(_related: RelatedRows, text: str, html: str | None) -> str | None:
    return html_of_text(text, html) or None


def photos(related: RelatedRows, animal_id: int) -> list[object]:
    return [photo_json(*photo[1:]) for photo in related.photos.get(animal_id, ())]


@lru_cache(10_000)  # without it, the addresses take a third of the time of a page
def photo_json(id_: int, alt: str, digest: str, width: int, height: int) -> orjson.Fragment:
    files = [each._asdict() for each in public_photo_files(digest, width)]
    size = {"width": width, "height": height}
    return orjson.Fragment(orjson.dumps({"id": id_, "alt": alt or None, **size, "files": files}))


def page_url(related: RelatedRows, project_id: int, animal_id: int, name: str) -> str:
    return related.origins[project_id] + animal_path(animal_id, name)


class RecordMember(NamedTuple):
    """A member of a record. If it has neither ``convert`` nor ``make``, its value is its only column."""

    columns: tuple[str, ...]
    """The columns of ``Animal`` that the member is made from."""
    convert: Callable[[Any], object] | None = None
    """The function that makes the member's value from its only column."""
    make: Callable[..., object] | None = None
    """The function that makes the member's value from ``RelatedRows`` and the columns."""


ANSWER = ANSWERS.__getitem__
MEMBERS = {
    "id": RecordMember(("id",)),
    "name": RecordMember(("name",)),
    "status": RecordMember(("status",)),
    "categoryId": RecordMember(("category_id",)),
    "species": RecordMember(("category_id",), SPECIES.__getitem__),
    "code": RecordMember(("code",)),
    "breeds": RecordMember(("breed_primary", "breed_secondary", "breed_mixed", "breed_unknown"), make=breeds),
    "ageGroup": RecordMember(
        ("birth_date", "age_group"), make=lambda related, *known: age_group_of(related.youngest, *known)
    ),
    "birthDate": RecordMember(("birth_date",)),
    "birthDateEstimated": RecordMember(("birth_date", "birth_date_estimated"), make=estimated),
    "sex": RecordMember(("sex",)),
    "altered": RecordMember(("altered",), ANSWER),
    "size": RecordMember(("size",)),
    "coat": RecordMember(("coat",)),
    "colours": RecordMember(("colours",), colours),
    "goodWith": RecordMember(("good_with_children", "good_with_dogs", "good_with_cats"), make=good_with),
    "houseTrained": RecordMember(("house_trained",), ANSWER),
    "declawed": RecordMember(("declawed",), ANSWER),
    "shotsCurrent": RecordMember(("shots_current",), ANSWER),
    "specialNeeds": RecordMember(("special_needs",), ANSWER),
    "specialNeedsNote": RecordMember(("special_needs_note",), text_or_null),
    "tags": RecordMember(("tags",), orjson.loads),
    "videoUrl": RecordMember(("video_url",)),
    "fee": RecordMember(("project_id", "fee_cents"), make=fee),
    "bondedWith": RecordMember(("id", "bond_id"), make=bonded_with),
    "summary": RecordMember(("description", "description_beginning"), make=summary),
    "description": RecordMember(("description",), text_or_null),
    "descriptionHtml": RecordMember(("description", "description_html"), make=description_html),
    "language": RecordMember(
        ("project_id",), make=lambda related, id_: related.shelters[id_].shelter.language
    ),
    "photos": RecordMember(("id",), make=photos),
    "shelter": RecordMember(("project_id",), make=lambda related, id_: related.shelter_json[id_]),
    "url": RecordMember(("project_id", "id", "name"), make=page_url),
    "arrivalDate": RecordMember(("arrival_date",)),
    "createdAt": RecordMember(("created_at",), instant),
    "shownAt": RecordMember(("shown_at",), instant),
    "statusChangedAt": RecordMember(("status_changed_at",), instant),
    "updatedAt": RecordMember(("updated_at",), instant),
    "revision": RecordMember(("revision",)),
}
OF_SHELTER = {"fee", "language", "shelter", "url"}
"""The members that need the animal's shelter."""


class MemberSelection(NamedTuple):
    """The members of a record in a response, and the positions of their columns in a row."""

    names: frozenset[str]
    blank: dict[str, None]
    """The members in the order of the response. Every value is None."""
    columns: tuple[str, ...]
    """The columns of a row. The columns of ``unchanged`` come first."""
    unchanged: tuple[str, ...]
    converted: list[tuple[str, Callable[[Any], object], int]]
    """The name of each member with ``convert``, the function, and the position of the member's column."""
    made: list[tuple[str, Callable[..., object], Callable[[Any], tuple[Any, ...]]]]
    """The name of each member with ``make``, the function, and a getter of the member's columns."""

    def record(self, row: tuple[Any, ...], related: RelatedRows) -> dict[str, object]:
        if not (self.converted or self.made):
            return dict(zip(self.unchanged, row, strict=False))
        record: dict[str, object] = {**self.blank}
        record.update(zip(self.unchanged, row, strict=False))
        for name, convert, place in self.converted:
            record[name] = convert(row[place])
        for name, make, take in self.made:
            record[name] = make(related, *take(row))
        return record


@lru_cache(500)
def select_members(names: frozenset[str]) -> MemberSelection:
    """Return the selection of the members with these names. ``names`` must contain ``id``."""
    wanted = {name: member for name, member in MEMBERS.items() if name in names}
    unchanged = [name for name, member in wanted.items() if not (member.convert or member.make)]
    columns = [wanted[name].columns[0] for name in unchanged]
    columns += dict.fromkeys(
        each for member in wanted.values() for each in member.columns if each not in columns
    )
    places = {name: tuple(map(columns.index, member.columns)) for name, member in wanted.items()}
    return MemberSelection(
        names,
        dict.fromkeys(wanted),
        tuple(columns),
        tuple(unchanged),
        [(name, member.convert, places[name][0]) for name, member in wanted.items() if member.convert],
        [(name, member.make, taker(places[name])) for name, member in wanted.items() if member.make],
    )


def taker(places: tuple[int, ...]) -> Callable[[Any], tuple[Any, ...]]:
    """Return a function that takes a row and returns the values at these positions as a tuple."""
    # With a single position, itemgetter would return the value itself.
    return itemgetter(*places) if len(places) > 1 else itemgetter(slice(places[0], places[0] + 1))
