"""HTTP Strict Transport Security (HSTS, RFC 6797): how long browsers use only https for a domain."""

from datetime import UTC, datetime

from adoption.audit.actors import OPERATOR, Actor
from adoption.domains.history import record_event
from adoption.domains.models import Domain
from adoption.domains.primary_domain import demand_live
from adoption.domains.queries import domain_of
from adoption.projects.publication import lock_project
from adoption.storage.database import transaction

DAY, YEAR = 86_400, 31_536_000


def set_https_period(project_id: int, domain_id: int, longer: bool, by: Actor = OPERATOR) -> Domain:
    """Set whether browsers use only https for a domain for a year (``longer``) or for a day, the default.

    When the year is cancelled, the period becomes a day, not zero, because plain HTTP is still not safe. Each
    browser replaces the year with the day at its next visit. Raises NotFound if the domain does not exist,
    and Conflict if ``longer`` is set for a domain that is not live.
    """
    with transaction() as session:
        project = lock_project(session, project_id)
        domain = domain_of(session, project_id, domain_id)
        if longer:
            demand_live(domain, datetime.now(UTC))
        if domain.keeps_https != longer:
            domain.keeps_https = longer
            action = "domain.https-year" if longer else "domain.https-day"
            record_event(session, by, action, project, domain)
        return domain


def https_seconds(keeps_https: bool) -> int:
    """Return HSTS's ``max-age`` for this host, but not for hosts below it, which other people may own."""
    return YEAR if keeps_https else DAY
