"""Adding domains: a project claims a host. Other projects can claim the same host until it is verified."""

import secrets
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from adoption.accounts.members import email_owners
from adoption.accounts.plans import PLANS
from adoption.audit.actors import OPERATOR, SERVICE, Actor
from adoption.audit.models import AuditEntry
from adoption.domains import email_templates
from adoption.domains.cname_target_and_dns_servers import DomainConfig
from adoption.domains.history import record_event
from adoption.domains.hostname_parser import NameRefused, host_in
from adoption.domains.hostnames import display_host, www_partner
from adoption.domains.models import UNVERIFIED, Domain
from adoption.domains.ownership_claims import CLAIM_LASTS, earlier_claims
from adoption.domains.primary_domain import cancel_primary_choices
from adoption.domains.queries import owning_account
from adoption.domains.recheck_schedule import DAY, MINUTE
from adoption.domains.redirects import STATUSES
from adoption.errors import Conflict, Invalid, PlanRequired
from adoption.projects.models import Project
from adoption.projects.publication import lock_project
from adoption.storage.database import reading, transaction
from adoption.time_zones import date_in
from adoption.translations import gettext

DOMAINS_MOST = 50
"""The maximum of domains per project. More domains would mean too many regular DNS checks."""
DOMAINS_A_DAY_MOST = 100
"""The maximum of domains that an account can add in a day. All accounts share the authority's rate limits."""


def demand_plan_and_deploy(session: Session, project: Project) -> None:
    """Raise PlanRequired if the plan includes no domains, or Conflict if the project is not published."""
    plan = owning_account(session, project.id).plan
    if not PLANS[plan].custom_domains:
        offered = next(each.name for each in PLANS.values() if each.custom_domains)
        raise PlanRequired(
            gettext(
                "Your own domain needs the %(offered)s plan. You are on the %(plan)s plan: ask "
                "for another plan under Usage & plan.",
                offered=offered.capitalize(),
                plan=plan.capitalize(),
            )
        )
    if project.live_deploy is None:
        raise Conflict(
            gettext("There is nothing to show at a domain yet. Publish the site first, then come back.")
        )


def add_domains(
    project_id: int,
    pasted: str,
    config: DomainConfig,
    primary: bool = False,
    with_partner: bool = False,
    by: Actor = OPERATOR,
    now: datetime | None = None,
) -> list[Domain]:
    """Claim a host for a project. The project's first domain becomes primary when it is live.

    ``with_partner`` also claims the partner: ``www.example.org`` for ``example.org``, and vice versa. The
    partner redirects to the host. If the host itself redirects to the primary domain, the partner redirects
    to the primary domain too. No partner is claimed if the host has no partner or the project already has the
    partner.

    Raises Invalid (``domain``) if the host is invalid, PlanRequired if the plan includes no domains, and
    Conflict if the project is not published or a limit is reached.
    """
    with suppress(NameRefused):
        host = host_in(pasted, config.ours)
        other = www_partner(host)
        with reading() as session:
            own = select(Domain.id).where(Domain.project_id == project_id, Domain.host == other)
            has_other = session.scalar(own) is not None
        if with_partner and other and not has_other:
            return add_hosts(project_id, [host, other], config, primary, by, now)
    return add_hosts(project_id, [pasted], config, primary, by, now)


def add_hosts(
    project_id: int,
    pasted: Sequence[str],
    config: DomainConfig,
    primary: bool,
    by: Actor,
    now: datetime | None,
) -> list[Domain]:
    """Claim hosts in one transaction. The first host can show the site, and every other host redirects."""
    now = now or datetime.now(UTC)
    with transaction() as session:
        project = lock_project(session, project_id)
        demand_plan_and_deploy(session, project)
        hosts = [validate_host(session, project_id, each, config) for each in pasted]
        others = count_domains(session, project_id)
        if others + len(hosts) > DOMAINS_MOST:
            raise Conflict(
                gettext(
                    "A site can have at most %(number)s domains. Remove a domain that you no longer need.",
                    number=DOMAINS_MOST,
                )
            )
        if by != OPERATOR:
            check_daily_limit(session, project.account_id, len(hosts), now)
        if primary:
            cancel_primary_choices(session, project)
        domains = new_domains(session, project, hosts, primary or not others, now)
        for domain in domains:
            record_event(session, by, "domain.added", project, domain, now=now)
            warn_earlier_claims(session, project, domain, now)
    store_name_servers(domains, config)
    return domains


