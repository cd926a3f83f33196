"""Verification of domains: check a domain's DNS, and store the result."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime
from typing import NamedTuple

from flask import current_app
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from adoption.audit.actors import OPERATOR, Actor
from adoption.domains import dns_report_json
from adoption.domains.additions import demand_plan_and_deploy
from adoption.domains.caa_checks import TARGET_BLOCKS
from adoption.domains.cname_target_and_dns_servers import DomainConfig
from adoption.domains.dns_check_outcomes import (
    CheckContext,
    become_moved,
    become_verified,
    is_refused,
    is_settled,
    schedule_next_check,
    store_caa_permission,
    store_check_request,
    store_refused_answers,
    store_resolution,
    store_unanswered_check,
)
from adoption.domains.dns_checks import check_dns
from adoption.domains.dns_records import CheckedRecord, Report, WantedRecords
from adoption.domains.early_certificates import (
    find_delegation,
    may_be_ordered,
    store_delegation,
    usable_methods,
)
from adoption.domains.handovers import hand_over
from adoption.domains.hostnames import display_host, record_name
from adoption.domains.models import VERIFIED, Domain
from adoption.domains.ownership_claims import proofs_wanted
from adoption.domains.primary_domain import promote_if_live
from adoption.domains.queries import domain_of, owning_account, rival_tokens, unverified_partner
from adoption.errors import NotFound
from adoption.operator_alerts.causes import CAA_ON_TARGET
from adoption.operator_alerts.opening_and_closing import close_alert, open_alert
from adoption.projects.models import Project
from adoption.projects.publication import lock_project
from adoption.storage import queue
from adoption.storage.database import reading, transaction

TAKEN = "taken"


class VerificationResult(NamedTuple):
    domain: Domain
    report: Report
    changed: bool
    """Whether the state of the domain changed."""
    looked_up: bool
    """Whether DNS answered. If DNS did not answer, the state is unchanged."""
    is_repaired: bool = False
    """Whether DNS prevented certificate orders before this check, and no longer does."""


def verify_domain(
    project_id: int,
    domain_id: int,
    config: DomainConfig,
    by: Actor = OPERATOR,
    now: datetime | None = None,
    pressed: bool = True,
) -> VerificationResult:
    """Check a domain's DNS and store the result.

    If ``pressed``, a person requested the check, and automatic checks are frequent for a while. Raises
    NotFound if the domain does not exist, PlanRequired if the plan includes no domains, and Conflict if the
    project is not published.
    """
    now = now or datetime.now(UTC)
    with reading() as session:
        wanted = wanted_records(session, project_id, domain_id, config, now)
    client = config.new_client()
    with ThreadPoolExecutor(1) as pool:
        delegation = pool.submit(find_delegation, wanted.host, client, config)
        report = check_dns(wanted, client)
    servers = client.name_servers(wanted.host)  # the check has cached the name servers
    context = CheckContext(
        config.certificates, by, pressed, servers, delegation.result(), config.challenge_zone
    )
    try:
        outcome = store_report(project_id, domain_id, report, context, now)
    except IntegrityError:  # a different project's claim was verified at the same moment
        outcome = store_report(project_id, domain_id, report, context, now)
    report_caa_on_target(report, now)
    start_jobs(outcome, pressed)
    return outcome


def wanted_records(
    session: Session, project_id: int, domain_id: int, config: DomainConfig, now: datetime
) -> WantedRecords:
    """Return the DNS records that this claim needs.

    Raises NotFound if the domain does not exist, PlanRequired if the plan includes no domains, and Conflict
    if the project is not published.
    """
    domain = domain_of(session, project_id, domain_id)
    project = session.get_one(Project, project_id)
    demand_plan_and_deploy(session, project)
    return WantedRecords(
        host=domain.host,
        target=config.target,
        token="" if domain.verified_host else domain.token,
        proof=proofs_wanted(session, [domain], project.account_id, now).get(domain.id, ""),
        issuers=config.issuers,
        methods=usable_methods(domain, config.challenge_zone),
        rivals=rival_tokens(session, domain, project.account_id),
        addresses=config.addresses,
    )


def report_caa_on_target(report: Report, now: datetime) -> None:
    """Open the operator alert if CAA records of our CNAME target block certificates; else close the alert."""
    if report.caa.code == TARGET_BLOCKS:
        detail = f"CAA records at {report.caa.at}: {', '.join(report.caa.found)}."
        open_alert(CAA_ON_TARGET, detail, now)
    elif report.caa.ok and any(record.code == "cname_ok" for record in report.records):
        close_alert(CAA_ON_TARGET, now)


def start_jobs(outcome: VerificationResult, pressed: bool) -> None:
    """Start the job for certificate orders immediately if an order may now be possible."""
    if may_be_ordered(outcome.domain) and (outcome.changed or outcome.is_repaired or pressed):
        queue.start_job("order_certificates")


def verify_pair(
    project_id: int, domain_id: int, config: DomainConfig, by: Actor = OPERATOR
) -> list[VerificationResult]:
    """Verify a domain, and its unverified ``www`` partner if the project has one.

    The two domains are checked at the same time, so silent servers of one domain do not delay the other.
    Raises the same errors as ``verify_domain``.
    """
    with reading() as session:
        other = unverified_partner(session, domain_of(session, project_id, domain_id))
    new_context = current_app.app_context

    def verify(each: int) -> VerificationResult:
        with new_context():  # the context also has the ``db.session``
            return verify_domain(project_id, each, config, by)

    with ThreadPoolExecutor(1 + len(other)) as pool:
        checks = [pool.submit(verify, each) for each in (domain_id, *other)]
    outcomes = [checks[0].result()]
    with suppress(NotFound):  # the partner was removed meanwhile
        outcomes += [each.result() for each in checks[1:]]
    return outcomes


def check_soon(project_id: int, domain_id: int) -> Domain:
    """Schedule a background check within a minute.

    Raises NotFound if the domain does not exist, PlanRequired if the plan includes no domains, and Conflict
    if the project is not published.
    """
    now = datetime.now(UTC)
    with transaction() as session:
        project = lock_project(session, project_id)
        demand_plan_and_deploy(session, project)
        domain = domain_of(session, project_id, domain_id)
        store_check_request(domain, now)
        domain.next_check_at = now
    queue.start_job("check_domains")
    return domain


def store_report(
    project_id: int, domain_id: int, report: Report, context: CheckContext, now: datetime
) -> VerificationResult:
    """Store the result of a DNS check. Raises NotFound if the domain was removed meanwhile."""
    with transaction() as session:
        if report.proven:
            lock_with_holder(session, project_id, domain_id)
        project = lock_project(session, project_id)
        domain = domain_of(session, project_id, domain_id)
        before, was_settled = domain.state, is_settled(domain)
        if context.pressed:
            store_check_request(domain, now)
        domain.name_servers = " ".join(context.name_servers) or domain.name_servers
        store_caa_permission(session, domain, report, context, now)
        if report.ok and domain.verified_host is None:
            report = refuse_taken_host(session, domain, project, report, now)
        if is_refused(report):
            store_refused_answers(session, domain, project, report, now)
            return VerificationResult(domain, report, changed=False, looked_up=True)
        if report.ok is None:
            store_unanswered_check(session, domain, project, report, now)
            return VerificationResult(domain, report, changed=False, looked_up=False)
        apply_report(session, domain, project, report, context, now)
        is_repaired = is_settled(domain) and not was_settled
        return VerificationResult(
            domain, report, domain.state != before, looked_up=True, is_repaired=is_repaired
        )


def apply_report(
    session: Session,
    domain: Domain,
    project: Project,
    report: Report,
    context: CheckContext,
    now: datetime,
) -> None:
    """Store a report with answers from DNS, and update the domain's state."""
    domain.report = dns_report_json.dump_report(report)
    store_delegation(domain, context.delegation, report, context.challenge_zone)
    domain.unanswered_at, domain.unanswered_since, domain.unanswered_why = None, None, ""
    if report.ok:
        is_first = domain.verified_host is None
        become_verified(session, domain, project, context, now)
        promote_if_live(session, project, domain, context.by, now, is_first)
    elif domain.state == VERIFIED:
        become_moved(session, domain, project, report, now)
    store_resolution(session, domain, project, report, now)
    schedule_next_check(domain, now)


