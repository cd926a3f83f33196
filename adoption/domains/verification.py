"""A look at a domain's DNS, and what follows from it."""

from contextlib import suppress
from datetime import UTC, datetime
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from adoption import queue
from adoption.audit.trail import OPERATOR, SERVICE, Actor
from adoption.database import reading, transaction
from adoption.domains import emails, reports
from adoption.domains.checks import check_dns
from adoption.domains.claims import demand_plan_and_deploy
from adoption.domains.history import record_event
from adoption.domains.models import ATTENTION, VERIFIED, Domain, Tombstone
from adoption.domains.names import record_name, shown
from adoption.domains.ownership import proofs_wanted
from adoption.domains.primary_domain import promote_if_live
from adoption.domains.queries import account_of, domain_of, rivals_of, unverified_partner
from adoption.domains.recheck_schedule import next_look
from adoption.domains.records import Record, Report, Wanted
from adoption.domains.removals import hand_over
from adoption.domains.terms import Terms
from adoption.errors import NotFound
from adoption.projects.actions import locked
from adoption.projects.models import Project

TAKEN = "taken"


class Outcome(NamedTuple):
    """What became of a look at a domain's DNS."""

    domain: Domain
    report: Report
    changed: bool
    """Whether the domain's state is another than before."""
    looked_up: bool
    """Whether anything could be found out."""


class Circumstances(NamedTuple):
    """Of a look whose findings are to be noted."""

    certificate_follows: bool
    """Whether a certificate is ordered for what is verified."""
    by: Actor
    pressed: bool
    """Whether somebody waits for it."""
    name_servers: tuple[str, ...] = ()
    """Of the domain's zone; none where they could not be looked up."""


def verify(
    project_id: int,
    domain_id: int,
    terms: Terms,
    by: Actor = OPERATOR,
    now: datetime | None = None,
    pressed: bool = True,
) -> Outcome:
    """Look at a domain's DNS and draw the consequences. A failure to look has none.

    Where somebody ``pressed`` for it, it is watched closely from now on. Raises NotFound, PlanRequired,
    or Conflict.
    """
    now = now or datetime.now(UTC)
    with reading() as session:
        domain = domain_of(session, project_id, domain_id)
        project = session.get_one(Project, project_id)
        demand_plan_and_deploy(session, project)
        token = "" if domain.verified_host else domain.token
        proof = proofs_wanted(session, [domain], project.account_id, now).get(domain.id, "")
        rivals = rivals_of(session, domain, project.account_id)
    wanted = Wanted(domain.host, terms.target, token, proof, terms.issuers, rivals, terms.addresses)
    client = terms.new_client()
    report = check_dns(wanted, client)
    servers = client.name_servers(domain.host)  # a check has asked for them already
    how = Circumstances(terms.certificates, by, pressed, servers)
    try:
        outcome = settle(project_id, domain_id, report, how, now)
    except IntegrityError:  # another project's claim was verified at the same moment
        outcome = settle(project_id, domain_id, report, how, now)
    if outcome.changed:
        queue.start("send_letters")
    if outcome.domain.state == VERIFIED and (outcome.changed or pressed):
        queue.start("order_certificates")
    return outcome


def verify_pair(project_id: int, domain_id: int, terms: Terms, by: Actor = OPERATOR) -> list[Outcome]:
    """Verify a domain, and the other one of an apex and its ``www`` unless that is verified already.

    Both share the time that one check has. Raises as ``verify`` does.
    """
    client = terms.new_client()
    together = terms._replace(new_client=lambda: client)
    with reading() as session:
        other = unverified_partner(session, domain_of(session, project_id, domain_id))
    outcomes = [verify(project_id, domain_id, together, by)]
    with suppress(NotFound):  # removed meanwhile
        outcomes += [verify(project_id, each, together, by) for each in other]
    return outcomes


def check_soon(project_id: int, domain_id: int, now: datetime | None = None) -> Domain:
    """Have a domain checked in the background within a minute. Raises NotFound, PlanRequired, or Conflict."""
    now = now or datetime.now(UTC)
    with transaction() as session:
        project = locked(session, project_id)
        demand_plan_and_deploy(session, project)
        domain = domain_of(session, project_id, domain_id)
        note_press(domain, now)
        domain.next_check_at = now
    queue.start("check_domains")
    return domain


