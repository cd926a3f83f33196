"""Parsing of files in GeoNames' postal-code format.

The format is described in https://download.geonames.org/export/zip/readme.txt.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

COLUMNS = 12
COUNTRY, CODE, NAME, LAT, LNG = 0, 1, 2, 9, 10
"""Positions of the columns of a line."""
COUNTRY_CODE = re.compile(r"[A-Z]{2}", re.ASCII)
CODE_LONGEST, NAME_LONGEST = 20, 180


class InvalidLine(NamedTuple):
    number: int
    reason: str


class GeonamesCode(NamedTuple):
    """The postal code of a line, with a town and the centre."""

    country: str
    code: str
    name: str
    lat: float
    lng: float


def normalise_code(text: str) -> str:
    """Return a postal code without spaces and hyphens, in capital letters."""
    return "".join(letter for letter in text.upper() if letter.isalnum())


def parse_codes(lines: Iterable[bytes], invalid: list[InvalidLine]) -> Iterator[GeonamesCode]:
    """Yield each postal code once, with its first town. Invalid lines are added to ``invalid``."""
    seen: set[tuple[str, str]] = set()
    for number, line in enumerate(lines, 1):
        try:
            found = parse_line(line.decode())
        except ValueError as error:
            reason = "is not UTF-8" if isinstance(error, UnicodeDecodeError) else str(error)
            invalid.append(InvalidLine(number, reason))
            continue
        if (found.country, found.code) not in seen:
            seen.add((found.country, found.code))
            yield found


def parse_line(line: str) -> GeonamesCode:
    """Raise ValueError with the reason if the line is invalid."""
    cells = line.rstrip("\r\n").split("\t")
    if len(cells) != COLUMNS:
        raise ValueError(f"has {len(cells)} columns separated by tabs instead of {COLUMNS}")
    if not COUNTRY_CODE.fullmatch(cells[COUNTRY]):
        raise ValueError(f"has no country code of two capital letters in column {COUNTRY + 1}")
    code = normalise_code(cells[CODE])
    if not 0 < len(code) <= CODE_LONGEST:
        raise ValueError(f"has no postal code of up to {CODE_LONGEST} characters in column {CODE + 1}")
    lat = parse_degrees(cells[LAT], 90, f"latitude in column {LAT + 1}")
    lng = parse_degrees(cells[LNG], 180, f"longitude in column {LNG + 1}")
    return GeonamesCode(cells[COUNTRY], code, cells[NAME][:NAME_LONGEST], lat, lng)


def parse_degrees(text: str, most: float, what: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = float("nan")
    if not -most <= number <= most:
        raise ValueError(f"has no valid {what}")
    return number
