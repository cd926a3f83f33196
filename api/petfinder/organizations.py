"""The operations for organizations, which are the directory's shelters."""

from typing import Any

from flask import Response

from adoption.directory.shelter_records import (
    BY_DISTANCE,
    BY_ID,
    BY_NAME,
    ShelterFilters,
    ShelterRecord,
    ShelterRow,
    count_shelters,
    find_shelter,
    list_shelters,
)
from adoption.platform_addresses import site_address
from api.directory import NO_SHELTER, this_moment
from api.errors import Problem
from api.petfinder import petfinder
from api.petfinder.animal_json import address_json, miles_of
from api.petfinder.animals import PRIVATE
from api.petfinder.parameters import Parameters, pagination_json, read_parameters
from api.petfinder.places import Location, read_location
from api.petfinder.problems import json_response, parameter_problem
from api.petfinder.shelter_ids import organization_id, project_ids_of

NAMES = ("name", "query", "location", "distance", "state", "country", "sort", "page", "limit")
SORTS = {"": BY_ID, "distance": BY_DISTANCE, "name": BY_NAME}
COUNTRIES = ("US", "CA")
DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
NETWORKS = ("facebook", "twitter", "youtube", "instagram", "pinterest")


@petfinder.get("/organizations", strict_slashes=False)
def list_organizations() -> Response:
    parameters = read_parameters(*NAMES)
    location, page, limit = read_location(parameters), parameters.page, parameters.limit
    filters = read_filters(parameters, location)
    sort = parameters.text("sort").lower()
    if sort.lstrip("-") not in SORTS:
        raise parameter_problem("sort", "sort must be one of: distance, -distance, name, -name.")
    total = count_shelters(filters)
    rows = read_shelters_page(filters, sort, page, limit, total)
    metres = dict(filters.nearby) if filters.nearby else {}
    body = {
        "organizations": [organization_json(row.shelter, metres.get(row.shelter.id)) for row in rows],
        "pagination": pagination_json("/v2/organizations", page, limit, total),
    }
    return json_response(body, headers=[PRIVATE, *parameters.headers])


@petfinder.get("/organizations/<organization>", strict_slashes=False)
def get_organization(organization: str) -> Response:
    parameters = read_parameters()
    ids = project_ids_of([organization])
    found = find_shelter(ids[0], this_moment()) if ids else None
    if found is None:
        raise Problem(404, NO_SHELTER)
    body = {"organization": organization_json(found, None)}
    return json_response(body, headers=[PRIVATE, *parameters.headers])


def read_filters(parameters: Parameters, location: Location | None) -> ShelterFilters:
    country = parameters.text("country").upper()
    if country and country not in COUNTRIES:
        raise parameter_problem("country", f"country must be one of: {', '.join(COUNTRIES)}.")
    region = parameters.text("state")
    if location and location.state:
        region = region or location.state.code
    words = f"{parameters.text('name')} {parameters.text('query')}".strip()
    return ShelterFilters(words, region, country, location and location.nearby)


def read_shelters_page(
    filters: ShelterFilters, sort: str, page: int, limit: int, total: int
) -> list[ShelterRow]:
    """Return a page by its number. Reverse orders are read from the end."""
    start, end = (page - 1) * limit, min(page * limit, total)
    if start >= total:
        return []
    if sort.startswith("-"):
        start, end = total - end, total - start
    rows = list_shelters(filters, SORTS[sort.lstrip("-")], (), end, this_moment())[start:end]
    return rows[::-1] if sort.startswith("-") else rows


def organization_json(one: ShelterRecord, metres: float | None) -> dict[str, Any]:
    shown_id = organization_id(one)
    return {
        "id": shown_id,
        "name": one.name,
        "email": one.contact_email or None,
        "phone": one.contact_phone or None,
        "address": address_json(one),
        "hours": dict.fromkeys(DAYS),
        "url": site_address(one.slug, one.primary or ""),
        "website": one.website or None,
        "mission_statement": one.about or None,
        "adoption": {"policy": one.adoption_policy or None, "url": None},
        "social_media": dict.fromkeys(NETWORKS),
        "photos": [],
        "distance": miles_of(metres),
        "_links": {
            "self": {"href": f"/v2/organizations/{shown_id.lower()}"},
            "animals": {"href": f"/v2/animals?organization={shown_id.lower()}"},
        },
    }
