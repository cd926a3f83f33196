"""Distances as people write them, such as ``25mi`` or ``40km``."""

import re

from adoption.translations import gettext

KM_PER_MILE = 1.609344
DEFAULT_WITHIN = "50mi"
MILES_MOST = 500
WITHIN = re.compile(r"([1-9][0-9]{0,2})(mi|km)", re.ASCII)


def parse_within(text: str) -> float:
    """Return a distance in kilometres. An empty ``text`` means ``DEFAULT_WITHIN``.

    Raises ValueError if ``text`` is not a distance, or is more than ``MILES_MOST`` miles.
    """
    match = WITHIN.fullmatch(text or DEFAULT_WITHIN)
    if match is None:
        raise ValueError(gettext("Write the distance as miles or kilometres, such as 25mi or 40km."))
    km = int(match[1]) * (KM_PER_MILE if match[2] == "mi" else 1)
    if km > MILES_MOST * KM_PER_MILE:
        raise ValueError(gettext("The distance can be up to %(miles)smi.", miles=MILES_MOST))
    return km


def whole_miles(metres: float) -> int:
    return round(metres / 1000 / KM_PER_MILE)


def whole_km(metres: float) -> int:
    return round(metres / 1000)