def lock_with_holder(session: Session, project_id: int, domain_id: int) -> None:
    """Lock a project. If another project has verified the same host, lock that project too.

    Projects are locked in the order of their ids. Otherwise two projects that take over each other's hosts
    could deadlock.
    """
    host = select(Domain.host).where(Domain.project_id == project_id, Domain.id == domain_id)
    holder = session.scalar(select(Domain.project_id).where(Domain.verified_host == host.scalar_subquery()))
    for each in sorted({project_id, holder or project_id}):
        lock_project(session, each)


def refuse_taken_host(
    session: Session, domain: Domain, project: Project, report: Report, now: datetime
) -> Report:
    """Return the report. If the host cannot be verified for this project, add a failed record.

    If a different account has verified the host, but DNS proves that the host now belongs to this account,
    the host is handed over to this account.
    """
    other = session.scalar(select(Domain).where(Domain.verified_host == domain.host))
    is_ours = other is not None and owning_account(session, other.project_id).id == project.account_id
    if other is not None and report.proven and not is_ours:
        hand_over(session, other, now)
        other = None
    if other is not None:
        fix = f"Remove {display_host(domain.host)} from the site that shows it now."
        return with_taken_record(report, domain, fix, "The domain is verified for another site here.")
    if not report.proven and proofs_wanted(session, [domain], project.account_id, now):
        why = "Another account added this domain while we checked its DNS."
        return with_taken_record(report, domain, "Press Verify again.", why)
    return report


def with_taken_record(report: Report, domain: Domain, fix: str, why: str) -> Report:
    record = CheckedRecord("Site", record_name(domain.host), (), "", False, TAKEN, fix, why)
    return report._replace(records=(*report.records, record))