def count_domains(session: Session, project_id: int) -> int:
    return session.scalar(select(func.count(Domain.id)).where(Domain.project_id == project_id)) or 0


def new_domains(
    session: Session, project: Project, hosts: Sequence[str], shows: bool, now: datetime
) -> list[Domain]:
    """Store and return the domains of a claim.

    If ``shows``, the first domain shows the site, and the other domains redirect to the first domain.
    Otherwise all domains redirect to the primary domain.
    """
    domains: list[Domain] = []
    for host in hosts:
        first = shows and not domains
        domain = Domain(
            project_id=project.id,
            host=host,
            state=UNVERIFIED,
            wants_primary=first,
            redirect_status=None if first else STATUSES[0],
            redirects_to=domains[0].id if shows and domains else None,
            token=f"hw-verify={secrets.token_hex(16)}",
            report="",
            unanswered_why="",
            watched_since=now,
            next_check_at=now + MINUTE,
            created_at=now,
        )
        session.add(domain)
        session.flush()
        domains.append(domain)
    return domains


def store_name_servers(domains: Sequence[Domain], config: DomainConfig) -> None:
    """Look up and store the name servers of new domains, so that pages can name the DNS provider."""
    found = " ".join(config.new_client().name_servers(domains[0].host))
    if found:
        with transaction() as session:
            ids = [each.id for each in domains]
            session.execute(update(Domain).where(Domain.id.in_(ids)).values(name_servers=found))


def warn_earlier_claims(session: Session, project: Project, domain: Domain, now: datetime) -> None:
    """Email the owners of each earlier claim to the same host, unless they were emailed about it before."""
    for claim in earlier_claims(session, domain, project.account_id, now):
        theirs = session.get_one(Project, claim.project_id)
        query = select(AuditEntry.id).where(
            AuditEntry.account_id == theirs.account_id,
            AuditEntry.action == "domain.claimed",
            AuditEntry.thing == display_host(claim.host),
            AuditEntry.created_at > now - CLAIM_LASTS,
        )
        if session.scalar(query.limit(1)) is None:
            record_event(session, SERVICE, "domain.claimed", theirs, claim, now=now)
            until = date_in(theirs.time_zone, claim.created_at + CLAIM_LASTS)
            email_owners(session, theirs.account_id, email_templates.claimed_email(claim.host, until))


def check_daily_limit(session: Session, account_id: int, more: int, now: datetime) -> None:
    """Raise Conflict if the account exceeds its daily maximum of new domains. Removed domains count too."""
    added = select(AuditEntry.created_at).where(
        AuditEntry.account_id == account_id, AuditEntry.action == "domain.added"
    )
    long_ago = session.scalar(added.order_by(AuditEntry.id.desc()).offset(DOMAINS_A_DAY_MOST - more).limit(1))
    if long_ago is not None and long_ago > now - DAY:
        raise Conflict(
            gettext(
                "%(number)s domains were added within a day, which is the limit. Add more tomorrow.",
                number=DOMAINS_A_DAY_MOST,
            )
        )


def validate_host(session: Session, project_id: int, pasted: str, config: DomainConfig) -> str:
    try:
        host = host_in(pasted, config.ours)
    except NameRefused as refused:
        raise Invalid([("domain", str(refused))]) from refused
    own = select(Domain.id).where(Domain.project_id == project_id, Domain.host == host)
    if session.scalar(own) is not None:
        listed = gettext("%(domain)s is in your list already.", domain=display_host(host))
        raise Invalid([("domain", listed)])
    return host
