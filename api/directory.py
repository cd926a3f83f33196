"""The operations listShelters and getShelter."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from typing import Annotated, Any
from urllib.parse import urlencode

from flask import Response
from pydantic import Field

from adoption.directory import shelter_records
from adoption.directory.shelter_records import ShelterFilters, ShelterRecord
from adoption.places.nearby_projects import NearbyProject
from adoption.platform_addresses import site_address
from adoption.request_context import current_request
from api import v1
from api.authentication import needs
from api.cursors import CursorText, open_cursor, seal_cursor
from api.errors import Problem
from api.etags import PRIVATE, etag_response
from api.listed_values import Texts
from api.paging import LIMIT_DEFAULT, PageLimit, next_link
from api.place_parameters import DistanceText, PlaceText, distance_json, find_projects_near
from api.query_parameters import QueryParameters, read_id, reason, reject_parameters
from api.schemas import Shelter
from api.specification import CORS, NEXT, SHARED_ETAG, responses_of

WORDS_LONGEST, REGION_LONGEST = 200, 100
SHARED_FOR = "public, max-age=60"
"""The ``Cache-Control`` header of responses to publishable keys.

Caches can show a removed animal or shelter for at most a minute.
"""
NO_SHELTER = "The directory has no shelter with this id."
WHEN = {
    403: "The key lacks the scope `directory:read` (`insufficient_scope`), or a publishable key is used by a "
    "page that its list of websites lacks (`origin_not_allowed`).",
    404: NO_SHELTER,
}

ShelterSort = StrEnum("ShelterSort", [(order, order) for order in shelter_records.ORDERS])  # type: ignore[misc]
ShelterSort.__doc__ = "The order of shelters."


class SheltersQuery(QueryParameters):
    """The query parameters of listShelters."""

    q: Annotated[
        str,
        Texts(WORDS_LONGEST, most=1),
        Field(description="Words of the shelter's name or city."),
    ] = ""
    region: Annotated[
        str,
        Texts(REGION_LONGEST, most=1),
        Field(description="The state, province or county, such as `NJ`."),
    ] = ""
    country: Annotated[
        str,
        Field(
            pattern="^[A-Za-z]{2}$",
            description="The shelter's country: its ISO 3166-1 code, such as `US`. With `near`, the country "
            "of that place, `US` if you leave it out.",
        ),
        reason("must be an ISO 3166-1 code such as US, not {}"),
    ] = ""
    near: PlaceText = ""
    within: DistanceText = ""
    sort: Annotated[
        ShelterSort,
        Field(description="The order of the list; `id` if you leave it out. `distance` needs `near`."),
        reason(f"must be one of {', '.join(ShelterSort)}, not {{}}"),
    ] = shelter_records.BY_ID  # type: ignore[assignment]  # stored as text
    limit: PageLimit = LIMIT_DEFAULT
    cursor: CursorText = ""

    @property
    def filters(self) -> ShelterFilters:
        """The filters of the list.

        Raises Problem if the place is unknown, or if the query has a distance but no place.
        """
        if self.near:
            nearby = find_projects_near(self.near, self.within, self.country)
            return ShelterFilters(self.q, self.region, nearby=nearby)
        if self.within or self.sort == shelter_records.BY_DISTANCE:
            name = "within" if self.within else "sort=distance"
            raise Problem(400, f"{name} needs near, such as near=07055.")
        return ShelterFilters(self.q, self.region, self.country)

    @property
    def after(self) -> list[Any]:
        return open_cursor(self.cursor, self.given)

    def link_after(self, sort_key: list[Any]) -> str:
        """Return the ``Link`` header with the address of the page after this sort key."""
        return next_link(urlencode(self.given | {"cursor": seal_cursor(sort_key, self.given)}))


@v1.get("/directory/shelters")
@v1.doc(
    operation_id="listShelters",
    summary="List shelters",
    description="All published shelters that are in the directory, one page at a time.",
    tags=["Directory"],
    security="apiKey",
    responses=responses_of(
        200, "A page of shelters.", 401, 403, headers=NEXT | SHARED_ETAG, always=CORS, when=WHEN
    ),
)
@v1.input(SheltersQuery, location="query", arg_name="query")
@v1.output(list[Shelter])  # type: ignore[arg-type]  # its hint lacks lists
@needs("directory:read")
def list_shelters(query: SheltersQuery) -> Response:
    filters = query.filters
    rows = shelter_records.list_shelters(filters, query.sort, query.after, query.limit + 1, this_moment())
    page = rows[: query.limit]
    link = query.link_after(page[-1].sort_key) if len(rows) > query.limit else ""
    return shared_response(shelters_json([row.shelter for row in page], filters.nearby), link)


@v1.get("/directory/shelters/<shelter_id>")
@v1.doc(
    operation_id="getShelter",
    summary="Get a shelter",
    tags=["Directory"],
    description="A published shelter that is in the directory.",
    security="apiKey",
    responses=responses_of(200, "The shelter.", 401, 403, 404, headers=SHARED_ETAG, always=CORS, when=WHEN),
)
@v1.output(Shelter)
@needs("directory:read")
def get_shelter(shelter_id: str) -> Response:
    reject_parameters()
    id_ = read_id(shelter_id)
    found = None if id_ is None else shelter_records.find_shelter(id_, this_moment())
    if found is None:
        raise Problem(404, NO_SHELTER)
    (shelter,) = shelters_json([found])
    return shared_response(shelter)


def this_moment() -> datetime:
    return datetime.fromtimestamp(current_request().now, UTC)


def shared_response(body: object, link: str = "") -> Response:
    """Return a response that is the same for every visitor."""
    return etag_response(body, link, cache_control())


def cache_control() -> str:
    """Return the ``Cache-Control`` header. Shared caches may store responses to publishable keys."""
    caller = current_request().caller
    return SHARED_FOR if caller and caller.is_publishable else PRIVATE


def shelters_json(
    shelters: Sequence[ShelterRecord], nearby: Iterable[NearbyProject] | None = None
) -> list[dict[str, object]]:
    """Return the shelters as the API shows them. If ``nearby`` is not None, each shelter has a distance.

    A text that is empty in the database is null in JSON.
    """
    animals = shelter_records.count_shelter_animals([one.id for one in shelters], this_moment())
    metres = dict(nearby or ())
    return [
        {
            "id": one.id,
            "slug": one.slug,
            "name": one.name,
            "url": site_address(one.slug, one.primary or ""),
            "website": one.website or None,
            "about": one.about or None,
            "email": one.contact_email or None,
            "phone": one.contact_phone or None,
            "address": {
                "street": one.street or None,
                "city": one.city or None,
                "region": one.region or None,
                "postcode": one.postcode or None,
                "country": one.country or None,
            },
            "location": location_json(one),
            "adoptionPolicy": one.adoption_policy or None,
            "language": one.language,
            "petfinderId": one.petfinder_id,
            "animals": animals[one.id]._asdict(),
            **({} if nearby is None else {"distance": distance_json(metres[one.id])}),
        }
        for one in shelters
    ]


def location_json(shelter: ShelterRecord) -> dict[str, float] | None:
    """Return the middle of a shelter's postal code or town, rounded to 0.01 degrees (about 1 km)."""
    if shelter.lat is None or shelter.lng is None:
        return None
    return {"lat": round(shelter.lat, 2), "lng": round(shelter.lng, 2)}
