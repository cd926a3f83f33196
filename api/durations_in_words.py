"""Durations in words."""

from adoption.english_plurals import counted

UNITS = (("hour", 3_600), ("minute", 60))


def spell_duration(seconds: int) -> str:
    """Return a duration such as "24 hours", "5 minutes" or "45 seconds", rounded up."""
    for unit, length in UNITS:
        if seconds >= 2 * length or (seconds == length and length > 60):
            return counted(-(-seconds // length), unit)
    return counted(seconds, "second")
