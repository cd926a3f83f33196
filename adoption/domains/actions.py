import secrets
from datetime import UTC, datetime

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from adoption import queue
from adoption.accounts.plans import PLANS
from adoption.audit import trail
from adoption.audit.models import AuditEntry
from adoption.audit.trail import OPERATOR, SERVICE, Actor
from adoption.database import transaction
from adoption.domains import letters
from adoption.domains.live import is_live
from adoption.domains.models import UNVERIFIED, VERIFIED, Domain
from adoption.domains.names import NameRefused, host_in, shown
from adoption.domains.ownership import CLAIM_LASTS, earlier_claims
from adoption.domains.queries import account_of, domain_of, senders_to
from adoption.domains.terms import Terms
from adoption.domains.watching import DAY, MINUTE
from adoption.errors import Conflict, Invalid, PlanRequired
from adoption.projects.actions import locked
from adoption.projects.models import Project
from adoption.time_zones import date_in

MOST = 50
"""Domains that a project may have: each is looked at again and again."""
MOST_A_DAY = 100
"""Domains that people of an account may add in a day: the authority allows all of us so many orders."""
STATUSES = (301, 302, 307, 308)
"""Of redirects: RFC 9110, 15.4, without 303, which would make every request a GET."""


def demand_plan_and_deploy(session: Session, project: Project) -> None:
    """Raises PlanRequired, or Conflict where nothing was published that a domain could show."""
    plan = account_of(session, project.id).plan
    if not PLANS[plan].custom_domains:
        offered = next(each.name for each in PLANS.values() if each.custom_domains)
        raise PlanRequired(
            f"Your own domain comes with {offered.capitalize()}. You are on the {plan.capitalize()} plan: "
            "ask for another under Usage & plan."
        )
    if project.live_deploy is None:
        raise Conflict("There is nothing to show at a domain yet. Publish the site first, then come back.")


def add(
    project_id: int,
    pasted: str,
    terms: Terms,
    primary: bool = False,
    by: Actor = OPERATOR,
    now: datetime | None = None,
) -> Domain:
    """Claim a host for a project; the first of a project becomes its primary once it is live.

    Raises Invalid (``domain``), PlanRequired, or Conflict.
    """
    now = now or datetime.now(UTC)
    with transaction() as session:
        project = locked(session, project_id)
        demand_plan_and_deploy(session, project)
        host = checked_host(session, project_id, pasted, terms)
        others = session.scalar(select(func.count(Domain.id)).where(Domain.project_id == project_id)) or 0
        if others >= MOST:
            raise Conflict(f"A site can have {MOST} domains. Remove one that is not needed any more.")
        if by != OPERATOR:
            demand_moderation(session, project.account_id, now)
        first = primary or not others
        if primary:
            forget_wishes(session, project)
        domain = Domain(
            project_id=project_id,
            host=host,
            state=UNVERIFIED,
            wants_primary=first,
            redirect_status=None if first else STATUSES[0],
            token=f"hw-verify={secrets.token_hex(16)}",
            report="",
            unanswered_why="",
            watched_since=now,
            next_check_at=now + MINUTE,
            created_at=now,
        )
        session.add(domain)
        session.flush()
        note(session, by, "domain.added", project, domain, now=now)
        warned = warn_earlier_claims(session, project, domain, now)
    if warned:
        queue.start("send_letters")
    return domain


def warn_earlier_claims(session: Session, project: Project, domain: Domain, now: datetime) -> bool:
    """Email the owners of earlier claims to the same host, once while a claim lasts.

    Return whether an email was written.
    """
    warned = False
    for claim in earlier_claims(session, domain, project.account_id, now):
        theirs = session.get_one(Project, claim.project_id)
        known = select(AuditEntry.id).where(
            AuditEntry.account_id == theirs.account_id,
            AuditEntry.action == "domain.claimed",
            AuditEntry.thing == shown(claim.host),
            AuditEntry.created_at > now - CLAIM_LASTS,
        )
        if session.scalar(known.limit(1)) is None:
            note(session, SERVICE, "domain.claimed", theirs, claim, now=now)
            until = date_in(theirs.time_zone, claim.created_at + CLAIM_LASTS)
            letters.write_to_owners(session, theirs.account_id, letters.claimed(claim.host, until))
            warned = True
    return warned


