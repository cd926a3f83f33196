"""Towns of the USA and Canada, from a sorted file that is read when it is first needed."""

from functools import cache
from pathlib import Path
from typing import NamedTuple

from adoption.places.regions import Region
from adoption.search_words import words_in

FILE = Path(__file__).parent / "data" / "towns.tsv"
ABBREVIATIONS = {"st": "saint", "ste": "sainte", "ft": "fort", "mt": "mount"}


class Town(NamedTuple):
    name: str
    lat: float
    lng: float


@cache
def load_towns() -> bytes:
    """Return the file with a line break before every line.

    A line has a key, a name, a latitude and a longitude.
    """
    return b"\n" + FILE.read_bytes()


def town_key(region_code: str, name: str) -> str:
    """Return the key of a town's line, such as "mo/saint-louis" for "St. Louis"."""
    words = [ABBREVIATIONS.get(word, word) for word in words_in(name)]
    return f"{region_code.lower()}/{'-'.join(words)}"


def find_town(name: str, region: Region) -> Town | None:
    """Return the town with this name, or None. Case, accents and hyphens do not matter.

    If two towns of the region have the same name, return the larger town.
    """
    lines = load_towns()
    found = lines.find(f"\n{town_key(region.code, name)}\t".encode())
    if found < 0:
        return None
    _, name, lat, lng = lines[found + 1 : lines.index(b"\n", found + 1)].decode().split("\t")
    return Town(name, float(lat), float(lng))
