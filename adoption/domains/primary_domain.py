"""The primary domain of a project. The project's other domains redirect to it."""

from datetime import UTC, datetime

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from adoption.audit.actors import OPERATOR, Actor
from adoption.domains.history import record_event
from adoption.domains.hostnames import display_host
from adoption.domains.live_domains import is_live
from adoption.domains.models import VERIFIED, Domain
from adoption.domains.queries import domain_of
from adoption.domains.redirects import STATUSES
from adoption.errors import Conflict
from adoption.projects.models import Project
from adoption.projects.publication import lock_project
from adoption.storage.database import transaction
from adoption.translations import gettext, message


def make_primary(
    project_id: int, domain_id: int, by: Actor = OPERATOR, now: datetime | None = None
) -> Domain:
    """Make a verified domain primary. The previous primary domain then redirects to it.

    A domain that is not live yet becomes primary when it is live. Raises NotFound if the domain does not
    exist, and Conflict if it is not verified.
    """
    now = now or datetime.now(UTC)
    with transaction() as session:
        project = lock_project(session, project_id)
        domain = demand_verified(domain_of(session, project_id, domain_id))
        cancel_primary_choices(session, project)
        if domain.primary_of is None:
            domain.wants_primary = True
            promote_if_live(session, project, domain, by, now)
        return domain


def cancel_primary_choices(session: Session, project: Project) -> None:
    """Cancel earlier choices of primary domains that are not live yet."""
    waiting = select(Domain).where(Domain.project_id == project.id, Domain.wants_primary)
    for each in session.scalars(waiting):
        each.wants_primary = False


def promote_if_live(
    session: Session, project: Project, domain: Domain, by: Actor, now: datetime, is_first: bool = False
) -> None:
    """Make a live domain primary if a person chose it.

    ``is_first`` is whether the domain is live for the first time. Then the domain also becomes primary if the
    project has no primary domain.
    """
    if not is_live(domain, now):
        return
    if domain.wants_primary or (is_first and find_primary_domain(session, project.id) is None):
        set_primary(session, project, domain)
        domain.wants_primary = False
        if not is_first:
            record_event(session, by, "domain.primary", project, domain, now=now)


def set_primary(session: Session, project: Project, domain: Domain) -> None:
    before = find_primary_domain(session, project.id)
    if before is not None:
        before.primary_of, before.redirect_status, before.redirects_to = None, STATUSES[0], None
        session.flush()  # before a different row gets the unique value
    # Redirects to the old or the new primary domain become redirects to the current primary domain, so no
    # visitor is redirected twice.
    follow = Domain.redirects_to.in_([domain.id, *([before.id] if before else [])])
    session.execute(update(Domain).where(follow).values(redirects_to=None))
    domain.primary_of, domain.redirect_status, domain.redirects_to = project.id, None, None


def find_primary_domain(session: Session, project_id: int) -> Domain | None:
    return session.scalar(select(Domain).where(Domain.primary_of == project_id))


def demand_verified(domain: Domain) -> Domain:
    if domain.state != VERIFIED:
        unverified = message("%(domain)s is not verified yet. Fix its DNS first, then press Verify.")
        moved = message("%(domain)s no longer leads here. Fix its DNS first, then press Verify.")
        sentence = unverified if domain.verified_host is None else moved
        raise Conflict(gettext(sentence, domain=display_host(domain.host)))
    return domain


def demand_live(domain: Domain, now: datetime) -> Domain:
    if not is_live(demand_verified(domain), now):
        raise Conflict(
            gettext(
                "%(domain)s cannot become primary, because it has no valid certificate yet. "
                "Choose another domain, or wait.",
                domain=display_host(domain.host),
            )
        )
    return domain
