"""Centres of US ZIP codes, from a packed file that is read when it is first needed."""

import sys
from array import array
from bisect import bisect_left
from functools import cache
from pathlib import Path
from typing import NamedTuple

from adoption.places.sphere_geometry import degrees_of, unit_vector

FILE = Path(__file__).parent / "data" / "us_zip_codes.bin"
PARTS = 10_000
"""The file has degrees as whole numbers of 1/10,000°, which is 11 m."""


class ZipCodes(NamedTuple):
    """Codes in ascending order, each with its centre at the same index."""

    codes: "array[int]"
    lats: "array[int]"
    lngs: "array[int]"

    def degrees(self, index: int) -> tuple[float, float]:
        return self.lats[index] / PARTS, self.lngs[index] / PARTS


@cache
def load_zip_codes() -> ZipCodes:
    """Read the file: three columns of 32-bit integers, little-endian."""
    numbers = array("i", FILE.read_bytes())
    if sys.byteorder == "big":
        numbers.byteswap()
    size = len(numbers) // 3
    return ZipCodes(numbers[:size], numbers[size : 2 * size], numbers[2 * size :])


def find_zip_code(code: str) -> tuple[float, float] | None:
    """Return the centre of a ZIP code with five digits.

    A code that is used only for PO boxes has no centre.
    """
    zips = load_zip_codes()
    index = bisect_left(zips.codes, int(code))
    return zips.degrees(index) if zips.codes[index : index + 1] == array("i", [int(code)]) else None


def middle_of_zip_area(code: str) -> tuple[float, float] | None:
    """Return the middle of the ZIP codes with the same first three digits."""
    zips, first = load_zip_codes(), int(code[:3]) * 100
    indexes = range(bisect_left(zips.codes, first), bisect_left(zips.codes, first + 100))
    vectors = [unit_vector(*zips.degrees(index)) for index in indexes]
    return degrees_of(*map(sum, zip(*vectors, strict=True))) if vectors else None
