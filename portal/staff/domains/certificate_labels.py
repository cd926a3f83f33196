"""How far the certificate of a domain is, in words: a step of its setup and a tag."""

from datetime import datetime, timedelta

from markupsafe import Markup

from adoption.certificates.certificate_states import EXPIRED, ISSUED, LIVE, CertificateStatus
from adoption.certificates.models import FAILED, ORDERING, VALIDATING
from adoption.certificates.problem_advice import needs_shelter
from adoption.domains.caa import TARGET_BLOCKS, authority_name
from adoption.domains.models import ATTENTION, UNVERIFIED, Domain
from adoption.domains.records import Report
from portal.dates import day_and_time, day_of, month_of
from portal.staff.domains.cards import SetupStep, Surroundings
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

FORBIDDEN = "A CAA record of your domain blocks it, see below"
BECOMES_PRIMARY = "Once it has its certificate. Until then your site keeps its address"
OURS_FIRST = "We have to fix something first, see below"
WAITS = "Certificate waits"
DNSSEC_TAG = "DNSSEC needs a fix"
LINKS_WORK = "Links to single pages keep working"


FIXED_STEPS = {
    UNRESOLVED: SetupStep("failed", WAITS, "Other DNS servers refuse your record, see below"),
    UNREAD: SetupStep("current", WAITS, "Until your CAA records can be read"),
    QUEUED: SetupStep("current", WAITS, "Begins after other orders, usually within minutes"),
    DUE: SetupStep("current", "Ordering a certificate", "Begins within a minute"),
    RETRYING: SetupStep("current", "Ordering again", "Begins within a minute"),
}
"""Steps whose texts depend on the stage alone."""


def certificate_step(stage: str, domain: Domain, report: Report, around: Surroundings) -> SetupStep:
    standing = around.standings[domain.id]
    if stage in FIXED_STEPS:
        return FIXED_STEPS[stage]
    if stage in (LIMITED, OUTAGE, ORDERING, VALIDATING):
        return authority_step(stage, standing, around)
    if stage == PENDING:
        return SetupStep("todo", "Certificate", why_pending(domain, report, around))
    if stage == BLOCKED and report.caa.code == TARGET_BLOCKS:
        return SetupStep("current", WAITS, OURS_FIRST)
    if stage == BLOCKED:
        return SetupStep("failed", "Certificate blocked", FORBIDDEN)
    if stage == FAILED:
        state = "failed" if needs_shelter(standing.code) else "current"
        return SetupStep(state, "No certificate yet", next_try(standing, around))
    if stage == EXPIRED:
        expired = day_and_time(standing.not_after, around.now, capitalised=True) if standing.not_after else ""
        return SetupStep("failed", "Certificate expired", expired)
    if domain.verified_host is None:
        return SetupStep("done", "Certificate ready", "Used as soon as your domain leads here")
    return issued_step(domain, report, around)


def authority_step(stage: str, standing: CertificateStatus, around: Surroundings) -> SetupStep:
    """Return the step of a certificate that the authority is asked for, or has to be asked for."""
    authority = authority_name(around.issuer)
    if stage == LIMITED:
        return SetupStep("current", WAITS, Markup("We order it {}").format(until(around)))
    if stage == OUTAGE:
        return SetupStep("current", WAITS, f"{authority} does not answer")
    if stage == VALIDATING:
        return SetupStep("current", f"{authority} is checking", "It checks that your domain leads here")
    waits = standing.unreached_why or around.queue.down_since
    more = f"Waits for {authority}" if waits else "Usually takes a couple of minutes"
    return SetupStep("current", "Ordering a certificate", more)


def issued_step(domain: Domain, report: Report, around: Surroundings) -> SetupStep:
    standing, now = around.standings[domain.id], around.now
    dns_allows = report.caa.ok is not False and not domain.unresolved_since and domain.state != ATTENTION
    renews = standing.code is None and dns_allows and around.shows
    rest = renewal(standing, now) if renews else Markup("Good until {}.").format(end_of(standing, now))
    issued = (
        day_and_time(standing.issued_at, now, capitalised=True) + ". " if standing.issued_at else Markup()
    )
    return SetupStep("done", "Certificate issued", issued + rest)


