"""The labels of a domain's certificate: its step in the setup, its tag, and its times in words."""

from datetime import datetime, timedelta

from markupsafe import Markup

from adoption.certificates.certificate_states import EXPIRED, ISSUED, LIVE, CertificateStatus
from adoption.certificates.models import FAILED, ORDERING, VALIDATING
from adoption.certificates.problem_advice import needs_shelter
from adoption.domains.caa_checks import TARGET_BLOCKS, authority_name
from adoption.domains.dns_records import Report
from adoption.domains.models import ATTENTION, UNVERIFIED, Domain
from adoption.translations import gettext, message
from portal.dates import day_and_time, day_of, month_of
from portal.staff.domains.card_classes import SetupStep, Surroundings
from portal.staff.domains.certificate_stages import (
    BLOCKED,
    DUE,
    LIMITED,
    OFF,
    OUTAGE,
    PENDING,
    QUEUED,
    RETRYING,
    UNREAD,
    UNRESOLVED,
)

FORBIDDEN = message("A CAA record of your domain blocks it, see below")
BECOMES_PRIMARY = message("Once the domain has its certificate. Until then your site keeps its address")
OURS_FIRST = message("We have to fix something first, see below")
WAITS = message("Certificate waits")
DNSSEC_TAG = message("DNSSEC needs a fix")
LINKS_WORK = message("Links to an animal's page keep working")

FIXED_STEPS = {
    UNRESOLVED: SetupStep("failed", WAITS, message("Other DNS servers refuse your record, see below")),
    UNREAD: SetupStep("current", WAITS, message("Until your CAA records can be read")),
    QUEUED: SetupStep("current", WAITS, message("Begins after other orders, usually within minutes")),
    DUE: SetupStep("current", message("Ordering a certificate"), message("Begins within a minute")),
    RETRYING: SetupStep("current", message("Ordering again"), message("Begins within a minute")),
}
"""The steps of stages whose texts do not depend on the domain."""


def certificate_step(stage: str, domain: Domain, report: Report, around: Surroundings) -> SetupStep:
    status = around.statuses[domain.id]
    if stage in FIXED_STEPS:
        state, label, more = FIXED_STEPS[stage]
        return SetupStep(state, gettext(label), gettext(more))
    if stage in (LIMITED, OUTAGE, ORDERING, VALIDATING):
        return authority_step(stage, status, around)
    if stage == PENDING:
        return SetupStep("todo", gettext("Certificate"), why_pending(domain, report, around))
    if stage == BLOCKED and report.caa.code == TARGET_BLOCKS:
        return SetupStep("current", gettext(WAITS), gettext(OURS_FIRST))
    if stage == BLOCKED:
        return SetupStep("failed", gettext("Certificate blocked"), gettext(FORBIDDEN))
    if stage == FAILED:
        state = "failed" if needs_shelter(status.code) else "current"
        return SetupStep(state, gettext("No certificate yet"), next_try(status, around))
    if stage == EXPIRED:
        expired = day_and_time(status.not_after, around.now, capitalised=True) if status.not_after else ""
        return SetupStep("failed", gettext("Certificate expired"), expired)
    if domain.verified_host is None:
        used = gettext("Used as soon as your domain leads here")
        return SetupStep("done", gettext("Certificate ready"), used)
    return issued_step(domain, report, around)


def authority_step(stage: str, status: CertificateStatus, around: Surroundings) -> SetupStep:
    """Return the step of a certificate that waits for the authority."""
    authority = authority_name(around.issuer)
    if stage == LIMITED:
        again = gettext("We order it %(time)s", time=next_order_time(around))
        return SetupStep("current", gettext(WAITS), again)
    if stage == OUTAGE:
        silent = gettext("%(authority)s does not answer", authority=authority)
        return SetupStep("current", gettext(WAITS), silent)
    if stage == VALIDATING:
        checking = gettext("%(authority)s is checking", authority=authority)
        return SetupStep("current", checking, gettext("It checks that your domain leads here"))
    waits = status.unreached_why or around.queue.down_since
    more = message("Waits for %(authority)s") if waits else message("Usually takes a couple of minutes")
    return SetupStep("current", gettext("Ordering a certificate"), gettext(more, authority=authority))


def issued_step(domain: Domain, report: Report, around: Surroundings) -> SetupStep:
    status, now = around.statuses[domain.id], around.now
    dns_allows = report.caa.ok is not False and not domain.unresolved_since and domain.state != ATTENTION
    renews = status.code is None and dns_allows and around.shows
    rest = (
        renewal_sentence(status, now) if renews else gettext("Good until %(day)s.", day=end_of(status, now))
    )
    issued = day_and_time(status.issued_at, now, capitalised=True) + ". " if status.issued_at else Markup()
    return SetupStep("done", gettext("Certificate issued"), issued + rest)


