"""The deprecation of getPet (specification, "Versioning")."""

from datetime import UTC, date, datetime

from flask import Response
from werkzeug.http import http_date

DEPRECATED = datetime(2025, 12, 5, tzinfo=UTC)
SUNSET = datetime(2030, 12, 5, tzinfo=UTC)
"""When getPet is removed."""


def day(when: date) -> str:
    """Return a date such as "5 December 2030"."""
    return f"{when.day} {when:%B %Y}"


REMOVED = f"removed on {day(SUNSET)}"
DEPRECATION_HEADER, SUNSET_HEADER = f"@{int(DEPRECATED.timestamp())}", http_date(SUNSET)


def add_deprecation(response: Response, base_url: str) -> None:
    """Add to a response when its operation is removed and what replaces it (RFC 9745, RFC 8594, RFC 5829)."""
    response.headers.add("Deprecation", DEPRECATION_HEADER)
    response.headers.add("Sunset", SUNSET_HEADER)
    response.headers.add("Link", f'<{base_url}/pets>; rel="successor-version"')
