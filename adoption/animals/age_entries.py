"""Ages as staff type them into the form of an animal."""

from datetime import date

from adoption.animals.spreadsheets.age_parser import in_words, parse_age


def age(text: str, today: date) -> date | None:
    """Return the approximate date of birth of an age such as "2 years"; None where the text is empty.

    Raises ValueError, with how to write it, for a number without a unit, a range and an age group.
    """
    if not text.strip():
        return None
    try:
        parsed = parse_age(text)
    except ValueError as why:
        raise ValueError(EXAMPLE) from why
    if parsed is None or parsed.age is None:
        raise ValueError(EXAMPLE)
    if parsed.doubt.startswith("no unit"):
        raise ValueError(f"Add years, months or weeks, such as {in_words(parsed.age)}")
    if parsed.doubt:
        raise ValueError("Enter one age, such as the younger one: 2 years")
    return parsed.age.before(today)


EXAMPLE = "Enter the age as 2 years, 5 months or 8 weeks"


def same_age(guessed: date, born: date, today: date) -> bool:
    """Return whether an age in words, counted back to ``guessed``, says the same as a date of birth."""
    unit = 365 if (today - guessed).days >= 365 else 31
    return abs((guessed - born).days) < unit
