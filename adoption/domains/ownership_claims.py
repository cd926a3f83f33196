"""Claims that need a TXT record as proof of ownership.

All sites share one CNAME target, so a CNAME record does not show which account the host's owner means. Only a
person with access to the host's DNS can add the TXT record.
"""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, and_, or_, select
from sqlalchemy.orm import Session

from adoption.domains.hostnames import registrable, reversed_labels
from adoption.domains.models import Domain, Tombstone
from adoption.domains.recheck_schedule import WATCHED_FOR
from adoption.projects.models import Project

USED, CLAIMED, WILDCARD = "used", "claimed", "wildcard"
"""The reasons why a claim needs a proof: another account uses or used a host of the same registrable domain,
another account claimed such a host earlier, or a wildcard record answers for every host."""
AFTER_DOT = chr(ord(".") + 1)
CLAIM_LASTS = WATCHED_FOR
"""The time for which an unverified claim comes before later claims. Automatic DNS checks of the claim go on
for the same time."""


def zone_of(host: str) -> str:
    return registrable(host) or host


def within_zones_clause(table: type[Domain] | type[Tombstone], zones: Collection[str]) -> ColumnElement[bool]:
    """Return the SQL condition for these registrable domains and all hosts below them.

    The condition uses ranges of the index of reversed labels. A column with the registrable domain would
    become wrong when the public suffix list changes.
    """
    starts = [reversed_labels(zone) for zone in zones]
    ranges = (and_(table.labels >= each, table.labels < f"{each[:-1]}{AFTER_DOT}") for each in starts)
    below = (table.host.endswith(f".{zone}", autoescape=True) for zone in zones)
    return or_(*ranges, and_(table.labels == "", or_(table.host.in_(zones), *below)))


def proofs_wanted(
    session: Session, domains: Sequence[Domain], account_id: int, now: datetime
) -> dict[int, str]:
    """Return the reasons why domains need a proof, by domain id. Domains that need no proof are left out."""
    claims = [each for each in domains if each.verified_host is None]
    if not claims:
        return {}
    zones = {zone_of(each.host) for each in claims}
    others = claims_of_others(session, zones, account_id)
    buried = session.execute(
        select(Tombstone.host, Tombstone.account_id).where(within_zones_clause(Tombstone, zones))
    ).all()
    own = {each.host for each in buried if each.account_id == account_id}
    used = {each.host for each in buried if each.account_id != account_id}
    used |= {each.host for each in others if each.verified_host}
    used_zones = set(map(zone_of, used))
    waiting = [each for each in others if not each.verified_host and each.created_at > now - CLAIM_LASTS]
    wanted = {}
    for claim in claims:
        if zone_of(claim.host) in used_zones:
            wanted[claim.id] = USED
        elif claim.host not in own and any(is_earlier(each, claim) for each in waiting):
            wanted[claim.id] = CLAIMED
    return wanted


def claims_of_others(session: Session, zones: Collection[str], account_id: int) -> Sequence[Any]:
    query = (
        select(Domain.id, Domain.host, Domain.verified_host, Domain.created_at)
        .join(Project, Project.id == Domain.project_id)
        .where(Project.account_id != account_id, within_zones_clause(Domain, zones))
    )
    return session.execute(query).all()


def is_earlier(other: Any, claim: Domain) -> bool:
    """Return whether ``other`` is an earlier claim than ``claim`` to the same registrable domain."""
    earlier = (other.created_at, other.id) < (claim.created_at, claim.id)
    return earlier and zone_of(other.host) == zone_of(claim.host)


def token_wanted(session: Session, domain: Domain, account_id: int, now: datetime) -> str:
    """Return the text of the TXT record that this claim needs; empty if the claim needs none."""
    return domain.token if proofs_wanted(session, [domain], account_id, now) else ""


def earlier_claims(session: Session, domain: Domain, account_id: int, now: datetime) -> Sequence[Domain]:
    """Return earlier unverified claims of other accounts to the same host."""
    return session.scalars(
        select(Domain)
        .join(Project, Project.id == Domain.project_id)
        .where(
            Project.account_id != account_id,
            Domain.host == domain.host,
            Domain.verified_host.is_(None),
            Domain.created_at > now - CLAIM_LASTS,
            Domain.id != domain.id,
        )
        .order_by(Domain.id)
    ).all()
