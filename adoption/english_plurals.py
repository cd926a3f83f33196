"""Numbers with their English noun."""


def counted(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun in the singular or plural, such as "1 animal" or "2,000 animals"."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