def why_pending(domain: Domain, report: Report, around: Surroundings) -> str:
    if not around.shows:
        return gettext("Not ordered now")
    if domain.state == ATTENTION:
        return gettext("Ordered when DNS is right again")
    if report.caa.code == TARGET_BLOCKS:
        return gettext(OURS_FIRST)
    return gettext(FORBIDDEN) if report.caa.ok is False else gettext("Ordered once DNS is right")


def site_step(stage: str, domain: Domain, sends_on: bool, around: Surroundings) -> SetupStep:
    """Return the last step of the setup: what visitors get."""
    status = around.statuses[domain.id]
    label = gettext("Sends visitors on") if sends_on else gettext("Shows your site")
    if not around.shows:
        return SetupStep("todo", gettext("Not shown now"), gettext("See the note above"))
    if domain.state == UNVERIFIED:
        return SetupStep("todo", label, gettext("As soon as DNS is right"))
    if domain.state == ATTENTION:
        still = gettext("Still sends visitors on") if sends_on else gettext("Still shows your site")
        return SetupStep("current", still, gettext("For visitors who still reach us"))
    if stage == OFF:
        return SetupStep("done", label, gettext(LINKS_WORK) if sends_on else gettext("By http"))
    if stage == LIVE:
        return SetupStep("done", label, how_reached(status, sends_on, around))
    if domain.wants_primary and domain.primary_of is None and stage != LIVE:
        return SetupStep("todo", gettext("Becomes primary"), gettext(BECOMES_PRIMARY))
    if stage == ISSUED:
        return SetupStep(
            "current", gettext("Going live"), gettext("We check that visitors get the certificate")
        )
    if stage == EXPIRED:
        return SetupStep(
            "failed", gettext("Browsers warn visitors"), gettext("Until there is a new certificate")
        )
    return SetupStep("todo", label, gettext("By http for now, then by https"))


def how_reached(status: CertificateStatus, sends_on: bool, around: Surroundings) -> str:
    """Return a sentence about how visitors reach a live domain."""
    if sends_on:
        return gettext("By https. Links to an animal's page keep working")
    if status.live_since is None:
        return ""
    return gettext("By https since %(time)s", time=day_and_time(status.live_since, around.now))


def certificate_tag(stage: str, status: CertificateStatus) -> tuple[str, str, str]:
    """Return the tone, symbol and text of the tag.

    The domain's DNS is correct, and the domain shows the site.
    """
    if stage in (OFF, LIVE):
        return "good", "circle-check", gettext("Working")
    if stage == UNRESOLVED:
        return "bad", "triangle-alert", gettext(DNSSEC_TAG)
    if stage == BLOCKED:
        return "bad", "triangle-alert", gettext("Certificate blocked")
    if stage == FAILED:
        tone = ("bad", "triangle-alert") if needs_shelter(status.code) else ("warn", "clock")
        return *tone, gettext("No certificate yet")
    if stage == EXPIRED:
        return "bad", "triangle-alert", gettext("Certificate expired")
    return "warn", "clock", gettext("Going live") if stage == ISSUED else gettext("Getting a certificate")


def next_try(status: CertificateStatus, around: Surroundings) -> str:
    at = max(filter(None, (status.next_try_at, around.limited_until)), default=around.now)
    if at <= around.now and around.queue.down_since:
        return gettext("We try again as soon as the authority answers")
    if at <= around.now:
        return gettext("We try again within a minute")
    return gettext("Next try %(time)s", time=day_and_time(at, around.now))


def end_of(status: CertificateStatus, now: datetime) -> str:
    return day_of(status.not_after, now) if status.not_after else ""


def renewal_sentence(status: CertificateStatus, now: datetime) -> str:
    """Return a sentence about when a certificate renews.

    The sentence contains the day, or only the month if the renewal is more than four weeks away.
    """
    at = status.renew_at
    if at is None or at <= now:
        return gettext("It is being renewed.")
    if at - now < timedelta(days=28):
        return gettext("Renews automatically on %(day)s.", day=day_of(at, now))
    return gettext("Renews automatically in %(month)s.", month=month_of(at))


def next_order_time(around: Surroundings) -> str:
    """Return the time from which the authority accepts orders from this service again, in words."""
    return day_and_time(around.limited_until, around.now) if around.limited_until else gettext("soon")


def outage_sentence(around: Surroundings) -> str:
    """Return sentences about an outage of the authority: since when it lasts, and when we try again."""
    since = day_and_time(around.queue.down_since, around.now) if around.queue.down_since else ""
    again = around.queue.next_probe_at
    ask = day_and_time(again, around.now) if again and again > around.now else gettext("within a minute")
    return gettext(
        "%(authority)s issues the certificate, but has not answered since %(since)s. You do not have to do "
        "anything: we ask again %(time)s, and order as soon as it answers.",
        authority=authority_name(around.issuer),
        since=since,
        time=ask,
    )


def checked_in_words(at: datetime | None, now: datetime) -> str:
    return gettext("Checked %(time)s", time=day_and_time(at, now)) if at else ""
