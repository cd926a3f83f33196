"""Which site a host shows: one look by one index, whether there are ten domains or ten thousand.

Nothing is kept between requests, so that a domain which was removed is gone with the next one, in every
process.
"""

from typing import Any, NamedTuple

from sqlalchemy import Select, and_, bindparam, exists, or_, select
from sqlalchemy.orm import aliased

from adoption.accounts.models import Account
from adoption.accounts.plans import PLANS
from adoption.domains.models import VERIFIED, Domain
from adoption.prepared import Prepared
from adoption.projects.models import Deploy, Project
from adoption.projects.queries import LIVE, OF_SITE, Site


class Served(NamedTuple):
    """A published site as one host shows it."""

    site: Site
    primary: str
    """The site's own address: its primary domain; empty where it has none, or that moved away."""
    to: str = ""
    """Where this host sends its visitors; empty where it shows the site."""
    status: int = 0


PRIMARY, TARGET = aliased(Domain), aliased(Domain)
# Spelt out, for a prepared statement can hold no list.
PLAN_GIVES = or_(*(Account.plan == name for name, plan in PLANS.items() if plan.custom_domains))


OFFLINE = select(Project.id).where(
    Project.live_deploy.is_(None), exists().where(Deploy.project_id == Project.id, Deploy.succeeded)
)
OFFLINE_BELOW = Prepared(OFFLINE.where(Project.slug == bindparam("slug")))
OFFLINE_AT = Prepared(
    OFFLINE.join(Domain, Domain.project_id == Project.id).where(Domain.verified_host == bindparam("host"))
)


def published(*more: Any) -> Select[Any]:
    """The texts of published sites, whatever more is asked for, and their account and primary domain."""
    return (
        select(PRIMARY.verified_host, *more, *OF_SITE)
        .select_from(Project)
        .join(Deploy, LIVE)
        .join(Account, Account.id == Project.account_id)
    )


# Nobody is sent to a domain that moved away: they would not come to the site at all.
THE_PRIMARY = and_(PRIMARY.primary_of == Project.id, PRIMARY.state == VERIFIED)
BELOW = Prepared(
    published().outerjoin(PRIMARY, and_(THE_PRIMARY, PLAN_GIVES)).where(Project.slug == bindparam("slug"))
)
AT = Prepared(
    published(Domain.redirect_status, TARGET.verified_host)
    .join(Domain, Domain.project_id == Project.id)
    .outerjoin(PRIMARY, THE_PRIMARY)
    .outerjoin(TARGET, and_(TARGET.id == Domain.redirects_to, TARGET.state == VERIFIED))
    .where(Domain.verified_host == bindparam("host"), PLAN_GIVES)
)


# Projects whose animals have their one address at a domain of the shelter's own.
ELSEWHERE = Prepared(
    select(Project.id)
    .join(PRIMARY, THE_PRIMARY)
    .join(Account, Account.id == Project.account_id)
    .where(PLAN_GIVES)
)


def projects_at_own_domain() -> set[int]:
    """The projects that have a primary domain, to which the platform's address of their site redirects."""
    return {row[0] for row in ELSEWHERE.rows()}


def was_published_below(slug: str) -> bool:
    """Whether the project with this slug has a site that was taken offline."""
    return OFFLINE_BELOW.first(slug=slug) is not None


def was_published_at(host: str) -> bool:
    """The same of the project that has verified this host."""
    return OFFLINE_AT.first(host=host) is not None


def site_below(slug: str) -> Served | None:
    """The published site with this slug, at the platform's own host for it."""
    row = BELOW.first(slug=slug)
    return None if row is None else Served(Site._make(row[1:]), row[0] or "")


def site_at(host: str) -> Served | None:
    """The published site that was verified for this host; None where the plan gives no domains, too."""
    row = AT.first(host=host)
    if row is None:
        return None
    primary, status, target, *texts = row
    to = (target or primary or "") if status else ""
    return Served(Site._make(texts), primary or "", "" if to == host else to, status or 0)
