"""The deprecation of getPet (specification, "Versioning")."""

from datetime import UTC, date, datetime

from werkzeug.http import http_date

DEPRECATED = datetime(2025, 12, 5, tzinfo=UTC)
SUNSET = datetime(2030, 12, 5, tzinfo=UTC)
"""The date on which getPet is removed."""


def format_day(when: date) -> str:
    """Return a date such as "5 December 2030"."""
    return f"{when.day} {when:%B %Y}"


REMOVED = f"removed on {format_day(SUNSET)}"
DEPRECATION_HEADER, SUNSET_HEADER = f"@{int(DEPRECATED.timestamp())}", http_date(SUNSET)


def deprecation_headers(base_url: str) -> list[tuple[str, str]]:
    """Return the headers of a deprecated operation: removal date and replacement (RFC 9745, 8594, 5829)."""
    link = f'<{base_url}/pets>; rel="successor-version"'
    return [("Deprecation", DEPRECATION_HEADER), ("Sunset", SUNSET_HEADER), ("Link", link)]
