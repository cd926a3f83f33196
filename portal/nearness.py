"""Distances from the place that a visitor typed: parameters of addresses, and texts."""

from typing import NamedTuple
from urllib.parse import urlencode

from adoption.places.distances import DEFAULT_WITHIN, KM_PER_MILE, parse_within, whole_km, whole_miles
from adoption.places.place_lookup import Place, find_place
from adoption.translations import gettext, ngettext

NEAR_LONGEST = 80
WITHIN_CHOICES = ("10mi", "25mi", "50mi", "100mi", "250mi", "500mi")


class Nearness(NamedTuple):
    """How far an animal's shelter is from the visitor's place."""

    words: str
    """The distance, such as "about 12 miles away"."""
    query: str
    """The parameters with which an animal's page shows the same distance, such as "?near=07055"."""


def is_valid_within(text: str) -> bool:
    """Return whether this is a valid distance."""
    try:
        return parse_within(text) > 0
    except ValueError:
        return False


def place_or_error(near: str) -> tuple[Place | None, str]:
    """Return the place, or the error text. If ``near`` is empty, there is neither a place nor an error."""
    try:
        return (find_place(near), "") if near else (None, "")
    except ValueError as error:
        return None, str(error)


def describe_nearness(metres: float, near: str, within: str) -> Nearness:
    query = {"near": near} | ({"within": within} if within else {})
    return Nearness(distance_in_words(metres, within), f"?{urlencode(query)}")


def distance_in_words(metres: float, within: str) -> str:
    """Return a distance in the unit of ``within``."""
    if within.endswith("km"):
        km = whole_km(metres)
        return gettext("about %(km)s km away", km=km) if km else gettext("less than a kilometre away")
    if metres < KM_PER_MILE * 1000:
        return gettext("less than a mile away")
    miles = whole_miles(metres)
    return ngettext("about %(num)s mile away", "about %(num)s miles away", miles)


def within_in_words(within: str) -> str:
    """Return a distance in words, such as "50 miles". If ``within`` is empty, it is the default distance."""
    within = within or DEFAULT_WITHIN
    number = int(within[:-2])
    if within.endswith("km"):
        return gettext("%(km)s km", km=number)
    return ngettext("%(num)s mile", "%(num)s miles", number)


def label_near(place: Place, within: str) -> str:
    """Return the label of the filter, such as "Within 50 miles of 07055"."""
    return gettext("Within %(distance)s of %(place)s", distance=within_in_words(within), place=place.label)


def wider_than(within: str) -> list[str]:
    """Return the choices with a larger distance."""
    return [each for each in WITHIN_CHOICES if parse_within(each) > parse_within(within)]


def within_choices(within: str) -> list[tuple[str, str, bool]]:
    """Return the choices of a distance: the value, the label, and whether the choice is selected.

    The value of the default distance is empty.
    """
    chosen = within or DEFAULT_WITHIN
    choices = sorted({*WITHIN_CHOICES, chosen}, key=parse_within)
    return [
        ("" if each == DEFAULT_WITHIN else each, within_in_words(each), each == chosen) for each in choices
    ]


def describe_accuracy(place: Place) -> str:
    """Return a sentence that says where distances are measured from, and how exact they are."""
    if place.is_approximate:
        return gettext(
            "ZIP code %(zip)s has no area of its own. Distances are from the middle of the ZIP codes "
            "that begin with %(digits)s.",
            zip=place.label,
            digits=place.label[:3],
        )
    if place.label.isdecimal():
        return gettext("Distances are from the middle of your ZIP code; usually within 7 miles.")
    return gettext("Distances are from the middle of %(place)s.", place=place.label)
