"""Postal codes of countries other than the USA, loaded by the operator."""

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import NamedTuple

from sqlalchemy import select, tuple_

from adoption.places.geonames_files import GeonamesCode, InvalidLine, parse_codes
from adoption.places.models import PostalCode
from adoption.storage.database import reading, transaction

CODES_AT_ONCE = 1_000


class LoadSummary(NamedTuple):
    added: int
    changed: int
    unchanged: int
    invalid: list[InvalidLine]
    countries: set[str]


def find_loaded_code(country: str, code: str) -> tuple[float, float] | None:
    """Return the centre of a loaded postal code, or None. ``code`` has the form of ``normalise_code``."""
    found = select(PostalCode.lat, PostalCode.lng)
    with reading() as session:
        row = session.execute(found.where(PostalCode.country == country, PostalCode.code == code)).first()
    return None if row is None else (row.lat, row.lng)


def load_postal_codes(lines: Iterable[bytes]) -> LoadSummary:
    """Store the postal codes of a file in GeoNames' format.

    Postal codes that were stored earlier and are not in the file remain stored. One transaction stores
    ``CODES_AT_ONCE`` codes, so that other writers can work between two transactions.
    """
    invalid: list[InvalidLine] = []
    countries: set[str] = set()
    added = changed = total = 0
    codes = parse_codes(lines, invalid)
    while some := list(islice(codes, CODES_AT_ONCE)):
        new, different = save_codes(some)
        added, changed, total = added + new, changed + different, total + len(some)
        countries.update(each.country for each in some)
    return LoadSummary(added, changed, total - added - changed, invalid, countries)


def save_codes(codes: Sequence[GeonamesCode]) -> tuple[int, int]:
    """Store postal codes. Return how many codes were added and how many were changed."""
    key = tuple_(PostalCode.country, PostalCode.code)
    added = changed = 0
    with transaction() as session:
        found = session.scalars(select(PostalCode).where(key.in_([each[:2] for each in codes])))
        stored = {(each.country, each.code): each for each in found}
        for code in codes:
            row = stored.get((code.country, code.code))
            if row is None:
                session.add(PostalCode(**code._asdict()))
                added += 1
            elif (row.name, row.lat, row.lng) != (code.name, code.lat, code.lng):
                row.name, row.lat, row.lng = code.name, code.lat, code.lng
                changed += 1
    return added, changed
