"""The lookup of a place that a person typed: a postal code, a town with its state, or degrees."""

import re
from typing import NamedTuple

from adoption.places import zip_codes
from adoption.places.geonames_files import normalise_code
from adoption.places.loaded_postal_codes import find_loaded_code
from adoption.places.regions import find_region
from adoption.places.towns import find_town
from adoption.translations import gettext

DEFAULT_COUNTRY = "US"
WITH_PREFIXES = {"CA", "GB"}
"""Countries in which a postal code without its last three characters is the code of an area."""
DEGREES = r"([+-]?[0-9]{1,3}(?:\.[0-9]{0,20})?)"
COORDINATES = re.compile(rf"{DEGREES} ?, ?{DEGREES}", re.ASCII)
ZIP_CODE = re.compile(r"([0-9]{5})(?:-[0-9]{4})?", re.ASCII)
TOWN_AND_REGION = re.compile(r"([^,]+)(?:, ?| (?=[A-Za-z]{2}$))([^,]+)")


class Place(NamedTuple):
    lat: float
    lng: float
    label: str
    """The place as people write it, such as "07055" or "Passaic, NJ"."""
    is_approximate: bool = False
    """Whether ``lat`` and ``lng`` are only the middle of an area that contains the place."""


def find_place(text: str, country: str = DEFAULT_COUNTRY) -> Place:
    """Return the place that ``text`` names: a postal code, "City, ST" or "lat,lng".

    ``country`` is an ISO 3166-1 code. Raises ValueError if the place is not found.
    """
    text, country = " ".join(text.split()), country.upper() or DEFAULT_COUNTRY
    if degrees := COORDINATES.fullmatch(text):
        return place_of_coordinates(float(degrees[1]), float(degrees[2]))
    if country == "US":
        zip_code = ZIP_CODE.fullmatch(text)
        return find_place_of_zip_code(zip_code[1]) if zip_code else find_place_of_town(text)
    if place := find_place_of_loaded_code(text, country):
        return place
    if country != "CA":
        raise ValueError(
            gettext(
                "There is no postal code “%(code)s” in the country %(country)s. "
                "Check the code and the country.",
                code=text,
                country=country,
            )
        )
    return find_place_of_town(text)


def place_of_coordinates(lat: float, lng: float) -> Place:
    if abs(lat) > 90 or abs(lng) > 180:
        raise ValueError(
            gettext(
                "Latitude is between -90 and 90, and longitude between -180 and 180, such as 40.86,-74.13."
            )
        )
    return Place(lat, lng, f"{lat:g}, {lng:g}")


def find_place_of_zip_code(code: str) -> Place:
    if found := zip_codes.find_zip_code(code):
        return Place(*found, code)
    if loaded := find_loaded_code("US", code):
        return Place(*loaded, code)
    if middle := zip_codes.middle_of_zip_area(code):
        return Place(*middle, code, is_approximate=True)
    raise ValueError(
        gettext(
            "There is no ZIP code %(code)s. "
            "Check the digits, or enter a town with its state, such as Passaic, NJ.",
            code=code,
        )
    )


def find_place_of_loaded_code(text: str, country: str) -> Place | None:
    code = normalise_code(text)
    if found := find_loaded_code(country, code):
        return Place(*found, text.upper())
    if country in WITH_PREFIXES and (found := find_loaded_code(country, code[:-3])):
        return Place(*found, text.upper(), is_approximate=True)
    return None


def find_place_of_town(text: str) -> Place:
    """Return the place of "City, ST" or "City, State name"."""
    if alone := find_region(text):
        raise ValueError(
            gettext("%(state)s is a whole state. Add a town, such as Passaic, NJ.", state=alone.name)
        )
    parts = TOWN_AND_REGION.fullmatch(text)
    if parts is None:
        raise ValueError(gettext("Enter a ZIP code, or a town with its state, such as Passaic, NJ."))
    region = find_region(parts[2])
    if region is None:
        raise ValueError(
            gettext("There is no state “%(state)s”. Write its code or name, such as NJ.", state=parts[2])
        )
    town = find_town(parts[1], region)
    if town is None:
        raise ValueError(
            gettext(
                "There is no town “%(town)s” of more than 1,000 people in %(state)s. "
                "Check the spelling, or enter a ZIP code.",
                town=parts[1],
                state=region.name,
            )
        )
    return Place(town.lat, town.lng, f"{town.name}, {region.code}")
