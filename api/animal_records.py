"""Animals' records as JSON, with their photos, bonds and shelters."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any

from adoption.animals.records.pages import Row
from adoption.animals.records.photos_and_bonds import animals_by_bond, photos_by_animal
from adoption.animals.records.visibility import IN_DIRECTORY, Visibility
from adoption.directory.shelter_records import ShelterRecord
from adoption.directory.shelters_of_records import RecordShelter, shelters_by_id
from adoption.platform_addresses import platform_link, site_address
from adoption.request_context import current_request
from api.animal_members import OF_SHELTER, MemberSelection, RelatedRows, earliest_births
from api.directory import shelters_json


def records_json(
    visibility: Visibility,
    selection: MemberSelection,
    rows: Sequence[Row],
    today: date,
    scope: Mapping[str, Any],
    has_whole_shelters: bool,
) -> list[dict[str, object]]:
    """Return the records of ``rows``, which have the columns of ``selection``.

    If a record needs its shelter and the shelter has disappeared, the record is left out.

    ``scope`` contains the parameters of the visibility's conditions.
    """
    rows, shelters = read_shelters(visibility, selection, rows)
    records = [each.shelter for each in shelters.values()]
    shown = shelters_json(records) if has_whole_shelters else shelter_links(records)
    related = RelatedRows(
        earliest_births(today),
        photos_by_animal(row[0] for row in rows) if "photos" in selection.names and rows else {},
        read_bonds(visibility, selection, rows, scope),
        shelters,
        dict(zip(shelters, shown, strict=True)),
        {each.id: page_origin(each) for each in records},
    )
    return [selection.record(row, related) for row in rows]


def read_shelters(
    visibility: Visibility, selection: MemberSelection, rows: Sequence[Row]
) -> tuple[Sequence[Row], dict[int, RecordShelter]]:
    """Return the rows whose shelters still exist, and the shelters if the members need them."""
    if not rows or selection.names.isdisjoint(OF_SHELTER):
        return rows, {}
    place = selection.columns.index("project_id")
    now = datetime.fromtimestamp(current_request().now, UTC)
    found = shelters_by_id({row[place] for row in rows}, now, visibility is IN_DIRECTORY)
    return [row for row in rows if row[place] in found], found


def read_bonds(
    visibility: Visibility, selection: MemberSelection, rows: Sequence[Row], scope: Mapping[str, Any]
) -> dict[int, list[int]]:
    if "bondedWith" not in selection.names:
        return {}
    place = selection.columns.index("bond_id")
    return animals_by_bond(visibility, {row[place] for row in rows}, scope)


def page_origin(shelter: ShelterRecord) -> str:
    """Return the origin of the pages that show a shelter's animals."""
    address = site_address(shelter.slug, shelter.primary) if shelter.primary else platform_link("")
    return address.rstrip("/")


def shelter_links(shelters: Iterable[ShelterRecord]) -> list[dict[str, object]]:
    return [
        {"id": one.id, "name": one.name, "url": site_address(one.slug, one.primary or "")} for one in shelters
    ]
