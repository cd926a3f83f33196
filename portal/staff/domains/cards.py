"""The cards on the page of domains: building each card from its domain's DNS and certificate."""

from datetime import datetime, timedelta

from markupsafe import Markup

from adoption.certificates.certificate_states import EXPIRED, ISSUED, LIVE
from adoption.certificates.models import FAILED
from adoption.certificates.operator_domain_list import LATE_AFTER
from adoption.domains import dns_report_json
from adoption.domains.caa_checks import TARGET_BLOCKS
from adoption.domains.dns_check_outcomes import silent_since
from adoption.domains.dns_records import Report
from adoption.domains.hostnames import display_host
from adoption.domains.live_domains import is_live
from adoption.domains.models import ATTENTION, VERIFIED, Domain
from adoption.domains.ownership_record_checks import why_proof
from adoption.domains.queries import redirect_target
from adoption.translations import gettext, message, ngettext
from portal.dates import day_and_time
from portal.staff.domains.card_classes import DomainCard, SetupStep, Surroundings
from portal.staff.domains.certificate_labels import (
    DNSSEC_TAG,
    certificate_step,
    certificate_tag,
    next_try,
    site_step,
)
from portal.staff.domains.certificate_problems import join_sentences, notice_of
from portal.staff.domains.certificate_stages import (
    BLOCKED,
    LIMITED,
    OFF,
    OUTAGE,
    UNDER_WAY,
    UNREAD,
    UNRESOLVED,
    is_certificate_overdue,
    stage_of,
)
from portal.staff.domains.dns_check_results import (
    checks_of,
    heading_of,
    is_hidden_by_proxy,
    is_refused_only,
    needs_own_caa_fix,
    only_absent,
)
from portal.staff.domains.early_certificates import offer_of
from portal.staff.domains.expected_records import detour_of, expected_values, proof_of, provider_of

FRESH = timedelta(hours=1)
SILENT = message(
    "The domain may have expired, or your DNS provider may have switched its DNS off. "
    "Sign in at your DNS provider and check both."
)
"""Advice for a domain whose DNS has not answered for a week."""
SOON, LATER = 3, 30
"""The numbers of seconds between two requests of the page for changes: while a certificate is being issued,
and otherwise."""


def domain_card(domain: Domain, around: Surroundings, focus_on: int | None = None) -> DomainCard:
    report, to = (
        dns_report_json.load_report(domain.report),
        redirect_target(domain, around.domains, around.now),
    )
    name, right = display_host(domain.host), domain.state == VERIFIED
    stage = stage_of(domain, report, around)
    overdue = is_certificate_overdue(domain, stage, around)
    checks = checks_of(domain, report, stage, overdue, around)
    secured = stage == LIVE
    scheme = "https" if secured else "http" if around.certificates else around.scheme
    return DomainCard(
        id=domain.id,
        name=name,
        ascii=domain.host if domain.host != name else "",
        address=f"{scheme}://{domain.host}{around.secured_port if secured else around.port}/",
        primary=domain.primary_of is not None,
        awaited=domain.wants_primary and domain.primary_of is None,
        live=is_live(domain, around.now) and around.shows,
        keeps_https=domain.keeps_https,
        verified=domain.verified_host is not None,
        right=right,
        route=display_host(to.host) if to else "",
        status=domain.redirect_status or 0,
        tag=domain_tag(domain, report, stage, around),
        steps=setup_steps(domain, report, stage, around),
        notice=notice_of(stage, domain, report, overdue, around),
        heading=heading_of(overdue, around.statuses[domain.id]),
        checks=checks,
        values=expected_values(domain, report, around),
        detour=detour_of(domain, report, around),
        early=offer_of(domain, report, stage, around),
        provider=provider_of(domain),
        proof=why_proof(reason, domain.host) if (reason := proof_of(domain, report, around)) else "",
        unanswered=unanswered_of(domain, around.now),
        silent=silent_since(domain, around.now) is not None,
        remembered=cached_answers_sentence(domain, report, around.now),
        next_try=next_try_after_failure(domain, stage, around),
        word=word_of(domain, report, stage, around),
        pace=pace_of(domain, stage, around),
        focus=("button" if checks or not right else "name") if focus_on == domain.id else "",
    )


def domain_tag(domain: Domain, report: Report, stage: str, around: Surroundings) -> tuple[str, str, str]:
    if domain.state == ATTENTION:
        return "bad", "triangle-alert", gettext("No longer leads here")
    if domain.state == VERIFIED:
        if not around.shows:
            return "warn", "clock", gettext("Ready, not shown")
        if silent_since(domain, around.now):
            return "bad", "triangle-alert", gettext("DNS does not answer")
        if stage == BLOCKED and report.caa.code == TARGET_BLOCKS:
            return "warn", "clock", gettext("Waiting for us")
        if domain.unresolved_since:
            stage = UNRESOLVED  # Some visitors cannot reach the site, even if its certificate is valid.
        return certificate_tag(stage, around.statuses[domain.id])
    if stage == ISSUED:
        return "good", "circle-check", gettext("Certificate ready")
    if is_refused_only(domain, report):
        return "bad", "triangle-alert", gettext(DNSSEC_TAG)
    if domain.challenge_ready or only_absent(report):
        return "warn", "clock", gettext("Waiting for your DNS")
    return "bad", "triangle-alert", gettext("DNS needs a fix")


