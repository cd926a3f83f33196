"""Microchip numbers: the forms they have, and animals that have the same one."""

import re

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from adoption import validation
from adoption.animals.models import Animal, CareRecord
from adoption.animals.validation import MICROCHIP_LONGEST

CHIP_FORMS = re.compile(r"[0-9]{15}|[0-9]{9}|[0-9A-F]{10}")
"""ISO 11784 numbers have 15 digits; older chips (AVID, HomeAgain, Trovan) have 9 digits or 10 characters."""


def microchip_field(text: str) -> str | None:
    """One or several chip numbers, with commas between; spaces, dots and hyphens within one are ignored."""
    written = validation.line(text, MICROCHIP_LONGEST, "the microchip number") or None
    for number in re.split("[,;/]", written or ""):
        chip = chip_key(number)
        if chip and not CHIP_FORMS.fullmatch(chip):
            raise ValueError(
                f"{number.strip()} has {len(chip)} characters. Microchip numbers have 15 digits (ISO), "
                "or 9 or 10 characters (AVID, HomeAgain). Check the number, or write it in the notes"
            )
    return written


def chip_key(number: str) -> str:
    """A chip number without what people write between its digits."""
    return re.sub(r"[\s.*-]", "", number).upper()


def numbers_in(text: str | None) -> list[str]:
    """The chip numbers of a text, without spaces and hyphens."""
    return [chip for chip in map(chip_key, re.split("[,;/]", text or "")) if chip]


def chip_holder(session: Session, project_id: int, text: str | None, animal_id: int | None) -> str | None:
    """The name of another animal of the project that has one of these chips and was not removed."""
    written = func.upper(CareRecord.microchip)
    for between in " -.":
        written = func.replace(written, between, "")
    for chip in numbers_in(text):
        theirs = (
            select(Animal.name, CareRecord.microchip)
            .join(CareRecord, CareRecord.animal_id == Animal.id)
            .where(
                Animal.project_id == project_id, Animal.removed_at.is_(None), Animal.id != (animal_id or 0)
            )
            .where(written.contains(chip, autoescape=True))
        )
        for name, other in session.execute(theirs):
            if chip in numbers_in(other):
                return str(name)
    return None
