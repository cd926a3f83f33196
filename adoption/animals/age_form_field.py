"""The age field of the animal form."""

from datetime import date
from typing import NamedTuple

from adoption.animals.parsing.age_parser import format_age, parse_age
from adoption.translations import gettext, message

EXAMPLE = message("Enter the age as 2 years, 5 months or 8 weeks, or as baby, young, adult or senior")


class TypedAge(NamedTuple):
    """An approximate date of birth, or a key of ``AGE_GROUPS``. Both are None for an empty field."""

    born: date | None = None
    group: str | None = None


def typed_age(text: str, today: date) -> TypedAge:
    """Return the age for a text such as "2 years" or "adult".

    Raises ValueError, with an example, for any other text. Ranges and numbers without a unit are also
    rejected.
    """
    if not text.strip():
        return TypedAge()
    try:
        parsed = parse_age(text)
    except ValueError as why:
        raise ValueError(gettext(EXAMPLE)) from why
    if parsed is None:
        raise ValueError(gettext(EXAMPLE))
    if parsed.age is None:
        return TypedAge(group=parsed.group)
    if parsed.doubt.startswith("this has no unit"):
        raise ValueError(
            gettext("Add years, months or weeks, such as %(example)s", example=format_age(parsed.age))
        )
    if parsed.doubt:
        raise ValueError(gettext("Enter one age, such as 2 years, and not a range"))
    return TypedAge(parsed.age.before(today))


def same_age(guessed: date, born: date, today: date) -> bool:
    """Return whether a date of birth fits a typed age. The date ``guessed`` is counted back from the age."""
    unit = 365 if (today - guessed).days >= 365 else 31
    return abs((guessed - born).days) < unit
