"""The parameters location and distance."""

import re
from typing import NamedTuple

from adoption.directory.shelter_records import BY_ID, ShelterFilters, list_shelters
from adoption.places.distances import KM_PER_MILE, MILES_MOST
from adoption.places.nearby_projects import NearbyProject, near
from adoption.places.place_lookup import find_place
from adoption.places.regions import Region, find_region
from api.directory import this_moment
from api.petfinder.parameters import Parameters
from api.petfinder.problems import UNKNOWN_PLACE, parameter_problem

DISTANCE_DEFAULT = 100
CANADIAN_CODE = re.compile(r"[A-Za-z][0-9][A-Za-z]( ?[0-9][A-Za-z][0-9])?")
SHELTERS_MOST = 10_000


class Location(NamedTuple):
    """A state, or the projects near a place, nearest first."""

    state: Region | None = None
    nearby: list[NearbyProject] | None = None

    def project_ids(self) -> list[int]:
        if self.nearby is not None:
            return [each.project_id for each in self.nearby]
        assert self.state is not None, "a location is a place or a state"  # noqa: S101
        filters = ShelterFilters(region=self.state.code)
        rows = list_shelters(filters, BY_ID, (), SHELTERS_MOST, this_moment())
        return [row.shelter.id for row in rows]


def read_location(parameters: Parameters) -> Location | None:
    """Return the location; None without one. Raise PetfinderProblem if it or the distance is invalid."""
    text = parameters.text("location")
    by_distance = parameters.text("sort").lower().lstrip("-") == "distance"
    if not text:
        for name, needs_place in (("distance", parameters.text("distance")), ("sort", by_distance)):
            if needs_place:
                raise parameter_problem(name, f"{name} needs location, such as location=07055.")
        return None
    miles = parameters.whole_number("distance", 1, MILES_MOST, DISTANCE_DEFAULT)
    if state := find_region(text):
        if by_distance:
            raise parameter_problem(
                "sort", "A state has no distance. Use a postal code, or a city and its state."
            )
        return Location(state=state)
    try:
        place = find_place(text, "CA" if CANADIAN_CODE.fullmatch(text) else "US")
    except ValueError as error:
        raise parameter_problem("location", f"{UNKNOWN_PLACE} {error}") from error
    return Location(nearby=near(place.lat, place.lng, miles * KM_PER_MILE))