def settle(
    project_id: int,
    domain_id: int,
    report: Report,
    how: Circumstances,
    now: datetime | None,
) -> Outcome:
    """Note what a look has found. Raises NotFound where the domain was removed meanwhile."""
    now = now or datetime.now(UTC)
    with transaction() as session:
        if report.proven:
            lock_all(session, project_id, domain_id)
        project = locked(session, project_id)
        domain = domain_of(session, project_id, domain_id)
        before = domain.state
        if how.pressed:
            note_press(domain, now)
        domain.name_servers = " ".join(how.name_servers) or domain.name_servers
        note_permission(session, domain, project, report, how)
        if report.ok and domain.verified_host is None:
            report = if_free(session, domain, project, report, now)
        if report.ok is None:
            note_unanswered(domain, report, now)
            return Outcome(domain, report, changed=False, looked_up=False)
        domain.report, domain.checked_at = reports.kept(report), now
        domain.unanswered_at, domain.unanswered_why = None, ""
        if report.ok:
            is_first = domain.verified_host is None
            become_verified(session, domain, project, how, now)
            promote_if_live(session, project, domain, how.by, now, is_first)
        elif domain.state == VERIFIED:
            become_moved(session, domain, project, report, now)
        look_again(domain, now)
        return Outcome(domain, report, domain.state != before, looked_up=True)


def lock_all(session: Session, project_id: int, domain_id: int) -> None:
    """Lock this project and the one that has the host now, which it may be handed over by.

    In one order, or two projects that take a host of each other's would wait for each other.
    """
    host = select(Domain.host).where(Domain.project_id == project_id, Domain.id == domain_id)
    holder = session.scalar(select(Domain.project_id).where(Domain.verified_host == host.scalar_subquery()))
    for each in sorted({project_id, holder or project_id}):
        locked(session, each)


def note_press(domain: Domain, now: datetime) -> None:
    domain.pressed_at = now
    if not is_settled(domain):
        domain.watched_since = now


def note_permission(
    session: Session, domain: Domain, project: Project, report: Report, how: Circumstances
) -> None:
    """Whether CAA lets a certificate be ordered. Nothing fails where it stops to, so the owners are told."""
    if report.caa.ok is None:
        return
    stops = domain.caa_allows and not report.caa.ok
    domain.caa_allows = report.caa.ok
    if stops and how.certificate_follows and domain.state == VERIFIED:
        emails.write_to_owners(session, project.account_id, emails.forbidden(domain.host, report))


def if_free(session: Session, domain: Domain, project: Project, report: Report, now: datetime) -> Report:
    """The report, unless the host is another project's or was while it was looked at.

    From another account's it goes to whoever shows by its own zone that it is theirs: that one may have been
    quicker only, with a domain that it never had.
    """
    other = session.scalar(select(Domain).where(Domain.verified_host == domain.host))
    is_ours = other is not None and account_of(session, other.project_id).id == project.account_id
    if other is not None and report.proven and not is_ours:
        hand_over(session, other, now)
        other = None
    wants = not report.proven and bool(proofs_wanted(session, [domain], project.account_id, now))
    if other is None and not wants:
        return report
    fix = f"Remove {shown(domain.host)} from the site that shows it now."
    why = "It is verified for another site here."
    if wants and other is None:
        fix, why = "Press Verify again.", "Another account added this domain while we checked its DNS."
    record = Record("Site", record_name(domain.host), (), "", False, TAKEN, fix, why)
    return report._replace(records=(*report.records, record))


def note_unanswered(domain: Domain, report: Report, now: datetime) -> None:
    """State, report and all else stay as they are."""
    failed = next(record for record in report.records if record.ok is None)
    domain.unanswered_at, domain.unanswered_why = now, failed.why
    look_again(domain, now)


def look_again(domain: Domain, now: datetime) -> None:
    serves = domain.verified_host is not None
    domain.next_check_at = next_look(is_settled(domain), serves, domain.watched_since, now)


def is_settled(domain: Domain) -> bool:
    """Whether all is as it should be: what CAA forbids would be missed only when the certificate is due."""
    return domain.state == VERIFIED and domain.caa_allows


def become_verified(
    session: Session, domain: Domain, project: Project, how: Circumstances, now: datetime
) -> None:
    if domain.state == VERIFIED:
        return
    domain.state, domain.verified_host, domain.watched_since = VERIFIED, domain.host, now
    domain.verified_at = now
    session.merge(Tombstone(host=domain.host, account_id=project.account_id, verified_at=now))
    session.flush()
    record_event(session, how.by, "domain.verified", project, domain, now=now)
    if not how.certificate_follows:  # they are written to once it is live otherwise
        emails.write_to_owners(session, project.account_id, emails.verified(domain.host, project.name))


def become_moved(session: Session, domain: Domain, project: Project, report: Report, now: datetime) -> None:
    domain.state, domain.watched_since = ATTENTION, now
    found = " ".join(record.hint for record in report.records if record.ok is False)
    record_event(session, SERVICE, "domain.moved", project, domain, found, now)
    emails.write_to_owners(session, project.account_id, emails.moved(domain.host, project.name, report))
