"""Ids of organizations: a shelter's id at Petfinder, or HW and its number."""

import re
from collections.abc import Iterable

from adoption.directory.shelter_records import ShelterRecord, find_shelter_ids
from adoption.projects.validation import PETFINDER_ID

OWN_ID = re.compile(r"HW([0-9]{1,18})")


def organization_id(shelter: ShelterRecord) -> str:
    return shelter.petfinder_id or f"HW{shelter.id}"


def project_ids_of(texts: Iterable[str]) -> list[int]:
    """Return the shelters' numbers for these ids, in either case. Unknown ids are left out."""
    ids = [text.upper() for text in texts]
    found = find_shelter_ids(filter(PETFINDER_ID.fullmatch, ids))
    own = {text: int(match[1]) for text in ids if text not in found and (match := OWN_ID.fullmatch(text))}
    return list((found | own).values())
