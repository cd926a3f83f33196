"""Age groups, in the field's bands; an age is computed when it is shown."""

from datetime import date, timedelta

AGE_GROUPS = {"baby": 0, "young": 1, "adult": 3, "senior": 8}
"""From which birthday on, youngest first. The bands are Petfinder's of 2026: under 1, 3 and 8 years."""


def kept_group(group: str | None, born: date | None) -> str | None:
    """Return the age group to store: none once a birth date is known, for it says more and changes."""
    return None if born else group


def birth_dates(group: str, today: date) -> tuple[date, date]:
    """The first and the last day on which an animal of this group can have been born."""
    names = list(AGE_GROUPS)
    older = names[names.index(group) + 1 :]
    earliest = years_before(today, AGE_GROUPS[older[0]]) + timedelta(days=1) if older else date.min
    return earliest, years_before(today, AGE_GROUPS[group])


def age_group(born: date, today: date) -> str:
    """The group of an animal that was born on this day."""
    return next((group for group in AGE_GROUPS if born >= birth_dates(group, today)[0]), "senior")


def years_before(today: date, years: int) -> date:
    """The same day, years ago; of 29 February, the last day before it where there is none."""
    try:
        return today.replace(year=today.year - years)
    except ValueError:
        return today.replace(year=today.year - years, day=28)
