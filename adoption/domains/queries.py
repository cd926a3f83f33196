from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from adoption.accounts.models import Account
from adoption.domains.hostnames import www_partner
from adoption.domains.live_domains import is_live
from adoption.domains.models import ATTENTION, VERIFIED, Domain
from adoption.errors import Conflict, NotFound
from adoption.projects.models import Project


def domains_of(session: Session, project_id: int) -> Sequence[Domain]:
    """Return a project's domains: the primary domain first, then the order in which they were added."""
    found = session.scalars(select(Domain).where(Domain.project_id == project_id).order_by(Domain.id)).all()
    return sorted(found, key=lambda domain: (domain.primary_of is None, domain.id))


def domain_of(session: Session, project_id: int, domain_id: int) -> Domain:
    """Return a domain of this project. Raises NotFound if the project has no such domain."""
    query = select(Domain).where(Domain.project_id == project_id, Domain.id == domain_id)
    domain = session.scalar(query)
    if domain is None:
        raise NotFound("There is no such domain.")
    return domain


def unverified_partner(session: Session, domain: Domain) -> Sequence[int]:
    """Return the ids of this domain's unverified partner in the same project: one id, or none."""
    return session.scalars(
        select(Domain.id).where(
            Domain.project_id == domain.project_id,
            Domain.host == www_partner(domain.host),
            Domain.state != VERIFIED,
        )
    ).all()


def lock_against_removal(session: Session, domain_id: int) -> Domain | None:
    """Return a domain, locked against removal until the end of the transaction; None if it was removed.

    Call this before locking rows that belong to the domain. A removal locks the project, then the domain,
    then these rows. A different order of locks could deadlock.
    """
    return session.get(Domain, domain_id, with_for_update={"read": True, "key_share": True})


def claims_of(session: Session, host: str) -> Sequence[Domain]:
    """Return all claims to a host, the verified claim first."""
    found = session.scalars(select(Domain).where(Domain.host == host).order_by(Domain.id)).all()
    return sorted(found, key=lambda domain: domain.verified_host is None)


def find_claim(session: Session, host: str, slug: str | None) -> Domain:
    """Return the claim to a host by the project with this slug.

    Without a slug, return the verified claim or the only claim. Raises NotFound if there is no claim, and
    Conflict if several projects have unverified claims.
    """
    claims = claims_of(session, host)
    if slug is not None:
        project_id = session.scalar(select(Project.id).where(Project.slug == slug))
        claims = [each for each in claims if each.project_id == project_id]
    if not claims:
        raise NotFound(f"No project has the domain {host}.")
    if len(claims) > 1 and claims[0].verified_host is None:
        raise Conflict(f"Several projects claim {host}. Choose the project with --project.")
    return claims[0]


def owning_account(session: Session, project_id: int) -> Account:
    query = select(Account).join(Project, Project.account_id == Account.id).where(Project.id == project_id)
    return session.scalars(query).one()


def rival_tokens(session: Session, domain: Domain, account_id: int) -> tuple[str, ...]:
    """Return the TXT values that would prove that the host of a moved domain now belongs to another account.

    If the host leads here again, it may have a new owner who added one of these values.
    """
    if domain.state != ATTENTION:
        return ()
    of_others = (
        select(Domain.token)
        .join(Project, Project.id == Domain.project_id)
        .where(Domain.host == domain.host, Project.account_id != account_id)
    )
    return tuple(session.scalars(of_others))


def redirects_of(domains: Sequence[Domain], now: datetime) -> list[dict[str, Any]]:
    """Return a project's current redirects as dictionaries with the keys ``from``, ``to`` and ``status``."""
    return [
        {"from": each.host, "to": to.host, "status": each.redirect_status}
        for each in domains
        if (to := redirect_target(each, domains, now)) and each.verified_host
    ]


def domains_redirecting_to(domain: Domain, domains: Sequence[Domain]) -> list[Domain]:
    """Return the project's verified domains that redirect to ``domain``."""
    by = (None, domain.id) if domain.primary_of is not None else (domain.id,)
    return [
        each for each in domains if each.verified_host and each.redirect_status and each.redirects_to in by
    ]


def redirect_target(domain: Domain, domains: Sequence[Domain], now: datetime) -> Domain | None:
    """Return the live domain that a domain redirects to; None if the domain shows the site."""
    if domain.redirect_status is None or domain.primary_of is not None:
        return None
    by_id = {each.id: each for each in domains}
    primary = next((each for each in domains if each.primary_of is not None), None)
    chosen = by_id.get(domain.redirects_to) if domain.redirects_to is not None else None
    target = next((each for each in (chosen, primary) if each and is_live(each, now)), None)
    return target if target and target.id != domain.id else None
