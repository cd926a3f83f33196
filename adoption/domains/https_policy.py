"""How long browsers that visited a domain open it by https alone (HSTS, RFC 6797)."""

from datetime import UTC, datetime

from adoption.audit.trail import OPERATOR, Actor
from adoption.domains.history import record_event
from adoption.domains.models import Domain
from adoption.domains.primary_domain import demand_live
from adoption.domains.queries import domain_of
from adoption.projects.actions import locked
from adoption.storage.database import transaction

DAY, YEAR = 86_400, 31_536_000


def set_https_period(
    project_id: int, domain_id: int, longer: bool, by: Actor = OPERATOR, now: datetime | None = None
) -> Domain:
    """Have browsers keep a domain on https for a year, or for a day as at first.

    The end is a day and not at once: it replaces the year in each browser that comes by, and for visitors
    nothing about the domain has changed that would make plain HTTP safe today. Raises NotFound, or Conflict.
    """
    now = now or datetime.now(UTC)
    with transaction() as session:
        project = locked(session, project_id)
        domain = domain_of(session, project_id, domain_id)
        if longer:
            demand_live(domain, now)
        if domain.keeps_https != longer:
            domain.keeps_https = longer
            action = "domain.https-year" if longer else "domain.https-day"
            record_event(session, by, action, project, domain, now=now)
        return domain


def https_seconds(keeps_https: bool) -> int:
    """Return the ``max-age`` that visitors' browsers get. No subdomains: they may be anybody's."""
    return YEAR if keeps_https else DAY
