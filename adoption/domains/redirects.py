"""Redirects from one domain of a project to another."""

from sqlalchemy import select

from adoption.audit.actors import OPERATOR, Actor
from adoption.domains.history import record_event
from adoption.domains.hostnames import display_host
from adoption.domains.models import VERIFIED, Domain
from adoption.domains.queries import domain_of
from adoption.errors import Conflict, Invalid
from adoption.projects.publication import lock_project
from adoption.storage.database import transaction
from adoption.translations import gettext

STATUSES = (301, 302, 307, 308)
"""The status codes of redirects (RFC 9110, 15.4). Status 303 is left out, because it turns every request into
a GET request."""


def redirect_domain(
    project_id: int,
    domain_id: int,
    to: int | None = None,
    status: int = STATUSES[0],
    by: Actor = OPERATOR,
) -> Domain:
    """Redirect a domain to another domain of the project. ``to`` is None for the primary domain.

    Raises NotFound if the domain does not exist, Invalid if ``status`` or ``to`` is not possible, and
    Conflict if the project's state forbids the redirect.
    """
    if status not in STATUSES:
        choices = ", ".join(map(str, STATUSES))
        raise Invalid([("status", gettext("Choose one of %(choices)s.", choices=choices))])
    with transaction() as session:
        project = lock_project(session, project_id)
        domain = domain_of(session, project_id, domain_id)
        if domain.primary_of is not None:
            raise Conflict(
                gettext(
                    "The primary domain cannot be redirected, because it shows the site. Make another "
                    "domain primary first."
                )
            )
        if session.scalar(select(Domain.id).where(Domain.redirects_to == domain.id).limit(1)) is not None:
            raise Conflict(
                gettext(
                    "This domain cannot be redirected, because other domains redirect to it. Change "
                    "the other domains first."
                )
            )
        target = None if to is None else check_target(domain_of(session, project_id, to), domain)
        domain.redirect_status, domain.wants_primary = status, False
        domain.redirects_to = target.id if target and target.primary_of is None else None
        where = display_host(target.host) if target else "the primary domain"
        record_event(session, by, "domain.redirected", project, domain, f"To {where}, {status}")
        return domain


def check_target(target: Domain, domain: Domain) -> Domain:
    if target.id == domain.id:
        raise Invalid([("to", gettext("A domain cannot redirect to itself. Choose another domain."))])
    if target.verified_host is None:
        raise Invalid([("to", gettext("That domain is not verified yet. Choose a verified domain."))])
    if target.state != VERIFIED:
        raise Invalid(
            [("to", gettext("That domain no longer leads here. Fix its DNS, or choose another domain."))]
        )
    if target.redirect_status is not None:
        raise Invalid(
            [("to", gettext("That domain is itself redirected. Choose a domain that shows the site."))]
        )
    return target


def stop_redirect(project_id: int, domain_id: int, by: Actor = OPERATOR) -> Domain:
    """Make a domain show the site itself. Raises NotFound if the domain does not exist."""
    with transaction() as session:
        project = lock_project(session, project_id)
        domain = domain_of(session, project_id, domain_id)
        domain.wants_primary = False
        if domain.redirect_status is not None:
            domain.redirect_status = domain.redirects_to = None
            record_event(session, by, "domain.shown", project, domain)
        return domain