def demand_moderation(session: Session, account_id: int, now: datetime) -> None:
    """Raises Conflict where the account has added as many in a day as it may, whatever became of them."""
    added = select(AuditEntry.created_at).where(
        AuditEntry.account_id == account_id, AuditEntry.action == "domain.added"
    )
    long_ago = session.scalar(added.order_by(AuditEntry.id.desc()).offset(MOST_A_DAY - 1).limit(1))
    if long_ago is not None and long_ago > now - DAY:
        raise Conflict(f"{MOST_A_DAY} domains were added within a day. Add more tomorrow.")


def checked_host(session: Session, project_id: int, pasted: str, terms: Terms) -> str:
    try:
        host = host_in(pasted, terms.ours)
    except NameRefused as refused:
        raise Invalid([("domain", str(refused))]) from refused
    own = select(Domain.id).where(Domain.project_id == project_id, Domain.host == host)
    if session.scalar(own) is not None:
        raise Invalid([("domain", f"{shown(host)} is in your list already.")])
    return host


def remove(
    project_id: int,
    domain_id: int,
    new_primary: int | None = None,
    by: Actor = OPERATOR,
    now: datetime | None = None,
) -> Domain:
    """Let a domain go: from now on no process shows anything there.

    Where others redirect to the primary one, ``new_primary`` has to take its place. Raises NotFound, or
    Conflict.
    """
    with transaction() as session:
        project = locked(session, project_id)
        domain = domain_of(session, project_id, domain_id)
        if new_primary is not None and domain.primary_of is not None and new_primary != domain.id:
            heir = demand_live(domain_of(session, project_id, new_primary), now or datetime.now(UTC))
            put_first(session, project, heir)
        elif heirs(session, domain, now or datetime.now(UTC)):
            raise Conflict("Other domains redirect to this one. Choose the new primary domain first.")
        session.execute(update(Domain).where(Domain.redirects_to == domain.id).values(redirects_to=None))
        session.delete(domain)
        note(session, by, "domain.removed", project, domain, now=now)
        return domain


def hand_over(session: Session, domain: Domain, now: datetime) -> None:
    """Let a domain go to whoever has shown that the host is theirs. The log and a letter tell."""
    project = locked(session, domain.project_id)
    if others := heirs(session, domain, now):
        put_first(session, project, others[0])
    session.execute(update(Domain).where(Domain.redirects_to == domain.id).values(redirects_to=None))
    session.delete(domain)
    session.flush()  # before another row says the same
    note(session, SERVICE, "domain.handed-over", project, domain, now=now)
    letters.write_to_owners(session, project.account_id, letters.handed_over(domain.host))


def heirs(session: Session, domain: Domain, now: datetime) -> list[Domain]:
    """Return the live domains that could replace the primary one; none where nobody has to choose."""
    if domain.primary_of is None:
        return []
    others = select(Domain).where(Domain.project_id == domain.project_id, Domain.id != domain.id)
    verified = session.scalars(others.where(Domain.verified_host.is_not(None)).order_by(Domain.id)).all()
    return [each for each in verified if is_live(each, now)] if senders_to(domain, verified) else []


def make_primary(
    project_id: int, domain_id: int, by: Actor = OPERATOR, now: datetime | None = None
) -> Domain:
    """Make a verified domain the site's own address; the one before then redirects to it.

    A domain that is not live yet takes over as soon as it is: until then the site stays where it was. Raises
    NotFound, or Conflict.
    """
    now = now or datetime.now(UTC)
    with transaction() as session:
        project = locked(session, project_id)
        domain = demand_verified(domain_of(session, project_id, domain_id))
        forget_wishes(session, project)
        if domain.primary_of is None:
            domain.wants_primary = True
            promote_if_live(session, project, domain, by, now)
        return domain


def forget_wishes(session: Session, project: Project) -> None:
    """Have no domain take over later: the newest choice of a primary domain counts."""
    waiting = select(Domain).where(Domain.project_id == project.id, Domain.wants_primary)
    for each in session.scalars(waiting):
        each.wants_primary = False