def why_pending(domain: Domain, report: Report, around: Surroundings) -> str:
    if not around.shows:
        return "Not ordered now"
    if domain.state == ATTENTION:
        return "Ordered when DNS is right again"
    if report.caa.code == TARGET_BLOCKS:
        return OURS_FIRST
    return FORBIDDEN if report.caa.ok is False else "Ordered once DNS is right"


def site_step(stage: str, domain: Domain, sends_on: bool, around: Surroundings) -> SetupStep:
    """The last step: what visitors get."""
    standing = around.standings[domain.id]
    label = "Sends visitors on" if sends_on else "Shows your site"
    if not around.shows:
        return SetupStep("todo", "Not shown now", "See the note above")
    if domain.state == UNVERIFIED:
        return SetupStep("todo", label, "As soon as DNS is right")
    if domain.state == ATTENTION:
        return SetupStep(
            "current", f"Still {label[:1].lower()}{label[1:]}", "For visitors who still reach us"
        )
    if stage == OFF:
        return SetupStep("done", label, LINKS_WORK if sends_on else "By http")
    if stage == LIVE:
        since = ""
        if standing.live_since:
            since = Markup("By https since {}").format(day_and_time(standing.live_since, around.now))
        return SetupStep("done", label, f"By https. {LINKS_WORK}" if sends_on else since)
    if domain.wants_primary and domain.primary_of is None and stage != LIVE:
        return SetupStep("todo", "Becomes primary", BECOMES_PRIMARY)
    if stage == ISSUED:
        return SetupStep("current", "Going live", "We check that visitors get the certificate")
    if stage == EXPIRED:
        return SetupStep("failed", "Browsers warn visitors", "Until there is a new certificate")
    return SetupStep("todo", label, "By http for now, then by https")


def certificate_tag(stage: str, standing: CertificateStatus) -> tuple[str, str, str]:
    """Tone, symbol and words of a domain whose DNS is right and whose site is shown."""
    if stage in (OFF, LIVE):
        return "good", "circle-check", "Working"
    if stage == UNRESOLVED:
        return "bad", "triangle-alert", DNSSEC_TAG
    if stage == BLOCKED:
        return "bad", "triangle-alert", "Certificate blocked"
    if stage == FAILED:
        tone = ("bad", "triangle-alert") if needs_shelter(standing.code) else ("warn", "clock")
        return *tone, "No certificate yet"
    if stage == EXPIRED:
        return "bad", "triangle-alert", "Certificate expired"
    return "warn", "clock", "Going live" if stage == ISSUED else "Getting a certificate"


def next_try(standing: CertificateStatus, around: Surroundings) -> str:
    at = max(filter(None, (standing.next_try_at, around.limited_until)), default=around.now)
    if at <= around.now and around.queue.down_since:
        return "We try again as soon as the authority answers"
    if at <= around.now:
        return "We try again within a minute"
    return Markup("Next try {}").format(day_and_time(at, around.now))


def end_of(standing: CertificateStatus, now: datetime) -> str:
    return day_of(standing.not_after, now) if standing.not_after else ""


def renewal(standing: CertificateStatus, now: datetime) -> str:
    """Return when a certificate renews: the day, or the month while that is weeks away."""
    at = standing.renew_at
    if at is None or at <= now:
        return "It is being renewed."
    near = at - now < timedelta(days=28)
    if near:
        return Markup("Renews automatically on {}.").format(day_of(at, now))
    return Markup("Renews automatically in {}.").format(month_of(at))


def until(around: Surroundings) -> str:
    """When orders are begun again, which the authority takes from nobody of us now."""
    return day_and_time(around.limited_until, around.now) if around.limited_until else "soon"


def outage(around: Surroundings) -> Markup:
    """Return since when the authority does not answer, and when it is asked again."""
    since = day_and_time(around.queue.down_since, around.now) if around.queue.down_since else ""
    again = around.queue.next_probe_at
    ask = day_and_time(again, around.now) if again and again > around.now else "within a minute"
    return Markup(
        "{} issues the certificate, but has not answered since {}. You do not have to do anything: we ask "
        "again {}, and order as soon as it answers."
    ).format(authority_name(around.issuer), since, ask)


def looked(at: datetime | None, now: datetime) -> str:
    return Markup("Checked {}").format(day_and_time(at, now)) if at else ""
