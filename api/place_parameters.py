"""The query parameters ``near``, ``within`` and ``country``, and distances in responses."""

from typing import Annotated

from pydantic import Field

from adoption.places.distances import DEFAULT_WITHIN, MILES_MOST, parse_within, whole_km, whole_miles
from adoption.places.nearby_projects import NearbyProject, near
from adoption.places.place_lookup import DEFAULT_COUNTRY, find_place
from api.errors import Problem
from api.query_parameters import reason

PLACE_LONGEST = 100

PlaceText = Annotated[
    str,
    Field(
        min_length=1,
        max_length=PLACE_LONGEST,
        description="A postal code, `lat,lng` or `City, ST`. Only shelters near that place are listed.",
    ),
    reason(f"must have 1 to {PLACE_LONGEST} characters"),
]
DistanceText = Annotated[
    str,
    Field(
        pattern="^[1-9][0-9]{0,2}(mi|km)$",
        description=f"The longest distance from `near`, such as `25mi` or `40km`: {DEFAULT_WITHIN} if you "
        f"leave it out, at most {MILES_MOST}mi.",
    ),
    reason("must be a distance such as 25mi or 40km, not {}"),
]


def find_projects_near(place: str, within: str, country: str) -> list[NearbyProject]:
    """Return the projects near a place, nearest first.

    If a parameter is wrong, raises Problem with the name of the parameter.
    """
    try:
        here = find_place(place, country or DEFAULT_COUNTRY)
    except ValueError as error:
        raise Problem(400, f"near is not a known place. {error}") from error
    try:
        km = parse_within(within)
    except ValueError as error:
        raise Problem(400, f"within is not a valid distance. {error}") from error
    return near(here.lat, here.lng, km)


def distance_json(metres: float) -> dict[str, int]:
    return {"miles": whole_miles(metres), "km": whole_km(metres)}