def promote_if_live(
    session: Session, project: Project, domain: Domain, by: Actor, now: datetime, is_first: bool = False
) -> None:
    """Make a live domain primary where somebody chose it.

    ``is_first``: it is live for the first time, so it also becomes primary where there is no other.
    """
    if not is_live(domain, now):
        return
    if domain.wants_primary or (is_first and primary_of(session, project.id) is None):
        put_first(session, project, domain)
        domain.wants_primary = False
        if not is_first:
            note(session, by, "domain.primary", project, domain, now=now)


def put_first(session: Session, project: Project, domain: Domain) -> None:
    before = primary_of(session, project.id)
    if before is not None:
        before.primary_of, before.redirect_status, before.redirects_to = None, STATUSES[0], None
        session.flush()  # before another row says the same
    # Whoever redirected to either follows the primary one from now on: nothing is sent on twice.
    follow = Domain.redirects_to.in_([domain.id, *([before.id] if before else [])])
    session.execute(update(Domain).where(follow).values(redirects_to=None))
    domain.primary_of, domain.redirect_status, domain.redirects_to = project.id, None, None


def primary_of(session: Session, project_id: int) -> Domain | None:
    return session.scalar(select(Domain).where(Domain.primary_of == project_id))


def redirect(
    project_id: int,
    domain_id: int,
    to: int | None = None,
    status: int = STATUSES[0],
    by: Actor = OPERATOR,
    now: datetime | None = None,
) -> Domain:
    """Have a domain send its visitors to another of the same project, or to whichever is the primary one.

    Raises NotFound, Invalid (``status``, ``to``), or Conflict.
    """
    if status not in STATUSES:
        raise Invalid([("status", f"Choose one of {', '.join(map(str, STATUSES))}.")])
    with transaction() as session:
        project = locked(session, project_id)
        domain = domain_of(session, project_id, domain_id)
        if domain.primary_of is not None:
            raise Conflict("The primary domain shows the site. Make another one primary first.")
        if session.scalar(select(Domain.id).where(Domain.redirects_to == domain.id).limit(1)) is not None:
            raise Conflict("Other domains redirect to this one, so it cannot redirect itself.")
        target = None if to is None else checked_target(domain_of(session, project_id, to), domain)
        domain.redirect_status, domain.wants_primary = status, False
        domain.redirects_to = target.id if target and target.primary_of is None else None
        where = shown(target.host) if target else "the primary domain"
        note(session, by, "domain.redirected", project, domain, f"To {where}, {status}", now)
        return domain


def checked_target(target: Domain, domain: Domain) -> Domain:
    if target.id == domain.id:
        raise Invalid([("to", "A domain cannot redirect to itself. Choose another one.")])
    if target.verified_host is None:
        raise Invalid([("to", "That domain is not verified yet. Choose one that is.")])
    if target.state != VERIFIED:
        raise Invalid([("to", "That domain no longer leads here. Put its DNS right, or choose another.")])
    if target.redirect_status is not None:
        raise Invalid([("to", "That domain redirects itself. Choose one that shows the site.")])
    return target


def stop_redirect(
    project_id: int, domain_id: int, by: Actor = OPERATOR, now: datetime | None = None
) -> Domain:
    """Have a domain show the site itself. Raises NotFound."""
    with transaction() as session:
        project = locked(session, project_id)
        domain = domain_of(session, project_id, domain_id)
        domain.wants_primary = False
        if domain.redirect_status is not None:
            domain.redirect_status = domain.redirects_to = None
            note(session, by, "domain.shown", project, domain, now=now)
        return domain


def demand_verified(domain: Domain) -> Domain:
    if domain.state != VERIFIED:
        how_it_is = "is not verified yet" if domain.verified_host is None else "no longer leads here"
        raise Conflict(f"{shown(domain.host)} {how_it_is}. Put its DNS right first, then press Verify.")
    return domain


def demand_live(domain: Domain, now: datetime) -> Domain:
    if not is_live(demand_verified(domain), now):
        raise Conflict(f"{shown(domain.host)} has no valid certificate yet. Choose another domain, or wait.")
    return domain


def note(
    session: Session,
    by: Actor,
    action: str,
    project: Project,
    domain: Domain,
    detail: str = "",
    now: datetime | None = None,
) -> None:
    trail.record(session, by, action, project.account_id, project.id, shown(domain.host), detail, now)
