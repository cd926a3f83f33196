"""Durations in words."""

UNITS = (("hour", 3_600), ("minute", 60))


def duration(seconds: int) -> str:
    """Return a duration such as "24 hours", "5 minutes" or "45 seconds", rounded up."""
    for unit, length in UNITS:
        if seconds >= 2 * length or (seconds == length and length > 60):
            return plural(-(-seconds // length), unit)
    return plural(seconds, "second")


def plural(number: int, unit: str) -> str:
    return f"{number:,} {unit}" if number == 1 else f"{number:,} {unit}s"
