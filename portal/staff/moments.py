"""Moments as the page of domains tells them. Days and hours are UTC's."""

from datetime import UTC, datetime

from portal.instants import day_in_words


def day(at: datetime | None, now: datetime) -> str:
    return day_in_words(at.astimezone(UTC).date(), now.astimezone(UTC).date()) if at else ""


def moment(at: datetime | None, now: datetime) -> str:
    """As ``when``, at the beginning of a sentence; empty where there is none."""
    words = when(at, now) if at else ""
    return words[:1].upper() + words[1:]


def when(instant: datetime, now: datetime) -> str:
    """A day and time such as "today, 09:40"."""
    utc, today = instant.astimezone(UTC), now.astimezone(UTC).date()
    named = {-1: "yesterday", 0: "today", 1: "tomorrow"}.get((utc.date() - today).days)
    return f"{named or day_in_words(utc.date(), today)}, {utc:%H:%M} UTC"
