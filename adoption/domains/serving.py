"""Which site a host shows: one look by one index, whether there are ten domains or ten thousand.

Nothing is kept between requests, so that a domain which was removed is gone with the next one, in every
process.
"""

from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Select, and_, bindparam, exists, or_, select
from sqlalchemy.orm import aliased

from adoption.accounts.models import Account
from adoption.accounts.plans import PLANS
from adoption.database import UTCDateTime
from adoption.domains.live import live_clause, orders_certificates
from adoption.domains.models import Domain
from adoption.prepared import Prepared
from adoption.projects.models import Deploy, Project
from adoption.projects.queries import LIVE, OF_SITE, Site


class Served(NamedTuple):
    """A published site as one host shows it."""

    site: Site
    primary: str
    """The site's own address: its primary domain; empty where it has none, or that is not live."""
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


NOW = bindparam("now", type_=UTCDateTime())
ORDERS = (False, True)
"""Each statement is prepared for servers that order no certificates and for those that do."""


def the_primary(orders: bool) -> ColumnElement[bool]:
    return and_(PRIMARY.primary_of == Project.id, live_clause(PRIMARY, orders, NOW))


def below(orders: bool) -> Prepared:
    primary = and_(the_primary(orders), PLAN_GIVES)
    return Prepared(published().outerjoin(PRIMARY, primary).where(Project.slug == bindparam("slug")))


def at(orders: bool) -> Prepared:
    target = and_(TARGET.id == Domain.redirects_to, live_clause(TARGET, orders, NOW))
    return Prepared(
        published(Domain.redirect_status, TARGET.verified_host)
        .join(Domain, Domain.project_id == Project.id)
        .outerjoin(PRIMARY, the_primary(orders))
        .outerjoin(TARGET, target)
        .where(Domain.verified_host == bindparam("host"), PLAN_GIVES)
    )


def elsewhere(orders: bool) -> Prepared:
    """Projects whose animals have their one address at a domain of the shelter's own."""
    return Prepared(
        select(Project.id)
        .join(PRIMARY, the_primary(orders))
        .join(Account, Account.id == Project.account_id)
        .where(PLAN_GIVES)
    )


BELOW, AT, ELSEWHERE = ({orders: made(orders) for orders in ORDERS} for made in (below, at, elsewhere))


def projects_at_own_domain(now: datetime) -> set[int]:
    """Return the projects whose address on the platform redirects to a live primary domain."""
    return {row[0] for row in ELSEWHERE[orders_certificates()].rows(**instant(now))}


def instant(now: datetime) -> dict[str, Any]:
    """Return the parameters of a statement that asks what is live."""
    return {"now": now} if orders_certificates() else {}


def was_published_below(slug: str) -> bool:
    """Whether the project with this slug has a site that was taken offline."""
    return OFFLINE_BELOW.first(slug=slug) is not None


def was_published_at(host: str) -> bool:
    """The same of the project that has verified this host."""
    return OFFLINE_AT.first(host=host) is not None


def site_below(slug: str, now: datetime) -> Served | None:
    """The published site with this slug, at the platform's own host for it."""
    row = BELOW[orders_certificates()].first(slug=slug, **instant(now))
    return None if row is None else Served(Site._make(row[1:]), row[0] or "")


def site_at(host: str, now: datetime) -> Served | None:
    """The published site that was verified for this host; None where the plan gives no domains, too."""
    row = AT[orders_certificates()].first(host=host, **instant(now))
    if row is None:
        return None
    primary, status, target, *texts = row
    to = (target or primary or "") if status else ""
    return Served(Site._make(texts), primary or "", "" if to == host else to, status or 0)
