"""A look at a domain's DNS, and what follows from it."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from datetime import UTC, datetime
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from adoption import queue
from adoption.alerts.actions import close_alert, open_alert
from adoption.alerts.causes import CAA_ON_TARGET
from adoption.audit.trail import OPERATOR, Actor
from adoption.database import reading, transaction
from adoption.domains import reports
from adoption.domains.caa import TARGET_BLOCKS
from adoption.domains.check_outcomes import (
    Circumstances,
    become_moved,
    become_verified,
    look_again,
    note_permission,
    note_press,
    note_resolution,
    note_unanswered,
)
from adoption.domains.checks import check_dns
from adoption.domains.claims import demand_plan_and_deploy
from adoption.domains.early_certificates import find_delegation, note_delegation, usable_methods
from adoption.domains.models import VERIFIED, Domain
from adoption.domains.names import record_name, shown
from adoption.domains.ownership import proofs_wanted
from adoption.domains.primary_domain import promote_if_live
from adoption.domains.queries import account_of, domain_of, rivals_of, unverified_partner
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
    wanted = Wanted(
        domain.host,
        terms.target,
        token,
        proof,
        terms.issuers,
        usable_methods(domain, terms.challenge_zone),
        rivals,
        terms.addresses,
    )
    client = terms.new_client()
    with ThreadPoolExecutor(1) as pool:
        delegation = pool.submit(find_delegation, domain.host, client, terms)
        report = check_dns(wanted, client)
    servers = client.name_servers(domain.host)  # a check has asked for them already
    how = Circumstances(terms.certificates, by, pressed, servers, delegation.result(), terms.challenge_zone)
    try:
        outcome = settle(project_id, domain_id, report, how, now)
    except IntegrityError:  # another project's claim was verified at the same moment
        outcome = settle(project_id, domain_id, report, how, now)
    note_target(report, now)
    if outcome.changed:
        queue.start("send_letters")
    may_order = outcome.domain.state == VERIFIED or outcome.domain.challenge_ready
    if may_order and (outcome.changed or pressed):
        queue.start("order_certificates")
    return outcome


def note_target(report: Report, now: datetime) -> None:
    """Alert the operator while CAA records of our own name block certificates."""
    if report.caa.code == TARGET_BLOCKS:
        detail = f"CAA records at {report.caa.at}: {', '.join(report.caa.found)}."
        open_alert(CAA_ON_TARGET, detail, now)
    elif report.caa.ok and any(record.code == "cname_ok" for record in report.records):
        close_alert(CAA_ON_TARGET, now)


def verify_pair(project_id: int, domain_id: int, terms: Terms, by: Actor = OPERATOR) -> list[Outcome]:
    """Verify a domain, and the other one of an apex and its ``www`` unless that is verified already.

    Both are checked at the same time, so that silent servers of one take no time from the other. Raises as
    ``verify`` does.
    """
    with reading() as session:
        other = unverified_partner(session, domain_of(session, project_id, domain_id))
    with ThreadPoolExecutor(1 + len(other)) as pool:
        checks = [
            pool.submit(copy_context().run, verify, project_id, each, terms, by)
            for each in (domain_id, *other)
        ]
    outcomes = [checks[0].result()]
    with suppress(NotFound):  # removed meanwhile
        outcomes += [each.result() for each in checks[1:]]
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
        note_permission(session, domain, report, how, now)
        if report.ok and domain.verified_host is None:
            report = if_free(session, domain, project, report, now)
        if report.ok is None:
            note_unanswered(session, domain, project, report, now)
            return Outcome(domain, report, changed=False, looked_up=False)
        domain.report = reports.kept(report)
        note_delegation(domain, how.delegation, report, how.challenge_zone)
        domain.unanswered_at, domain.unanswered_since, domain.unanswered_why = None, None, ""
        if report.ok:
            is_first = domain.verified_host is None
            become_verified(session, domain, project, how, now)
            promote_if_live(session, project, domain, how.by, now, is_first)
        elif domain.state == VERIFIED:
            become_moved(session, domain, project, report, now)
        note_resolution(session, domain, project, report, now)
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