def setup_steps(domain: Domain, report: Report, stage: str, around: Surroundings) -> tuple[SetupStep, ...]:
    added = SetupStep("done", gettext("Added"), day_and_time(domain.created_at, around.now, capitalised=True))
    certificate = () if stage == OFF else (certificate_step(stage, domain, report, around),)
    site = site_step(stage, domain, redirect_target(domain, around.domains, around.now) is not None, around)
    return added, dns_step(domain, report, around), *certificate, site


def dns_step(domain: Domain, report: Report, around: Surroundings) -> SetupStep:
    now = around.now
    checked = (
        gettext("Checked %(time)s.", time=day_and_time(domain.checked_at, now)) if domain.checked_at else ""
    )
    if domain.state == VERIFIED:
        if since := silent_since(domain, now):
            lasting = gettext("Since %(time)s.", time=day_and_time(since, now))
            return SetupStep("failed", gettext("DNS does not answer"), lasting)
        at = day_and_time(domain.verified_at, now, capitalised=True) + "." if domain.verified_at else Markup()
        return SetupStep("done", gettext("DNS verified"), join_sentences(at, checked))
    if domain.state == ATTENTION:
        return SetupStep("failed", gettext("DNS no longer leads here"), checked)
    if is_refused_only(domain, report):
        dnssec = gettext("DNSSEC to fix, see below.")
        return SetupStep("failed", gettext("DNS check failed"), join_sentences(dnssec, checked))
    if domain.challenge_ready and is_hidden_by_proxy(domain, report):
        hidden = gettext("We see Cloudflare's proxy instead of your record, see below.")
        waiting = gettext("Waiting for you to change DNS")
        return SetupStep("current", waiting, join_sentences(hidden, checked))
    if domain.challenge_ready:
        stays = gettext("Your website stays as it is until you change DNS.")
        waiting = gettext("Waiting for you to change DNS")
        return SetupStep("current", waiting, join_sentences(stays, checked))
    if only_absent(report):
        waiting = gettext("Waiting for DNS")
        return SetupStep("current", waiting, join_sentences(next_checks(domain, around), checked))
    wrong = sum(record.ok is False for record in report.records) + needs_own_caa_fix(report)
    to_fix = ngettext("%(num)s record to fix.", "%(num)s records to fix.", wrong)
    return SetupStep("failed", gettext("DNS check failed"), join_sentences(to_fix, checked))


def next_checks(domain: Domain, around: Surroundings) -> str:
    if not around.shows:
        return gettext("We are not checking now, see the note above.")
    if domain.next_check_at is None:
        return gettext("Our automatic checks have ended. An owner can press Verify.")
    return gettext("We check for 7 days and email you. You can close this page.")


def unanswered_of(domain: Domain, now: datetime) -> str:
    if domain.unanswered_at is None:
        return ""
    why = Markup("{}: {}").format(
        day_and_time(domain.unanswered_at, now, capitalised=True), domain.unanswered_why
    )
    if since := silent_since(domain, now):
        lasting = gettext("It has been like this since %(time)s.", time=day_and_time(since, now))
        return join_sentences(why, lasting, gettext(SILENT))
    return why


def cached_answers_sentence(domain: Domain, report: Report, now: datetime) -> str:
    """Return a sentence about correct records at the last check; empty after an hour."""
    why = next((record.why for record in report.records if record.ok and record.why), "")
    if domain.state != VERIFIED or not why or not domain.checked_at or now - domain.checked_at > FRESH:
        return ""
    return Markup("{}: {}").format(day_and_time(domain.checked_at, now, capitalised=True), why)


def next_try_after_failure(domain: Domain, stage: str, around: Surroundings) -> str:
    status = around.statuses[domain.id]
    return "" if stage != FAILED or status.hurries else next_try(status, around)


def word_of(domain: Domain, report: Report, stage: str, around: Surroundings) -> str:
    if domain.state == ATTENTION:
        return "moved"
    if domain.state != VERIFIED:
        if stage == ISSUED:
            return "ready"
        if is_refused_only(domain, report):
            return UNRESOLVED
        return "absent" if domain.challenge_ready or only_absent(report) else "wrong"
    if silent_since(domain, around.now):
        return "silent"
    if stage == LIVE and around.statuses[domain.id].code:
        return "unrenewed"
    return stage if stage in (LIVE, ISSUED, FAILED, EXPIRED, BLOCKED, UNRESOLVED) else "verified"


def pace_of(domain: Domain, stage: str, around: Surroundings) -> int:
    """Return the seconds between two requests of the page for changes of a domain.

    The number is small while the user may be waiting for a certificate. 0 if nothing changes without the
    user.
    """
    if not around.shows:
        return 0
    if stage in UNDER_WAY and not (stage == ISSUED and domain.state != VERIFIED):
        since = max(filter(None, (domain.verified_at, domain.pressed_at)), default=domain.created_at)
        return SOON if around.now - since < LATE_AFTER else LATER
    if stage in (FAILED, EXPIRED, LIMITED, OUTAGE):
        return LATER
    needs = domain.state != VERIFIED or stage in (BLOCKED, UNREAD, UNRESOLVED)
    return LATER if needs and domain.next_check_at is not None else 0
