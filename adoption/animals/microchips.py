"""Validation of microchip numbers, and a search for duplicate numbers."""

import re

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from adoption import validation
from adoption.animals.allowed_values import MICROCHIP_LONGEST
from adoption.animals.models import Animal, CareRecord
from adoption.translations import gettext, ngettext

CHIP_FORMS = re.compile(r"[0-9]{15}|[0-9]{9}|[0-9A-F]{10}")
"""Patterns of microchip numbers.

ISO 11784 numbers have 15 digits. Older chips (AVID, HomeAgain, Trovan) have 9 digits or 10 characters.
"""


def microchip_field(text: str) -> str | None:
    """Return the chip numbers in a form field, separated by commas.

    Spaces, dots and hyphens within a number are ignored.
    """
    written = validation.validate_line(text, MICROCHIP_LONGEST, gettext("the microchip number")) or None
    for number in re.split("[,;/]", written or ""):
        chip = chip_key(number)
        if chip and not CHIP_FORMS.fullmatch(chip):
            raise ValueError(
                ngettext(
                    "%(chip)s has %(num)s character. Microchip numbers have 15 digits (ISO), "
                    "or 9 or 10 characters (AVID, HomeAgain). Check the number, or write it in the notes",
                    "%(chip)s has %(num)s characters. Microchip numbers have 15 digits (ISO), "
                    "or 9 or 10 characters (AVID, HomeAgain). Check the number, or write it in the notes",
                    len(chip),
                    chip=number.strip(),
                )
            )
    return written


def chip_key(number: str) -> str:
    """Return a chip number in capitals, without spaces, dots, hyphens and asterisks."""
    return re.sub(r"[\s.*-]", "", number).upper()


def numbers_in(text: str | None) -> list[str]:
    """Return the chip numbers in a text, without separators."""
    return [chip for chip in map(chip_key, re.split("[,;/]", text or "")) if chip]


def find_microchip_holder(
    session: Session, project_id: int, text: str | None, animal_id: int | None
) -> str | None:
    """Return the name of another animal of the project with one of the chip numbers in ``text``.

    Removed animals do not count.
    """
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
