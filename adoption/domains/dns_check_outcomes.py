"""The effects of a DNS check: a new state of the domain, emails to owners, and the time of the next check."""

from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy.orm import Session

from adoption.accounts.members import email_owners
from adoption.audit.actors import SERVICE, Actor
from adoption.domains import dns_report_json, email_templates
from adoption.domains.caa_checks import TARGET_BLOCKS
from adoption.domains.dns_answers import DnsAnswer
from adoption.domains.dns_records import Report
from adoption.domains.dnssec_checks import DNSSEC_BROKEN
from adoption.domains.email_digests import drop_news, queue_news
from adoption.domains.history import record_event
from adoption.domains.models import ATTENTION, UNVERIFIED, VERIFIED, Domain, Tombstone
from adoption.domains.recheck_schedule import next_check_time
from adoption.projects.models import Project

SILENT_FOR = timedelta(days=7)
"""The time after which owners are emailed if a verified domain's name servers do not answer."""
UNRESOLVED_FOR = timedelta(minutes=30)
"""The time after which owners are emailed if resolvers refuse a verified domain's records."""


class CheckContext(NamedTuple):
    """Facts about a DNS check that the report does not contain."""

    certificate_follows: bool
    """Whether a certificate is ordered for a verified domain."""
    by: Actor
    pressed: bool
    """Whether a person requested the check."""
    name_servers: tuple[str, ...] = ()
    """The name servers of the domain's zone; empty if the lookup failed."""
    delegation: DnsAnswer | None = None
    """The answer for the CNAME record that delegates challenges. None if this server offers no delegation."""
    challenge_zone: str = ""


def store_caa_permission(
    session: Session, domain: Domain, report: Report, context: CheckContext, now: datetime
) -> None:
    """Store whether CAA records allow certificates. If they no longer do, email the owners."""
    if report.caa.ok is None:
        return
    stops = domain.caa_allows and not report.caa.ok
    domain.caa_allows = report.caa.ok
    is_theirs = report.caa.code != TARGET_BLOCKS
    if stops and is_theirs and context.certificate_follows and domain.state == VERIFIED:
        queue_news(session, domain, email_templates.FORBIDDEN, report.caa.hint, now)
    elif report.caa.ok:
        drop_news(session, domain, email_templates.FORBIDDEN)


def store_unanswered_check(
    session: Session, domain: Domain, project: Project, report: Report, now: datetime
) -> None:
    """Store that DNS did not answer. Keep the state and the last report. Email the owners after a week."""
    failed = next(record for record in report.records if record.ok is None)
    since, before = domain.unanswered_since or now, domain.unanswered_at
    domain.unanswered_at, domain.unanswered_since, domain.unanswered_why = now, since, failed.why
    week = since + SILENT_FOR
    if domain.verified_host and before and before < week <= now:
        record_event(session, SERVICE, "domain.unanswered", project, domain, failed.why, now)
        queue_news(session, domain, email_templates.UNANSWERED, email_templates.LAPSED, now)
    schedule_next_check(domain, now)


def silent_since(domain: Domain, now: datetime) -> datetime | None:
    """Return the time since which the name servers have not answered; None for less than ``SILENT_FOR``."""
    since = domain.unanswered_since
    return since if since is not None and now - since >= SILENT_FOR else None


def is_refused(report: Report) -> bool:
    """Return whether resolvers refuse the records and no name server of the zone returned them."""
    return report.ok is None and any(each.code == DNSSEC_BROKEN for each in report.warnings)


def store_refused_answers(
    session: Session, domain: Domain, project: Project, report: Report, now: datetime
) -> None:
    """Store the warning that resolvers refuse the records.

    The state stays, because the current records are unknown.
    """
    report_before = (
        dns_report_json.EMPTY if domain.state == UNVERIFIED else dns_report_json.load_report(domain.report)
    )
    domain.report = dns_report_json.dump_report(report_before._replace(warnings=report.warnings))
    domain.unanswered_at, domain.unanswered_since, domain.unanswered_why = None, None, ""
    store_resolution(session, domain, project, report, now)
    schedule_next_check(domain, now)


def store_resolution(
    session: Session, domain: Domain, project: Project, report: Report, now: datetime
) -> None:
    """Store whether resolvers refuse the zone's answers, and the time of this check.

    A verified domain's owners are emailed after ``UNRESOLVED_FOR``, because resolvers also fail for moments.
    """
    before, domain.checked_at = domain.checked_at, now
    broken = next((each for each in report.warnings if each.code == DNSSEC_BROKEN), None)
    if broken is None:
        domain.unresolved_since = None
        return
    domain.unresolved_since = domain.unresolved_since or now
    lasting = domain.unresolved_since + UNRESOLVED_FOR
    if domain.state == VERIFIED and before and before < lasting <= now:
        record_event(session, SERVICE, "domain.unresolved", project, domain, broken.hint, now)
        queue_news(session, domain, email_templates.UNRESOLVED, broken.hint, now)


def store_check_request(domain: Domain, now: datetime) -> None:
    domain.pressed_at = now
    if not is_settled(domain):
        domain.watched_since = now


def schedule_next_check(domain: Domain, now: datetime) -> None:
    serves = domain.verified_host is not None
    domain.next_check_at = next_check_time(is_settled(domain), serves, domain.watched_since, now)


def is_settled(domain: Domain) -> bool:
    """Return whether the domain needs no frequent checks, because it is verified and can get certificates."""
    return domain.state == VERIFIED and domain.caa_allows and domain.unresolved_since is None


def become_verified(
    session: Session, domain: Domain, project: Project, context: CheckContext, now: datetime
) -> None:
    if domain.state == VERIFIED:
        return
    domain.state, domain.verified_host, domain.watched_since = VERIFIED, domain.host, now
    domain.verified_at = now
    drop_news(session, domain, email_templates.MOVED)
    session.merge(Tombstone(host=domain.host, account_id=project.account_id, verified_at=now))
    session.flush()
    record_event(session, context.by, "domain.verified", project, domain, now=now)
    if not context.certificate_follows:  # otherwise owners are emailed once the domain is live
        email_owners(session, project.account_id, email_templates.verified_email(domain.host, project.name))


def become_moved(session: Session, domain: Domain, project: Project, report: Report, now: datetime) -> None:
    domain.state, domain.watched_since = ATTENTION, now
    found = " ".join(record.hint for record in report.records if record.ok is False)
    record_event(session, SERVICE, "domain.moved", project, domain, found, now)
    queue_news(session, domain, email_templates.MOVED, found, now)
