"""The shelters near a place."""

from math import cos
from typing import NamedTuple

from sqlalchemy import Double, bindparam, select
from sqlalchemy.sql.elements import ColumnElement

from adoption.places.models import ProjectPlace
from adoption.places.sphere_geometry import (
    EARTH_METRES,
    UnitVector,
    bounds_around,
    metres_between,
    unit_vector,
)
from adoption.storage.prepared_statements import Prepared


class NearbyProject(NamedTuple):
    project_id: int
    metres: float


def float_parameter(name: str) -> ColumnElement[float]:
    return bindparam(name, type_=Double())


# The product of two unit vectors is the cosine of their angle, so SQL needs no trigonometry.
COSINE = (
    ProjectPlace.x * float_parameter("x")
    + ProjectPlace.y * float_parameter("y")
    + ProjectPlace.z * float_parameter("z")
)
NEARBY = Prepared(
    select(ProjectPlace.project_id, ProjectPlace.x, ProjectPlace.y, ProjectPlace.z).where(
        ProjectPlace.lat.between(float_parameter("south"), float_parameter("north")),
        ProjectPlace.lng.between(float_parameter("west"), float_parameter("east")),
        float_parameter("cosine") <= COSINE,
    )
)
PLACE = Prepared(
    select(ProjectPlace.x, ProjectPlace.y, ProjectPlace.z).where(
        ProjectPlace.project_id == bindparam("project_id")
    )
)


def near(lat: float, lng: float, km: float) -> list[NearbyProject]:
    """Return the projects within ``km`` of a place, nearest first.

    A project has a place if its published texts have a known postal code or town. Projects that are offline
    are included.
    """
    here, metres = unit_vector(lat, lng), km * 1000
    bounds = bounds_around(lat, lng, metres)
    rows = NEARBY.rows(**here._asdict(), **bounds._asdict(), cosine=cos(metres / EARTH_METRES))
    found = [NearbyProject(row[0], metres_between(here, UnitVector(*row[1:]))) for row in rows]
    return sorted(found, key=lambda each: (each.metres, each.project_id))


def metres_to_project(lat: float, lng: float, project_id: int) -> float | None:
    """Return the distance of a project from a place; None if the project has no place."""
    row = PLACE.first(project_id=project_id)
    return None if row is None else metres_between(unit_vector(lat, lng), UnitVector(*row))
