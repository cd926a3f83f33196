"""Distances on a sphere of the earth's mean radius."""

from math import asin, atan2, cos, degrees, hypot, pi, radians, sin
from typing import NamedTuple

EARTH_METRES = 6_371_008.8
"""The mean radius of the earth (IUGG)."""


class UnitVector(NamedTuple):
    """A point on the sphere of radius 1. Points that are close in space are close on earth, also at the date
    line and at the poles."""

    x: float
    y: float
    z: float


def unit_vector(lat: float, lng: float) -> UnitVector:
    """Return the point at a latitude and a longitude, which are in degrees."""
    lat, lng = radians(lat), radians(lng)
    return UnitVector(cos(lat) * cos(lng), cos(lat) * sin(lng), sin(lat))


def degrees_of(x: float, y: float, z: float) -> tuple[float, float]:
    """Return the latitude and longitude that a vector points to. The vector can have any length."""
    return degrees(atan2(z, hypot(x, y))), degrees(atan2(y, x))


def metres_between(one: UnitVector, other: UnitVector) -> float:
    """Return the length of the great circle between two points, from their chord."""
    chord = hypot(one.x - other.x, one.y - other.y, one.z - other.z)
    return 2 * asin(min(1.0, chord / 2)) * EARTH_METRES


class Bounds(NamedTuple):
    """The latitudes and longitudes, in degrees, between which all points of a circle are."""

    south: float
    north: float
    west: float
    east: float


def bounds_around(lat: float, lng: float, metres: float) -> Bounds:
    """Return the bounds of a circle on earth.

    A circle that contains a pole or crosses the date line has every longitude.
    """
    angle = metres / EARTH_METRES
    margin = 1e-9  # of rounding
    south, north = lat - degrees(angle) - margin, lat + degrees(angle) + margin
    if south > -90 and north < 90 and angle < pi / 2:
        reach = degrees(asin(min(1.0, sin(angle) / cos(radians(lat))))) + margin
        if lng - reach >= -180 and lng + reach <= 180:
            return Bounds(south, north, lng - reach, lng + reach)
    return Bounds(south, north, -180.0, 180.0)
