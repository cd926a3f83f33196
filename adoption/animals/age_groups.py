"""Age groups, and the birth dates of each group."""

from datetime import date, timedelta

AGE_GROUPS = {"baby": 0, "young": 1, "adult": 3, "senior": 8}
"""The age in years at which each group starts. Petfinder uses the same limits in 2026: 1, 3 and 8 years."""


def stored_age_group(group: str | None, born: date | None) -> str | None:
    """Return the age group to store: None if the birth date is known, because the date is more precise."""
    return None if born else group


def birth_dates(group: str, today: date) -> tuple[date, date]:
    """Return the earliest and the latest birth date of the animals in this group."""
    names = list(AGE_GROUPS)
    older = names[names.index(group) + 1 :]
    earliest = years_before(today, AGE_GROUPS[older[0]]) + timedelta(days=1) if older else date.min
    return earliest, years_before(today, AGE_GROUPS[group])


def age_group(born: date, today: date) -> str:
    """Return the age group of an animal born on this day."""
    return next((group for group in AGE_GROUPS if born >= birth_dates(group, today)[0]), "senior")


def years_before(today: date, years: int) -> date:
    """Return the same day some years earlier. 29 February becomes 28 February where needed."""
    try:
        return today.replace(year=today.year - years)
    except ValueError:
        return today.replace(year=today.year - years, day=28)
