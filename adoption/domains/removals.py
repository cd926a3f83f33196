"""Removals of domains by their project."""

from datetime import UTC, datetime

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from adoption.audit.actors import OPERATOR, Actor
from adoption.domains.history import record_event
from adoption.domains.hostnames import display_host
from adoption.domains.live_domains import is_live
from adoption.domains.models import Domain
from adoption.domains.primary_domain import demand_live, set_primary
from adoption.domains.queries import domain_of, domains_redirecting_to
from adoption.errors import Conflict
from adoption.projects.publication import lock_project
from adoption.storage.database import transaction
from adoption.translations import gettext


def remove_domain(
    project_id: int,
    domain_id: int,
    new_primary: int | None = None,
    by: Actor = OPERATOR,
    now: datetime | None = None,
) -> Domain:
    """Remove a domain. No process serves the domain from now on.

    ``new_primary`` replaces a primary domain to which others redirect. Raises NotFound if the domain does not
    exist, and Conflict if ``new_primary`` is missing or cannot replace the domain.
    """
    with transaction() as session:
        project = lock_project(session, project_id)
        domain = domain_of(session, project_id, domain_id)
        if new_primary is not None:
            demand_replaceable(domain, new_primary)
            replacement = demand_live(domain_of(session, project_id, new_primary), now or datetime.now(UTC))
            set_primary(session, project, replacement)
        elif find_replacements(session, domain, now or datetime.now(UTC)):
            raise Conflict(
                gettext(
                    "The domain was not removed, because other domains redirect to it. Choose the new "
                    "primary domain first."
                )
            )
        session.execute(update(Domain).where(Domain.redirects_to == domain.id).values(redirects_to=None))
        session.delete(domain)
        record_event(session, by, "domain.removed", project, domain, now=now)
        return domain


def demand_replaceable(domain: Domain, new_primary: int) -> None:
    """Raise Conflict if ``new_primary`` cannot become primary in place of ``domain``."""
    host = display_host(domain.host)
    if domain.primary_of is None:
        raise Conflict(
            gettext(
                "%(domain)s was not removed: it is not the primary domain, so it needs no "
                "replacement. Remove it without a new primary domain.",
                domain=host,
            )
        )
    if new_primary == domain.id:
        raise Conflict(
            gettext(
                "%(domain)s was not removed: it cannot replace itself as the primary domain. "
                "Choose another domain as the new primary domain.",
                domain=host,
            )
        )


def find_replacements(session: Session, domain: Domain, now: datetime) -> list[Domain]:
    """Return the live domains that can replace a primary domain to which others redirect.

    Empty if the domain is not primary or no domain redirects to it.
    """
    if domain.primary_of is None:
        return []
    others = select(Domain).where(Domain.project_id == domain.project_id, Domain.id != domain.id)
    verified = session.scalars(others.where(Domain.verified_host.is_not(None)).order_by(Domain.id)).all()
    return (
        [each for each in verified if is_live(each, now)] if domains_redirecting_to(domain, verified) else []
    )
